//! Measures the provider `verbs` alone: `cargo run --release --example verbs -- [DEVICE]`. Two sides in this process
//! use the first device, or the one that is named. Only the first side works: a target takes no part.

use cushmem_net::{Fabric, Local, Operation, Post, Tag, Verbs, VerbsSettings, WordOp, Work};
use std::time::Instant;

const LONG: usize = 1 << 20;
const REGION: u32 = 0;
/// How many puts of a row are under way at a time.
const UNDER_WAY: u64 = 16;

struct Side {
    provider: Verbs,
    ticket: u64,
    over: u64,
}

impl Side {
    /// Posts; waits until it is taken.
    fn post(&mut self, operation: Operation) {
        self.ticket += 1;
        let tag = Tag { lane: 0, ticket: self.ticket };
        let work = Work { peer: 1, region: REGION, at: 0, operation, delivery_complete: false };
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
        let mut all: Vec<f64> = (0..1000).map(|_| self.once(operations)).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
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

fn main() {
    let device = std::env::args().nth(1).unwrap_or_default();
    let settings = VerbsSettings {
        library: VerbsSettings::LIBRARY.to_owned(),
        device,
        address: "127.0.0.1".to_owned(),
        gpu: None,
    };
    let mut sides = [(); 2].map(|()| Verbs::open(&settings).unwrap_or_else(|why| panic!("{why}")));
    let names = [0, 1].map(|side: usize| sides[side].name());
    sides.iter_mut().for_each(|side| side.peers(&names).expect("names"));
    let memory: [Box<[u64]>; 2] = [(); 2].map(|()| vec![0; LONG / 8].into());
    let [address, there] = [0, 1].map(|side: usize| memory[side].as_ptr().expose_provenance());
    let [mut provider, mut target] = sides;
    let local = |address| Local { at: 0, address, bytes: LONG, file: None };
    // SAFETY: the memory outlives both sides, and nothing else uses it.
    let card = unsafe { target.register(REGION, 0, local(there)) }.expect("register");
    // SAFETY: the memory of this side outlives it too, and only the operations below use it.
    unsafe { provider.register(REGION, 0, local(address)) }.expect("register");
    provider.learn(1, REGION, 0, &card).expect("learn");
    let mut side = Side { provider, ticket: 0, over: 0 };
    let put = Operation::Inline { from: address, bytes: 8, ordered: false };
    let get = Operation::Get { to: address, bytes: 8 };
    let amo = |op| Operation::Amo { op, width: 8, operand: 1, condition: 0, to: address };
    side.once(&[put]);
    let rows = [
        ("8-byte put, complete", side.time(&[put])),
        ("8-byte put, delivered", side.time(&[put, get])),
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
