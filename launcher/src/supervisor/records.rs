//! What the PEs record about themselves for `--stats` and `--trace` ([`cushmem_record`]).
//!
//! The records of all PEs of a machine are one file in memory, which has no name. Each PE inherits it and maps its own
//! part. The supervisor keeps the file open and reads it when all PEs have ended, so a PE that crashes leaves all that
//! it has recorded, and nothing stays behind, whoever dies. On a host of several, it sends the records to the launcher
//! that started the job, which has such a file for the PEs of all hosts.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use cushmem_bootstrap::PeList;
use cushmem_command_line::replace;
use cushmem_environment::TRACE_EVENTS;
use cushmem_record::{Host, Layout, Record, Source, Written};
use flate2::Compression;
use flate2::write::GzEncoder;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::resource::{Resource, getrlimit};

use super::Console;
use crate::args::Args;
use crate::signals;

/// The range of `CUSHMEM_TRACE_EVENTS`.
const EVENTS: std::ops::RangeInclusive<usize> = 1024..=16 << 20;
/// How many bytes of a timeline are packed at a time.
const PACKED_AT_ONCE: usize = 1 << 16;

/// The records of the PEs, and what to do with them.
pub struct Records {
    file: File,
    layout: Layout,
    /// Whether a table is wanted; it goes to a file if there is one.
    has_stats: bool,
    stats: Option<Output>,
    trace: Option<Output>,
}

/// The part of one PE in the file.
struct Part<'a> {
    file: &'a File,
    at: u64,
}

impl Source for Part<'_> {
    fn read(&self, at: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        self.file.read_exact_at(bytes, self.at + at)
    }
}

/// The record of a PE.
pub struct Known {
    /// Its index in the file.
    pub index: u64,
    /// The number of the PE.
    pub pe: u32,
    /// Its host, in a job on several.
    pub host: Option<Host>,
}

impl Records {
    /// Makes the file for so many PEs on this machine, if the command line asks for a table or a timeline.
    pub fn new(args: &Args, here: u32) -> Result<Option<Self>, String> {
        let Some(records) = Self::without_pes(args, here)? else { return Ok(None) };
        let head: Vec<u8> = records.layout.head().iter().flat_map(|word| word.to_le_bytes()).collect();
        for pe in 0..u64::from(here) {
            records.file.write_all_at(&head, records.at(pe)).map_err(cannot)?;
        }
        Ok(Some(records))
    }

    /// The same without anything in it: what has been recorded elsewhere is stored there.
    pub fn without_pes(args: &Args, n: u32) -> Result<Option<Self>, String> {
        let options = &args.options;
        if options.stats.is_none() && options.trace.is_none() {
            return Ok(None);
        }
        // On a host of several, the launcher that started the job has the files.
        let open = |path: &PathBuf| args.part.is_none().then(|| Output::open(path)).transpose();
        let stats = options.stats.iter().flatten().next().map_or(Ok(None), open)?;
        let trace = options.trace.as_ref().map_or(Ok(None), open)?;
        if let (Some(stats), Some(trace)) = (&stats, &trace)
            && stats.is_same(trace)
        {
            return Err(format!("--stats and --trace both name {}", trace.path.display()));
        }
        let slots = if options.trace.is_some() { events()? } else { 0 };
        let layout = Layout::of_job(args.n_pes(), slots);
        let bytes = layout.bytes() as u64 * u64::from(n);
        if let Ok((limit, _)) = getrlimit(Resource::RLIMIT_FSIZE)
            && bytes > limit
        {
            return Err(cannot(format!(
                "it is a file of {bytes} bytes, and the limit of file sizes is {limit} bytes (ulimit -f)"
            )));
        }
        let file: File =
            memfd_create("cushmem-records", MFdFlags::MFD_CLOEXEC).map_err(|error| cannot(error.desc()))?.into();
        file.set_len(bytes).map_err(cannot)?;
        Ok(Some(Self { file, layout, has_stats: options.stats.is_some(), stats, trace }))
    }

    /// The file, for PEs.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// What the PE at this index is told: the number of the file, which one it is, where the PE's part is, and how many
    /// cells for peers and slots for events it has.
    pub fn told(&self, index: u32) -> String {
        let Layout { cells, slots } = self.layout;
        // A process that cannot be told which file it is does not take it.
        let inode = self.file.metadata().map_or(0, |found| found.ino());
        let file = self.file.as_raw_fd();
        format!("{file}:{inode}:{}:{cells}:{slots}", self.at(index.into()))
    }

    /// Where the record at this index begins.
    fn at(&self, index: u64) -> u64 {
        index * self.layout.bytes() as u64
    }

    /// Whether counts are wanted while the job runs.
    pub fn has_stats(&self) -> bool {
        self.has_stats
    }

    /// Whether a piece of a record that begins at this byte lies in it.
    pub fn has(&self, at: u64, bytes: usize) -> bool {
        at.checked_add(bytes as u64).is_some_and(|end| end <= self.layout.bytes() as u64)
    }

    /// Keeps a piece of the record at this index, which another launcher has sent.
    pub fn store(&self, index: u32, at: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.file.write_all_at(bytes, self.at(index.into()) + at)
    }

    /// The bytes of the record at this index that have something in them: those of the counters, and those of the
    /// events with the names of kernels; none if it is no record.
    pub fn used(&self, index: u32) -> [Range<usize>; 2] {
        let of = |record: Record| [record.used_by_counters(), record.used_by_events()];
        self.part(index.into()).map_or([0..0, 0..0], of)
    }

    /// A piece of the record at this index.
    pub fn piece(&self, index: u32, at: usize, bytes: usize) -> std::io::Result<Vec<u8>> {
        let mut piece = vec![0; bytes];
        self.file.read_exact_at(&mut piece, self.at(index.into()) + at as u64).map(|()| piece)
    }

    /// The table of a job that is running, with these PEs, if it was asked for. Like the one at the end, it says what
    /// it leaves out: those of which there is no record, and what the `older` ones, whose counts have not come in time,
    /// have counted since an earlier look.
    pub fn so_far(&self, pes: impl Iterator<Item = u32>, older: &BTreeSet<u32>) -> Option<String> {
        if !self.has_stats {
            return None;
        }
        let (mut records, mut missing) = (vec![], vec![]);
        for (index, pe) in (0u64..).zip(pes) {
            match self.part(index) {
                Some(record) => records.push((pe, record)),
                None => missing.push(pe),
            }
        }
        let mut text = cushmem_record::table(&records, false);
        let older: Vec<u32> = older.iter().copied().filter(|pe| missing.binary_search(pe).is_err()).collect();
        for (pes, when) in [(missing, ""), (older, " since an earlier look")] {
            if !pes.is_empty() {
                text += &format!("\nwhat {} counted{when} is left out\n", PeList(&pes));
            }
        }
        Some(text)
    }

    /// The record of the PE at this index, if it is one.
    fn part(&self, index: u64) -> Option<Record<'_>> {
        let record = Record::new(Part { file: &self.file, at: self.at(index) })?;
        // The PE may have written anything.
        (record.layout() == self.layout).then_some(record)
    }

    /// Prints or writes what these PEs have recorded, all of which have ended. Returns the exit status if that failed.
    pub fn print(&self, known: Vec<Known>, console: &mut Console) -> Option<u8> {
        let mut stopped = None;
        // Nobody else hears signals while the file is written.
        let mut go_on = || {
            let mut arrived = console.hear_front().0.into_iter().chain(signals::arrived(&console.signals));
            stopped = stopped.or(arrived.rfind(|signal| signals::ENDING.contains(signal)));
            stopped.is_none()
        };
        let is_written = self.conclude(known, console, &mut go_on);
        console.was_signalled |= stopped.is_some();
        let by_signal = stopped.map(|signal| (128 + signal as i32).to_le_bytes()[0]);
        by_signal.or((!is_written).then_some(crate::STATUS_LAUNCHER))
    }

    /// Where none of the PEs has joined the job, nothing is written, so that what an earlier job has left stays. Asks
    /// whether to `go_on` while the timeline is made, which may take long and so comes last. Returns whether all files
    /// could be written.
    fn conclude(&self, known: Vec<Known>, console: &Console, go_on: &mut dyn FnMut() -> bool) -> bool {
        let mut records = vec![];
        for Known { index, pe, host } in known {
            match self.part(index) {
                Some(record) => records.push((pe, host.into_iter().fold(record, Record::on_host))),
                None => console.say(&format!("PE {pe} has overwritten what it recorded")),
            }
        }
        if records.iter().all(|(_, record)| record.process().is_none()) {
            console.say("no PE has joined the job, so nothing was recorded");
            return true;
        }
        records.sort_by_key(|(pe, _)| *pe);
        let failed = |option: &str, output: &Output, error: &std::io::Error| {
            console.say(&format!("{option}: {}: {error}", output.path.display()));
            false
        };
        let mut is_written = true;
        match &self.stats {
            Some(output) => {
                let json = cushmem_record::json(&records);
                if let Err(error) = output.write(|file| file.write_all(json.as_bytes())) {
                    is_written = failed("--stats", output, &error);
                }
            }
            None if self.has_stats => console.stderr.put(cushmem_record::table(&records, true).as_bytes()),
            None => {}
        }
        if let Some(output) = &self.trace {
            let aligned = cushmem_record::align(&mut records, go_on);
            match aligned.and_then(|()| write_timeline(output, &records, go_on)) {
                Ok(written) => console.say(&said(&output.path, written)),
                Err(error) => is_written = failed("--trace", output, &error),
            }
        }
        is_written
    }
}

fn said(path: &Path, of: Written) -> String {
    let (Written { written, dropped, is_whole, apart, .. }, path) = (of, path.display());
    if !is_whole {
        return format!("the first {written} events in {path}: a signal stopped the writing of the others");
    }
    let dropped = match dropped {
        0 => String::new(),
        _ => format!("; {dropped} earlier ones were dropped ({} keeps more)", TRACE_EVENTS.name),
    };
    let apart = apart.map_or_else(String::new, |ns| {
        let tenths = ns.div_ceil(100);
        format!("; times of different hosts compare within {}.{} us", tenths / 10, tenths % 10)
    });
    format!("{written} events in {path}, for ui.perfetto.dev or chrome://tracing{dropped}{apart}")
}

fn cannot(error: impl Display) -> String {
    format!("make memory for what PEs record: {error}")
}

/// Writes the timeline, compressed if the name ends with `.gz`.
fn write_timeline(
    output: &Output,
    records: &[(u32, Record)],
    go_on: &mut dyn FnMut() -> bool,
) -> std::io::Result<Written> {
    output.write(|mut file| {
        if output.path.extension().is_none_or(|extension| extension != "gz") {
            return cushmem_record::timeline(records, &mut file, go_on);
        }
        // Packing a few bytes at a time takes several times as long.
        let mut packed = BufWriter::with_capacity(PACKED_AT_ONCE, GzEncoder::new(file, Compression::fast()));
        let done = cushmem_record::timeline(records, &mut packed, go_on)?;
        packed.into_inner()?.finish()?;
        Ok(done)
    })
}

/// A file for the result. It is opened before the job starts, which should not find out at its end that it cannot be
/// written. Until then it keeps what it had, and goes away again if it is new.
struct Output {
    path: PathBuf,
    file: File,
    is_new: bool,
    is_written: Cell<bool>,
}

impl Output {
    fn open(path: &Path) -> Result<Self, String> {
        let cannot = |why: &dyn Display| format!("{}: {why}", path.display());
        let is_new = path.symlink_metadata().is_err();
        // To open one would wait for its reader.
        if path.metadata().is_ok_and(|found| found.file_type().is_fifo()) {
            return Err(cannot(&"it is a pipe, not a file"));
        }
        let file =
            File::options().write(true).create(true).truncate(false).open(path).map_err(|error| cannot(&error))?;
        Ok(Self { path: path.to_owned(), file, is_new, is_written: Cell::new(false) })
    }

    /// Whether both are the same file on a disk.
    fn is_same(&self, other: &Self) -> bool {
        let found = [self, other].map(|one| one.file.metadata().ok().filter(Metadata::is_file));
        matches!(found, [Some(one), Some(other)] if (one.dev(), one.ino()) == (other.dev(), other.ino()))
    }

    /// Replaces the contents, or leaves them.
    fn write<T>(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<T>) -> std::io::Result<T> {
        let done = replace(&self.path, write)?;
        self.is_written.set(true);
        Ok(done)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.is_new && !self.is_written.get() {
            // If it is no longer there, somebody else has removed it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// `CUSHMEM_TRACE_EVENTS`.
fn events() -> Result<usize, String> {
    let default = TRACE_EVENTS.default_value().expect("it has a default");
    let given = std::env::var_os(TRACE_EVENTS.name).filter(|value| !value.is_empty());
    let text = given.map_or_else(|| default.into(), |value| value.to_string_lossy().into_owned());
    let number = text.trim().parse().ok().filter(|number| EVENTS.contains(number));
    number.ok_or_else(|| {
        let (name, text) = (TRACE_EVENTS.name, text.escape_debug());
        format!("{name}: '{text}' is not a number of events from {} to {}", EVENTS.start(), EVENTS.end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_record::{Cause, Operation, Recorder, Subject, Transfer, Way};
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Words<'a>(&'a [AtomicU64]);

    impl Source for Words<'_> {
        fn read(&self, at: u64, bytes: &mut [u8]) -> std::io::Result<()> {
            let words = &self.0[at as usize / 8..][..bytes.len() / 8];
            bytes.chunks_exact_mut(8).zip(words).for_each(|(to, word)| {
                to.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
            });
            Ok(())
        }
    }

    /// Catches a timeline that is too large to keep: a million events of all kinds take at most 30 MB. The network's,
    /// with a beginning, an end and two curves each, take the most.
    #[test]
    fn a_million_events_take_at_most_thirty_megabytes() {
        const EVENTS: u64 = 1_000_000;
        let layout = Layout::of_job(64, 1 << 20);
        let words: Vec<AtomicU64> = (0..layout.words()).map(|_| AtomicU64::new(0)).collect();
        let recorder = Recorder::new(&words, layout).expect("it has room");
        recorder.begin(77, 1);
        let (main, proxy) = (recorder.track("main"), recorder.track("cushmem-proxy"));
        let (mut random, mut now) = (1u64, 1_000u64);
        for number in 0..EVENTS {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let [took, pe, bytes] = [random >> 50, random >> 40 & 63, 8 << (random >> 36 & 15)];
            let (at, word) = ((now, now + took), Subject::Word(1, (random >> 20 & 0xffff) * 8));
            now += took + (random >> 30 & 0xff);
            let on = (Some(pe as u32), Some(word));
            match number % 8 {
                0 | 1 => recorder.operation((Operation::Put, Way::Nic), bytes, (on.0, None), at, main),
                2 => recorder.operation((Operation::PutSignal, Way::Mapped), bytes, on, at, main),
                3 => recorder.wait(Cause::Word, Some((word, 0)), at, main),
                4 => recorder.operation((Operation::CommandWord, Way::Proxy), 8, on, at, proxy),
                5 => recorder.operation((Operation::Barrier, Way::None), 0, (None, None), at, main),
                _ => recorder.network(Transfer::Put, bytes, pe as u32, at),
            }
        }
        recorder.end(now);
        let records = [(0, Record::new(Words(&words)).expect("it is a record"))];
        let folder = cushmem_scratch::Folder::new("million").expect("a folder");
        let path = folder.join("trace.json.gz");
        let output = Output::open(&path).expect("the file can be written");
        let written = write_timeline(&output, &records, &mut || true).expect("there is room");
        assert_eq!((written.written, written.dropped, written.is_whole), (EVENTS, 0, true));
        let bytes = std::fs::metadata(&path).expect("it is there").len();
        // Fewer would be another file than the one that was meant.
        assert!((5_000_000..=30_000_000).contains(&bytes), "{bytes} bytes");
    }

    /// Catches a table of a running job that does not say whose counts it lacks, as the one at the end does.
    #[test]
    fn a_table_so_far_names_the_pes_that_it_leaves_out() {
        let layout = Layout::of_job(3, 0);
        let file: File = memfd_create("records", MFdFlags::MFD_CLOEXEC).expect("a file").into();
        file.set_len(3 * layout.bytes() as u64).expect("there is room");
        let records = Records { file, layout, has_stats: true, stats: None, trace: None };
        let head: Vec<u8> = layout.head().iter().flat_map(|word| word.to_le_bytes()).collect();
        let so_far = |older: &[u32]| records.so_far(0..3, &older.iter().copied().collect()).expect("it is wanted");
        let left_out = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.ends_with(" is left out")).map(str::to_owned).collect()
        };
        records.store(0, 0, &head).expect("there is room");
        records.store(2, 0, &head).expect("there is room");
        assert!(so_far(&[]).starts_with("operations of 2 PEs, summed"), "{}", so_far(&[]));
        assert_eq!(left_out(&so_far(&[])), ["what PE 1 counted is left out"]);
        let older = "what PE 2 counted since an earlier look is left out";
        assert_eq!(left_out(&so_far(&[1, 2])), ["what PE 1 counted is left out", older]);
        records.store(1, 0, &head).expect("there is room");
        assert_eq!(left_out(&so_far(&[])), [""; 0]);
    }

    /// Catches a bound that is smaller than the error.
    #[test]
    fn what_is_said_of_clocks_is_no_less_than_their_error() {
        for (ns, said) in [(0, "0.0"), (1, "0.1"), (100, "0.1"), (199, "0.2"), (951, "1.0"), (123_456_701, "123456.8")]
        {
            let of = Written { written: 7, dropped: 0, flows: 0, is_whole: true, apart: Some(ns) };
            let line = format!(
                "7 events in t.json, for ui.perfetto.dev or chrome://tracing; times of different hosts compare within \
                 {said} us"
            );
            assert_eq!(super::said(Path::new("t.json"), of), line, "{ns}");
        }
    }
}
