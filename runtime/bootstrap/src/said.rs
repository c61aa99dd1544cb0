//! Lines about the end of a job that several of its PEs would print alike: the first one prints it, the others do not.
//!
//! All PEs run the same program, so a mistake in it is usually made by all of them at the same moment, and each one
//! ends the job with a line about it. The PEs of a node note which lines have been printed, in a few words that they
//! share ([`Words`]).
//!
//! A word is 0, or the *key* of a line, and it never changes to the key of another one. The PE that stores a key into a
//! word that was 0 prints the line and then adds [`PRINTED`]. A PE that finds the key waits for that mark. If the mark
//! does not come within [`LIMIT`], because the other PE was killed or stopped before it had printed the line, or could
//! not print it, this PE prints the line itself; so it does if no word is left. If the process has to end earlier, the
//! thread that ends it prints what is pending ([`print_pending`]). So a line may be printed twice, but it is not lost.
//!
//! Lines are alike if they differ only in the PE that prints them and in addresses, which mean nothing in another
//! process, and if they go to the same place: where each process has a file of its own for stderr, each file gets the
//! line. A word stays used until the job ends, so only lines that end the job are treated like this: another mistake
//! may be made a second time, with another address, and is worth a second line.

use cushmem_environment::log::{self, Level};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use cushmem_environment::printable;
use nix::sys::stat::{FileStat, fstat};

/// How long a PE waits until another one has printed a line.
const LIMIT: Duration = Duration::from_secs(1);
/// How often it looks.
const LOOK_AGAIN: Duration = Duration::from_millis(1);
/// In a word: the line has been printed.
const PRINTED: u64 = 1;
/// In every key, so that no key is 0.
const USED: u64 = 1 << 63;

/// Words that the PEs of a node share. All are 0 when the job begins.
pub trait Words: Send + Sync {
    /// The words.
    fn words(&self) -> &[AtomicU64];
}

/// Which lines the PEs of this node have printed. Until there are words, each PE prints its own.
pub(crate) struct Said {
    words: OnceLock<Arc<dyn Words>>,
    /// The PE's number.
    my_pe: u32,
    /// The name ([`name`]) of the pipe through which `shmemrun` collects this PE's lines, if there is one.
    collecting: Option<String>,
}

/// A line of this process which another PE is printing.
struct Pending {
    words: Arc<dyn Words>,
    index: usize,
    line: String,
}

/// Each has a number, by which the thread that waits finds it.
static PENDING: Mutex<Vec<(u64, Pending)>> = Mutex::new(Vec::new());
static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// What the words say about a line.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// This PE has to print it, and to mark this word then.
    Own(usize),
    /// Another PE does, and marks this word.
    Others(usize),
    /// This PE has to print it, because no word is left.
    None,
}

/// The reason that other PEs are given if a PE ends the job.
pub(crate) fn ended_by(pe: u32, status: i32, message: &str) -> String {
    let text = if message.is_empty() { String::new() } else { format!(": {message}") };
    format!("PE {pe} ended it with status {status}{text}")
}

/// What is said about a job that ends early.
pub(crate) fn has_ended(reason: &str) -> String {
    format!("the job has ended: {reason}")
}

impl Said {
    pub(crate) fn new(my_pe: u32, collecting: Option<String>) -> Said {
        Said { words: OnceLock::new(), my_pe, collecting }
    }

    /// From now on, uses these words. Only the first call counts.
    pub(crate) fn share(&self, words: Arc<dyn Words>) {
        let _ = self.words.set(words);
    }

    /// Prints the line `cushmem: PE n: text`, which says why the job ends, unless another PE of the node has printed
    /// the same. Returns whether it has been printed.
    pub(crate) fn say_end(&self, text: &str) -> bool {
        self.say_by(text, Instant::now() + LIMIT, print)
    }

    /// Prints the line `cushmem: PE n: text`, whatever other PEs print.
    pub(crate) fn say(&self, text: &str) {
        print(&self.line(text));
    }

    fn line(&self, text: &str) -> String {
        format!("cushmem: PE {}: {}\n", self.my_pe, printable(text))
    }

    fn say_by(&self, text: &str, deadline: Instant, print: impl Fn(&str) -> bool) -> bool {
        let line = self.line(text);
        let (Some(words), Some(stream)) = (self.words.get(), self.stream()) else { return print(&line) };
        match place(words.words(), key(text, stream)) {
            Place::None => print(&line),
            Place::Own(index) => {
                let is_printed = print(&line);
                if is_printed {
                    // SYNC(said) release: pairs with the acquire in `is_printed`.
                    words.words()[index].fetch_or(PRINTED, Ordering::Release);
                }
                is_printed
            }
            Place::Others(index) => {
                // Relaxed: only the numbers have to differ.
                let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
                pending().push((number, Pending { words: words.clone(), index, line }));
                while !is_printed(words.words(), index) && Instant::now() < deadline {
                    std::thread::sleep(LOOK_AGAIN);
                }
                let mut all = pending();
                let own = all.iter().position(|(other, _)| *other == number).map(|at| all.swap_remove(at).1);
                drop(all);
                // If it is no longer there, `print_pending` has seen to it.
                own.is_none_or(|own| own.print(&print))
            }
        }
    }

    /// Notes that the line needs not be printed.
    pub(crate) fn note(&self, text: &str) {
        if let (Some(words), Some(stream)) = (self.words.get(), self.stream())
            && let Place::Own(index) | Place::Others(index) = place(words.words(), key(text, stream))
        {
            // SYNC(said) release: pairs with the acquire in `is_printed`.
            words.words()[index].fetch_or(PRINTED, Ordering::Release);
        }
    }

    /// Where this process's lines go: the file behind stderr, or the launcher. `None` if it is closed.
    fn stream(&self) -> Option<[u64; 2]> {
        let about = fstat(std::io::stderr()).ok()?;
        let is_collected = self.collecting.as_ref().is_some_and(|pipe| *pipe == name(&about));
        Some(if is_collected { [0; 2] } else { [about.st_dev, about.st_ino] })
    }
}

/// A name for an open file, the same in every process: device and inode.
fn name(about: &FileStat) -> String {
    format!("{}:{}", about.st_dev, about.st_ino)
}

/// The value of [`env::STDERR`](crate::env::STDERR) for a PE whose standard error is this pipe.
pub fn name_of_pipe(pipe: impl AsFd) -> std::io::Result<String> {
    Ok(name(&fstat(pipe)?))
}

impl Pending {
    /// Prints the line, unless it has been printed. Returns whether it has been now.
    fn print(&self, print: impl Fn(&str) -> bool) -> bool {
        is_printed(self.words.words(), self.index) || print(&self.line)
    }
}

/// Prints what threads of this process wait for others to print. To be called before the process ends.
pub(crate) fn print_pending() {
    print_all(&PENDING, print);
}

fn print_all(pending: &Mutex<Vec<(u64, Pending)>>, print: impl Fn(&str) -> bool) {
    // The lock is free while it prints, which may take long: another thread may have a line to add.
    let all = std::mem::take(&mut *pending.lock().unwrap_or_else(PoisonError::into_inner));
    for (_, pending) in all {
        pending.print(&print);
    }
}

fn pending() -> MutexGuard<'static, Vec<(u64, Pending)>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether stderr could be written.
fn print(line: &str) -> bool {
    // The standard library takes a closed stderr for one that has been written.
    fstat(std::io::stderr()).is_ok() && log::write_line(Level::Error, module_path!(), line)
}

fn is_printed(words: &[AtomicU64], index: usize) -> bool {
    // SYNC(said) acquire: pairs with the release of the PE that has printed the line.
    words[index].load(Ordering::Acquire) & PRINTED != 0
}

/// Finds the word with this key, or makes one of a word that is 0.
fn place(words: &[AtomicU64], key: u64) -> Place {
    for (index, word) in words.iter().enumerate() {
        // Relaxed: the key itself is all that other PEs have to see of it.
        match word.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return Place::Own(index),
            Err(other) if other & !PRINTED == key => return Place::Others(index),
            Err(_) => {}
        }
    }
    Place::None
}

/// A number for a line, which is the same on all PEs: FNV-1a of where the line goes and of its text without addresses.
fn key(text: &str, stream: [u64; 2]) -> u64 {
    let mut parts = text.split("0x");
    let first = parts.next().unwrap_or_default();
    let others = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    let text = std::iter::once(first).chain(others).flat_map(|part| part.bytes().chain([0]));
    let bytes = stream.into_iter().flat_map(u64::to_le_bytes).chain(text);
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash & !PRINTED | USED
}

impl std::fmt::Debug for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Said").field("my_pe", &self.my_pe).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    struct Shared([AtomicU64; 2]);

    impl Words for Shared {
        fn words(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    /// PEs that share two words.
    fn pes<const N: usize>() -> [Said; N] {
        let words: Arc<dyn Words> = Arc::new(Shared(Default::default()));
        std::array::from_fn(|pe| {
            let said = Said::new(pe as u32, None);
            said.share(words.clone());
            said
        })
    }

    /// What this PE prints if it waits for others until the deadline.
    fn printed(pe: &Said, text: &str, deadline: Instant) -> String {
        let lines = Mutex::new(String::new());
        pe.say_by(text, deadline, |line| {
            lines.lock().unwrap().push_str(line);
            true
        });
        lines.into_inner().unwrap()
    }

    #[test]
    fn the_first_pe_speaks_for_all() {
        let [first, second] = pes();
        let far = Instant::now() + Duration::from_secs(1000);
        assert_eq!(printed(&second, "argument pe: -1", far), "cushmem: PE 1: argument pe: -1\n");
        assert_eq!(printed(&first, "argument pe: -1", far), "");
        assert_eq!(printed(&first, "argument dest: 0x7f00aa12 is private", far).lines().count(), 1);
        assert_eq!(printed(&second, "argument dest: 0x60bb is private", far), "", "the address is another process's");
    }

    /// Catches lines that look alike, and a table that is full.
    #[test]
    fn other_lines_are_printed() {
        let [first, second] = pes();
        let now = Instant::now();
        for text in ["argument pe: 4", "argument pe: 5", "argument pe: 6", "argument pe: 7", "0x1 and 2", "0x1 and 3"] {
            assert_eq!(printed(&first, text, now), format!("cushmem: PE 0: {text}\n"));
        }
        assert_eq!(printed(&second, "argument pe: 7", now), "cushmem: PE 1: argument pe: 7\n", "no word was left");
        let alone = Said::new(0, None);
        assert_eq!(printed(&alone, "argument pe: 4", now).lines().count(), 1, "it has no words yet");
    }

    /// Catches a line that is lost with the PE that was to print it, because that PE was killed or stopped.
    #[test]
    fn a_line_that_another_pe_does_not_print_is_printed_here() {
        let [first, second] = pes();
        let text = "argument pe: -1";
        let words = first.words.get().unwrap();
        assert_eq!(place(words.words(), key(text, first.stream().unwrap())), Place::Own(0));
        assert_eq!(printed(&second, text, Instant::now()), "cushmem: PE 1: argument pe: -1\n");
    }

    /// Catches a line that nobody prints because the PE that was to print it has a stderr that cannot be written.
    #[test]
    fn a_line_that_cannot_be_written_is_printed_by_another_pe() {
        let [first, second] = pes();
        let text = "argument pe: -3";
        assert!(!first.say_by(text, Instant::now(), |_| false));
        assert_eq!(printed(&second, text, Instant::now()), "cushmem: PE 1: argument pe: -3\n");
    }

    /// Catches a thread that has a line to add and waits for one that prints into a pipe which nobody reads.
    #[test]
    fn the_lock_is_free_while_lines_are_printed() {
        let [first] = pes();
        let words = first.words.get().unwrap().clone();
        let list = Mutex::new(vec![(0, Pending { words, index: 0, line: "line".into() })]);
        let lines = AtomicU64::new(0);
        print_all(&list, |_| {
            assert!(list.try_lock().is_ok_and(|list| list.is_empty()));
            // Relaxed: one thread.
            lines.fetch_add(1, Ordering::Relaxed);
            true
        });
        assert_eq!(lines.into_inner(), 1);
    }

    /// Catches a PE that does not wait, and the line of a process that ends while it waits.
    #[test]
    fn a_line_is_pending_until_the_other_pe_has_printed_it() {
        let [first, second, third] = pes();
        let begun_at = Instant::now();
        let far = begun_at + Duration::from_secs(1000);
        let text = "argument pe: -2";
        let (begun, goes_on) = (Barrier::new(2), Barrier::new(2));
        let is_pending = |pe: u32| {
            let start = format!("cushmem: PE {pe}: {text}");
            pending().iter().any(|(_, pending)| pending.line.starts_with(&start))
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                first.say_by(text, far, |_| {
                    begun.wait();
                    goes_on.wait();
                    true
                });
            });
            begun.wait();
            let [second, third] = [second, third].map(|pe| scope.spawn(move || printed(&pe, text, far)));
            while !(is_pending(1) && is_pending(2)) {
                assert!(begun_at.elapsed() < Duration::from_secs(60), "the other PEs do not wait");
                std::thread::yield_now();
            }
            // As `print_pending` does, for one of them.
            let at = pending().iter().position(|(_, pending)| pending.line.starts_with("cushmem: PE 2")).unwrap();
            let taken = pending().swap_remove(at).1;
            let lines = Mutex::new(String::new());
            taken.print(|line| {
                lines.lock().unwrap().push_str(line);
                true
            });
            assert_eq!(lines.into_inner().unwrap(), "cushmem: PE 2: argument pe: -2\n");
            goes_on.wait();
            assert_eq!(second.join().unwrap(), "", "the first PE has printed it");
            assert_eq!(third.join().unwrap(), "", "it was printed in its place");
        });
    }

    /// Catches a file that lacks the line because another file has it.
    #[test]
    fn each_place_gets_the_line() {
        assert_ne!(key("argument pe: -1", [1, 2]), key("argument pe: -1", [1, 3]));
        // The pipe that the launcher has made leads to it, but one to a `tee` does not.
        let (own, other) =
            (name_of_pipe(std::io::stderr()).unwrap(), name_of_pipe(std::io::pipe().unwrap().1).unwrap());
        assert_eq!(Said::new(0, Some(own)).stream(), Some([0; 2]));
        let elsewhere = [Some(other), None].map(|pipe| Said::new(0, pipe).stream().unwrap());
        assert!(elsewhere[0] == elsewhere[1] && elsewhere[0] != [0; 2], "{elsewhere:?}");
    }
}
