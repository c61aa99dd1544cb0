//! Measures the provider `verbs` alone: `cargo run --release --example verbs -- [DEVICE]`. Two sides in this process
//! use the first device, or the one that is named. Except in the first row, only the first side works: a target takes
//! no part.

use cushmem_net::{Fabric, Local, Operation, Post, Tag, Verbs, VerbsSettings, WordOp, Work};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LONG: usize = 1 << 20;
const REGION: u32 = 0;
/// How many puts of a row are under way at a time.
const UNDER_WAY: u64 = 16;
/// How often to look at a word between two yields.
const LOOKS: u32 = 16;
/// How often an operation is measured.
const TIMES: usize = 1000;
const LIMIT: Duration = Duration::from_secs(30);

struct Side {
    provider: Verbs,
    /// The other side.
    peer: u32,
    ticket: u64,
    over: u64,
}

impl Side {
    /// Posts; waits until it is taken.
    fn post(&mut self, operation: Operation) {
        self.ticket += 1;
        let tag = Tag { lane: 0, ticket: self.ticket };
        let work = Work { peer: self.peer, region: REGION, at: 0, operation, delivery_complete: false };
        // SAFETY: the memory of this program outlives its operations.
        while unsafe { self.provider.post(&work, tag) } == Post::Later {
            self.poll();
        }
    }

    fn poll(&mut self) {
        let over = &mut self.over;
        self.provider.poll(&mut |_, outcome| {
            outcome.unwrap_or_else(|failure| panic!("{failure}"));
            *over += 1;
        });
    }

    /// Waits until at most so many operations are under way.
    fn wait(&mut self, under_way: u64) {
        while self.ticket - self.over > under_way {
            self.poll();
        }
    }

    /// The median time of some operations one after the other, in microseconds.
    fn time(&mut self, operations: &[Operation]) -> f64 {
        median((0..TIMES).map(|_| self.once(operations)).collect())
    }

    /// The median time, in microseconds, until a side has the answer to a put of 8 bytes, which the other side sends
    /// when it sees the put. The first word of `memory` is the one that the other side writes.
    fn exchange(&mut self, memory: &[AtomicU64], begins: bool) -> f64 {
        let put = inline(&memory[1]);
        let see = |round| {
            let start = Instant::now();
            // Relaxed: nothing but the word itself is read. Soft-RoCE may need the core.
            while (0..LOOKS).all(|_| memory[0].load(Ordering::Relaxed) != round) {
                assert!(start.elapsed() < LIMIT, "the other side's word is not here within {LIMIT:?}");
                std::thread::yield_now();
            }
        };
        let round = |round| {
            let start = Instant::now();
            if !begins {
                see(round);
            }
            // Relaxed: this thread posts the word itself.
            memory[1].store(round, Ordering::Relaxed);
            self.once(&[put]);
            if begins {
                see(round);
            }
            start.elapsed().as_secs_f64() * 1e6
        };
        median((1..=TIMES as u64).map(round).collect())
    }

    fn once(&mut self, operations: &[Operation]) -> f64 {
        let start = Instant::now();
        operations.iter().for_each(|operation| self.post(*operation));
        self.wait(0);
        start.elapsed().as_secs_f64() * 1e6
    }

    /// Megabytes of 2^20 bytes a second, as perftest counts them.
    fn rate(&mut self, bytes: usize, from: usize, count: u64) -> f64 {
        let start = Instant::now();
        for _ in 0..count {
            self.post(Operation::Put { from, bytes, ordered: false });
            self.wait(UNDER_WAY);
        }
        self.wait(0);
        (bytes as u64 * count) as f64 / start.elapsed().as_secs_f64() / f64::from(1 << 20)
    }
}

fn inline(word: &AtomicU64) -> Operation {
    Operation::Inline { from: word.as_ptr().expose_provenance(), bytes: 8, ordered: false }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let device = std::env::args().nth(1).unwrap_or_default();
    let settings = VerbsSettings {
        library: VerbsSettings::LIBRARY.to_owned(),
        device,
        address: "127.0.0.1".to_owned(),
        gpu: None,
    };
    let mut providers = [(); 2].map(|()| Verbs::open(&settings).unwrap_or_else(|why| panic!("{why}")));
    let names = [0, 1].map(|side: usize| providers[side].name());
    let memory: [Box<[AtomicU64]>; 2] = [(); 2].map(|()| (0..LONG / 8).map(|_| AtomicU64::new(0)).collect());
    let mut cards = vec![];
    for (provider, memory) in providers.iter_mut().zip(&memory) {
        provider.peers(&names).expect("names");
        let local = Local { at: 0, address: memory[0].as_ptr().expose_provenance(), bytes: LONG, file: None };
        // SAFETY: the memory outlives both sides, and only the operations below use it.
        cards.push(unsafe { provider.register(REGION, 0, local) }.expect("register"));
    }
    let mut peer = 2;
    let [mut side, mut target] = providers.map(|mut provider| {
        peer -= 1;
        provider.learn(peer, REGION, 0, &cards[peer as usize]).expect("learn");
        Side { provider, peer, ticket: 0, over: 0 }
    });
    let put = inline(&memory[0][1]);
    // Connects both.
    side.once(&[put]);
    target.once(&[inline(&memory[1][1])]);
    let both = std::thread::scope(|scope| {
        scope.spawn(|| target.exchange(&memory[1], false));
        side.exchange(&memory[0], true)
    });
    let address = memory[0][0].as_ptr().expose_provenance();
    let get = Operation::Get { to: address, bytes: 8 };
    let amo = |op| Operation::Amo { op, width: 8, operand: 1, condition: 0, to: address };
    let rows = [
        ("8-byte put, seen by its target", both / 2.0),
        ("8-byte put, complete", side.time(&[put])),
        ("8-byte put and a get behind it", side.time(&[put, get])),
        ("8-byte get", side.time(&[get])),
        ("fetch-add", side.time(&[amo(WordOp::Add)])),
        ("swap, by compare-and-swap", side.time(&[amo(WordOp::Swap)])),
    ];
    rows.iter().for_each(|(name, time)| println!("verbs: {name}: {time:.2} us"));
    for (bytes, count) in [(1 << 16, 500), (LONG, 50)] {
        println!("verbs: puts of {} KiB: {:.2} MiB/s", bytes >> 10, side.rate(bytes, address, count));
    }
    drop(target);
}
