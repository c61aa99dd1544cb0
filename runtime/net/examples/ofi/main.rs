//! Measures libfabric between two processes of this machine: `ofi raw` calls its functions directly, with nothing above
//! them, and `ofi nic` goes through a lane of a NIC. Prints JSON lines, as `cargo xtask perf net` wants them. The other
//! process is this program again. It polls, and returns a flag as soon as it sees one. `ofi found` only says whether
//! libfabric is here. `CUSHMEM_LIBFABRIC` and `CUSHMEM_NET=ofi:PROVIDER` name another library and provider.

#[allow(dead_code, reason = "some functions are for the library alone")]
#[path = "../../src/column.rs"]
mod column;
#[allow(dead_code, reason = "some functions are for the library alone")]
#[path = "../../src/far.rs"]
mod far;
#[path = "../../src/linked.rs"]
mod linked;
#[path = "../../src/locked.rs"]
mod locked;
mod nic;
#[allow(dead_code, reason = "some functions are for the library alone")]
mod ofi;
#[allow(dead_code, reason = "some functions are for the library alone")]
#[path = "../../src/pieces.rs"]
mod pieces;
mod raw;

use cushmem_net::WordOp;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The address of both processes.
const ADDRESS: &str = "127.0.0.1";
/// The memory of each process begins with words, each in cache lines of its own. The data follows.
const WORD: u64 = 0;
const PING: u64 = 128;
const BARRIER: u64 = 256;
const DATA: u64 = 4096;
const LONG: usize = 1 << 20;
const BYTES: usize = DATA as usize + LONG;
/// Puts under way, for their rate.
const UNDER_WAY: usize = 64;
const MANY: usize = 4 * UNDER_WAY;
/// Barriers that are timed together, because two processes may take turns to wait.
const BARRIERS: usize = 20;
const LIMIT: Duration = Duration::from_secs(60);

/// The provider.
fn provider() -> String {
    let named = std::env::var("CUSHMEM_NET").ok();
    named.and_then(|net| net.strip_prefix("ofi:").map(str::to_owned)).unwrap_or_else(|| "tcp;ofi_rxm".to_owned())
}

/// The file of libfabric.
fn library() -> String {
    std::env::var("CUSHMEM_LIBFABRIC").unwrap_or_else(|_| cushmem_net::OfiSettings::LIBRARY.to_owned())
}

/// A process's side of the network. Each method returns when its operation is complete and has arrived, but for flags.
trait Side {
    /// How its rows are called.
    const BY: &'static str;
    fn put(&mut self, value: u64);
    fn get(&mut self) -> u64;
    fn fetch_add(&mut self) -> u64;
    fn put_long(&mut self);
    fn get_long(&mut self);
    /// Puts a word many times, with [`UNDER_WAY`] of them incomplete at a time.
    fn put_many(&mut self, puts: usize);
    /// Puts a flag of one word, whose arrival is not reported.
    fn flag(&mut self, at: u64, value: u64);
    /// Lets the network work.
    fn poll(&mut self);
}

/// The other process, killed at the end.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The pipes to the other process.
struct Pipes(Box<dyn BufRead>, Box<dyn Write>);

impl Pipes {
    /// Gives the other process some bytes, and returns those that it gives.
    fn exchange(&mut self, mine: &[u8]) -> Vec<u8> {
        let text: String = mine.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(self.1, "{text}").and_then(|()| self.1.flush()).expect("write to the other process");
        let mut line = String::new();
        self.0.read_line(&mut line).expect("read from the other process");
        let digits = line.trim_end().as_bytes().chunks(2);
        let text = |pair| std::str::from_utf8(pair).expect("text of the other process");
        digits.map(|pair| u8::from_str_radix(text(pair), 16).expect("digits of the other process")).collect()
    }
}

/// Memory that the other process writes.
#[derive(Clone, Copy)]
struct Memory(&'static [AtomicU64]);

impl Memory {
    fn new() -> Self {
        Self((0..BYTES / 8).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak())
    }

    fn address(self) -> usize {
        self.0.as_ptr().expose_provenance()
    }

    fn word(self, at: u64) -> &'static AtomicU64 {
        &self.0[at as usize / 8]
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["raw"] => first(raw::Raw::new),
        ["nic"] => first(nic::OfNic::new),
        ["found"] => match raw::find() {
            Ok(()) => {}
            Err(why) => {
                eprintln!("{why}");
                std::process::exit(1)
            }
        },
        ["raw", "target"] => second(raw::Raw::new),
        ["nic", "target"] => second(nic::OfNic::new),
        _ => {
            eprintln!("usage: ofi found|raw|nic");
            std::process::exit(2)
        }
    }
}

/// Serves the other process until it ends.
fn second<S: Side>(new: impl FnOnce(Memory, usize, &mut Pipes) -> S) {
    let memory = Memory::new();
    let mut side = new(memory, 1, &mut Pipes(Box::new(BufReader::new(stdin())), Box::new(stdout())));
    std::thread::spawn(|| {
        // Returns at the end of the other process.
        let _ = stdin().read_line(&mut String::new());
        std::process::exit(0)
    });
    let (ping, barrier) = (memory.word(PING), memory.word(BARRIER));
    let mut seen = (ping.load(Ordering::Relaxed), barrier.load(Ordering::Relaxed));
    loop {
        side.poll();
        let now = (ping.load(Ordering::Acquire), barrier.load(Ordering::Acquire));
        if now.0 != seen.0 {
            side.flag(PING, now.0);
        }
        if now.1 != seen.1 {
            side.flag(BARRIER, now.1 + 1);
        }
        seen = now;
    }
}

/// Measures.
fn first<S: Side>(new: impl FnOnce(Memory, usize, &mut Pipes) -> S) {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(std::env::args().skip(1)).arg("target").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut other = Other(command.spawn().expect("start the other process"));
    let (input, output) = (other.0.stdout.take().expect("its output"), other.0.stdin.take().expect("its input"));
    let mut pipes = Pipes(Box::new(BufReader::new(input)), Box::new(output));
    let memory = Memory::new();
    let mut side = new(memory, 0, &mut pipes);

    let us = |ns: f64| ns / 1e3;
    let gb_s = |ns: f64| LONG as f64 / ns;
    row::<S>("ofi_put", Some(8), "us", us(fast(3000, || side.put(7))));
    row::<S>("ofi_get", Some(8), "us", us(fast(3000, || assert_eq!(side.get(), 7, "what was put"))));
    let mut before = None;
    let add = fast(3000, || {
        let found = side.fetch_add();
        assert!(before.replace(found).is_none_or(|before| found == before + 1), "each sum once");
    });
    row::<S>("ofi_fetch_add", Some(8), "us", us(add));
    row::<S>("ofi_put_bw", Some(LONG), "GB/s", gb_s(fast(200, || side.put_long())));
    row::<S>("ofi_get_bw", Some(LONG), "GB/s", gb_s(fast(200, || side.get_long())));
    let rate = fast(200, || side.put_many(MANY));
    row::<S>("ofi_put_rate", Some(8), "Mop/s", MANY as f64 * 1e3 / rate);
    let mut value = 0;
    let mut meet = |side: &mut S, at, step| {
        value += 1;
        side.flag(at, value);
        let start = Instant::now();
        while memory.word(at).load(Ordering::Acquire) != value + step {
            side.poll();
            assert!(start.elapsed() < LIMIT, "no answer within {LIMIT:?}");
        }
    };
    row::<S>("ofi_one_way", Some(8), "us", us(fast(3000, || meet(&mut side, PING, 0)) / 2.0));
    // The other process puts its flag for a barrier when it has seen that of the barrier before.
    meet(&mut side, BARRIER, 1);
    let mut number = memory.word(BARRIER).load(Ordering::Acquire);
    let mut barrier = || {
        side.flag(BARRIER, number);
        let start = Instant::now();
        while memory.word(BARRIER).load(Ordering::Acquire) < number {
            side.poll();
            assert!(start.elapsed() < LIMIT, "no flag within {LIMIT:?}");
        }
        number += 1;
    };
    let barriers = fast(200, || (0..BARRIERS).for_each(|_| barrier()));
    row::<S>("ofi_barrier", None, "us", us(barriers / BARRIERS as f64));
    drop(pipes);
    // Before the connections, which it would miss.
    drop(other);
}

/// How long a call takes, in nanoseconds: a tenth of many calls are faster. Where other programs compete for the cores,
/// the others tell more of those.
fn fast(calls: usize, mut call: impl FnMut()) -> f64 {
    let warm_up = calls / 10;
    let mut all = Vec::with_capacity(calls);
    for number in 0..warm_up + calls {
        let start = Instant::now();
        call();
        if number >= warm_up {
            all.push(start.elapsed().as_nanos() as f64);
        }
    }
    all.sort_by(f64::total_cmp);
    all[calls / 10]
}

fn row<S: Side>(metric: &str, bytes: Option<usize>, unit: &str, value: f64) {
    let bytes = bytes.map_or(String::new(), |bytes| format!(r#""bytes":{bytes},"#));
    println!(
        r#"{{"impl":"{}","backend":"none","pes":2,"metric":"{metric}",{bytes}"net":"{}","value":{value:.5},"unit":"{unit}"}}"#,
        S::BY,
        provider()
    );
}
