// Long because the tests share the sides of a network, whose parts nobody else needs.
//! What every provider does. Each test runs once for each provider of [`each`], between two or three of its sides.

use super::*;
use crate::ofi::MOST_POSTED;
use crate::verbs::mock::Machine;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// The bytes of memory that each side lets its peers use.
const BYTES: usize = 1 << 20;

/// One side of a network, and memory that the others may use.
struct Side {
    provider: Provider,
    memory: Peer,
    /// What was reported and not looked at.
    over: HashMap<Tag, Result<(), Failure>>,
    ticket: u64,
}

/// The sides of a network, numbered from 0.
struct Net(Vec<Side>);

/// The settings of the providers that this machine has. Of libfabric's, `tcp` is for TCP between machines; `shm` uses
/// addresses where `tcp` uses offsets, and its targets poll; `keys` is `tcp` with a registration for each local end.
fn each() -> Vec<&'static str> {
    let mut all =
        vec!["verbs", "tcp", "efa", "verbs:7", "efa:7", MOCK, MOCK_ON_DEMAND, MOCKS, LOOPBACKS, LOOPBACKS_LATE];
    if has_libfabric("providers") {
        all.extend(providers_of_libfabric());
    }
    all.extend(has_device("providers").then_some(DEVICE));
    all
}

/// Two NICs as one, of which both have a part of everything that is longer than a word or two.
fn rails<F: Fabric>(open: impl Fn() -> F) -> Rails<F> {
    let mut rails = Rails::new(vec![open(), open()]);
    rails.striped = 20;
    rails
}

pub(super) fn open(settings: &str, number: u32) -> Provider {
    let opened = match settings {
        DEVICE => return Provider::Verbs(Rails::new(vec![Verbs::open(&device()).expect("open the device")])),
        MOCK => return Provider::Verbs(Rails::new(vec![Verbs::open(&mock()).expect("open the device of tests")])),
        MOCK_ON_DEMAND => {
            Machine::of_thread().lock().pages_on_demand = true;
            return open(MOCK, number);
        }
        MOCKS => return Provider::Verbs(rails(|| Verbs::open(&mock()).expect("open the device of tests"))),
        LOOPBACKS | LOOPBACKS_LATE => {
            let of_one = settings.strip_prefix("2*").expect("it starts so");
            return Provider::Rails(rails(|| Loopback::new(of_one.parse().expect("settings"), number)));
        }
        "ofi:keys" => Ofi::open_with_local_keys(&ofi("tcp", true)),
        _ => match settings.strip_prefix("ofi:") {
            Some(provider) => Ofi::open(&ofi(provider, true)),
            None => return Provider::Loopback(Loopback::new(settings.parse().expect("settings"), number)),
        },
    };
    Provider::Ofi(opened.expect("open libfabric"))
}

impl Net {
    fn new(settings: &str, sides: u32) -> Self {
        let side = |number| Side {
            provider: open(settings, number),
            memory: Peer::new("cushmem-test", BYTES),
            over: HashMap::new(),
            ticket: 0,
        };
        let mut net = Self((0..sides).map(side).collect());
        let names: Vec<_> = net.0.iter().map(|side| side.provider.name()).collect();
        let mut cards = Vec::new();
        for Side { provider, memory, .. } in &mut net.0 {
            provider.peers(&names).expect("names");
            let file = Some(memory.memory.clone());
            let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: BYTES, file };
            // SAFETY: the view is mapped until the process ends.
            cards.push(unsafe { provider.register(REGION, 0, local) }.expect("register"));
        }
        for side in &mut net.0 {
            for (peer, card) in (0..).zip(&cards) {
                side.provider.learn(peer, REGION, 0, card).expect("learn");
            }
        }
        net
    }

    /// Lets every side work once.
    fn poll(&mut self) {
        for side in &mut self.0 {
            let over = &mut side.over;
            side.provider.poll(&mut |tag, outcome| {
                assert!(over.insert(tag, outcome).is_none(), "{tag:?} was reported twice");
            });
        }
    }

    /// Posts from a side until the provider takes it.
    fn post(&mut self, from: usize, lane: u32, work: Work) -> Result<Tag, String> {
        let side = &mut self.0[from];
        side.ticket += 1;
        let tag = Tag { lane, ticket: side.ticket };
        let start = Instant::now();
        loop {
            // SAFETY: the buffers of tests outlive their operations.
            match unsafe { self.0[from].provider.post(&work, tag) } {
                Post::Taken => return Ok(tag),
                Post::Refused(why) => return Err(why),
                Post::Later => self.poll(),
            }
            assert!(start.elapsed() < LIMIT, "{work:?} does not start within {LIMIT:?}");
        }
    }

    fn wait(&mut self, from: usize, tag: Tag) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            if let Some(outcome) = self.0[from].over.remove(&tag) {
                return outcome;
            }
            assert!(start.elapsed() < LIMIT, "{tag:?} is not over within {LIMIT:?}");
            self.poll();
        }
    }

    fn run(&mut self, from: usize, work: Work) {
        let tag = self.post(from, 0, work).expect("it is possible");
        assert_eq!(self.wait(from, tag), Ok(()));
    }

    /// Waits until a word of a side has a value.
    fn arrives(&mut self, side: usize, at: usize, value: u64) {
        self.until(&value.to_string(), |net| net.0[side].memory.load(at) == value);
    }

    fn until(&mut self, what: &str, has_arrived: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !has_arrived(self) {
            assert!(start.elapsed() < LIMIT, "{what} does not arrive within {LIMIT:?}");
            self.poll();
        }
    }
}

impl Side {
    /// Lets the other sides use more memory, as a piece of the region that starts there.
    fn register(&mut self, piece: u32, at: usize, memory: &Peer) -> Vec<u8> {
        let (address, bytes) = (memory.view.expose_provenance(), memory.memory.bytes as usize);
        let local = Local { at: at as u64, address, bytes, file: Some(memory.memory.clone()) };
        // SAFETY: the view is mapped until the process ends.
        unsafe { self.provider.register(REGION, piece, local) }.expect("register")
    }
}

/// Runs a test for each provider.
fn with_each(sides: u32, test: impl Fn(&str, &mut Net)) {
    for settings in each() {
        test(settings, &mut Net::new(settings, sides));
    }
}

#[test]
fn bytes_go_and_come_back() {
    with_each(2, |settings, net| {
        for (at, bytes) in [(0, 1), (3, 7), (8, 8), (64, 65), (1, 5000), (4096, 300_001), (0, BYTES)] {
            let source: Vec<u8> = (0..bytes).map(|i| (i * 7 % 251 + 1) as u8).collect();
            let mut back = vec![0; bytes];
            net.run(0, delivered(put(1, at, &source)));
            if net.0[0].provider.promises().delivery == Delivery::Flushed {
                net.run(0, get(1, at, &mut [0; 8]));
            }
            let there: Vec<u8> = (at..at + bytes).map(|i| net.0[1].memory.byte(i)).collect();
            assert!(there == source, "{settings}: {bytes} bytes at {at}");
            net.run(0, get(1, at, &mut back));
            assert!(back == source, "{settings}: {bytes} bytes at {at}, back");
        }
    });
}

#[test]
fn an_operation_without_bytes_is_complete() {
    with_each(2, |_, net| {
        net.run(0, delivered(put(1, 8, &[])));
        net.run(0, get(1, BYTES, &mut []));
    });
}

/// Catches an operation in place of another, also on another kind of number, or on another number of bytes.
#[test]
fn each_atomic_operation_does_its_own() {
    let cases = |float: &dyn Fn(f64) -> u64, minus: u64| {
        [
            (WordOp::Add, 10, 5, 0, 15),
            (WordOp::Swap, 10, 5, 0, 5),
            (WordOp::Set, 10, 5, 0, 5),
            (WordOp::CompareSwap, 10, 5, 10, 5),
            (WordOp::CompareSwap, 10, 5, 11, 10),
            (WordOp::And, 10, 6, 0, 2),
            (WordOp::Or, 10, 5, 0, 15),
            (WordOp::Xor, 10, 3, 0, 9),
            (WordOp::Fetch, 10, 5, 0, 10),
            (WordOp::AddFloat, float(1.5), float(-4.25), 0, float(-2.75)),
            (WordOp::MinUnsigned, minus, 5, 0, 5),
            (WordOp::MaxUnsigned, 5, minus, 0, minus),
            (WordOp::MinSigned, 5, minus, 0, minus),
            (WordOp::MaxSigned, minus, 5, 0, 5),
        ]
    };
    let widths = [(4, cases(&|value| (value as f32).to_bits().into(), (-3_i32 as u32).into()))];
    let widths = widths.into_iter().chain([(8, cases(&|value| value.to_bits(), -3_i64 as u64))]);
    with_each(2, |settings, net| {
        assert!(net.0[0].provider.promises().atomics);
        for ((width, cases), fetches) in widths.clone().flat_map(|width| [(width, true), (width, false)]) {
            for (op, before, operand, condition, after) in cases {
                // In the other half of the word of 4 bytes is something that has to stay.
                let beside = if width == 4 { 0x7777_7777 << 32 } else { 0 };
                net.0[1].memory.word(16).store(beside | before, Ordering::SeqCst);
                let mut old = 0_u64;
                let to = if fetches { (&raw mut old).expose_provenance() } else { 0 };
                net.run(0, work(1, 16, Operation::Amo { op, width, operand, condition, to }));
                let found = (old, net.0[1].memory.load(16));
                let expected = (if fetches { before } else { 0 }, beside | after);
                assert_eq!(found, expected, "{settings}: {op:?} of {width} bytes");
            }
        }
    });
}

#[test]
fn additions_of_two_sides_are_all_there() {
    const ADDITIONS: u64 = 300;
    with_each(3, |settings, net| {
        let mut tags = Vec::new();
        for _ in 0..ADDITIONS {
            for from in [0, 1] {
                let add = Operation::Amo { op: WordOp::Add, width: 8, operand: 1, condition: 0, to: 0 };
                tags.push((from, net.post(from, 0, work(2, 8, add)).expect("it is possible")));
            }
        }
        for (from, tag) in tags {
            assert_eq!(net.wait(from, tag), Ok(()));
        }
        assert_eq!(net.0[2].memory.load(8), 2 * ADDITIONS, "{settings}");
    });
}

/// Whether operations of a lane take effect in order, which some of the networks must promise.
fn is_ordered(settings: &str, net: &Net) -> bool {
    let ordered = net.0[0].provider.promises().ordered;
    assert!(
        ordered
            || !["verbs", "tcp", "ofi:tcp", "ofi:keys", MOCK, MOCK_ON_DEMAND, MOCKS, LOOPBACKS, DEVICE]
                .contains(&settings),
        "{settings}"
    );
    ordered
}

/// The guarantee that signals rely on: a word that is put or set behind data, long and short, arrives behind them.
#[test]
fn a_flag_does_not_overtake_data() {
    const LONG: usize = 100_000;
    with_each(2, |settings, net| {
        if !is_ordered(settings, net) {
            return;
        }
        for round in 1..=200_u64 {
            let source = vec![round as u8; LONG];
            let bytes = [LONG, 8, 5000, 100][round as usize % 4];
            net.post(0, 0, put(1, 128, &source[..bytes])).expect("data");
            net.post(0, 0, put(1, LONG + 256, &source[..1])).expect("data");
            let set = Operation::Amo { op: WordOp::Set, width: 8, operand: round, condition: 0, to: 0 };
            let flag = if round % 2 == 0 { inline(1, 0, &round) } else { work(1, 0, set) };
            let tag = net.post(0, 0, flag).expect("a flag");
            net.arrives(1, 0, round);
            let memory = &net.0[1].memory;
            let seen = [128, 128 + bytes / 2, 127 + bytes, LONG + 256].map(|at| memory.byte(at));
            assert_eq!(seen, [round as u8; 4], "{settings}, round {round}");
            assert_eq!(net.wait(0, tag), Ok(()));
        }
    });
}

/// The guarantee that signals and flags rely on, on networks without order too: a word that is set, and any part of a
/// put that is ordered, is not there before what was posted in front of it to its peer, whether that was put or set.
#[test]
fn what_is_ordered_comes_behind_everything() {
    const LONG: usize = 100_000;
    with_each(2, |settings, net| {
        for round in 1..=200_u64 {
            let source = vec![round as u8; LONG];
            let bytes = [LONG, 8, 5000, 100][round as usize % 4];
            net.post(0, 0, put(1, 128, &source[..bytes])).expect("data");
            net.post(0, 0, set(1, 8, round)).expect("another word");
            net.post(0, 0, inline(1, LONG + 256, &round)).expect("data");
            let long = ordered_put(1, 2 * LONG, &source[bytes / 2..]);
            let (at, last) = if round % 8 < 4 { (0, set(1, 0, round)) } else { (3 * LONG - bytes / 2 - 1, long) };
            let tag = net.post(0, 0, last).expect("the last one");
            net.until("the last one", |net| net.0[1].memory.byte(at) == round as u8);
            let memory = &net.0[1].memory;
            let seen = [128, 128 + bytes / 2, 127 + bytes].map(|at| memory.byte(at));
            let words = [8, LONG + 256].map(|at| memory.load(at));
            assert_eq!((seen, words), ([round as u8; 3], [round; 2]), "{settings}, round {round}");
            assert_eq!(net.wait(0, tag), Ok(()));
        }
    });
}

/// Catches operations under way that share a buffer. libfabric's `shm` gives that of an atomic operation without a
/// result back twice if the operation reports its arrival, and gives it out twice when more are under way than before.
#[test]
fn words_under_way_together_keep_their_values() {
    const FETCHED: u64 = 7;
    with_each(2, |settings, net| {
        net.0[1].memory.word(0).store(FETCHED, Ordering::SeqCst);
        for pairs in 1..=16_usize {
            let mut found = vec![0; pairs];
            let mut tags = Vec::new();
            for (pair, (lane, found)) in (0..).step_by(2).zip(&mut found).enumerate() {
                tags.push(net.post(0, lane, amo(1, 0, WordOp::Fetch, 0, found)).expect("a fetch"));
                let value = (pairs * 100 + pair) as u64;
                tags.push(net.post(0, lane + 1, set(1, 8 + 8 * pair, value)).expect("a word"));
            }
            for tag in tags {
                assert_eq!(net.wait(0, tag), Ok(()));
            }
            assert_eq!(found, vec![FETCHED; pairs], "{settings}, {pairs} pairs");
            for pair in 0..pairs {
                net.arrives(1, 8 + 8 * pair, (pairs * 100 + pair) as u64);
            }
        }
    });
}

/// Ends a thread that looks at this, when it is dropped.
struct Stops<'a>(&'a AtomicBool);

impl Drop for Stops<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A word that is set leaves its neighbours alone, and nobody sees a part of it.
#[test]
fn a_word_is_set_as_a_whole() {
    with_each(2, |settings, net| {
        for (width, at) in [(2, 18), (4, 20), (8, 16)] {
            net.0[1].memory.word(16).store(0x7777_7777_7777_7777, Ordering::SeqCst);
            net.run(0, work(1, at, Operation::Set { width, value: 0x1122_3344_5566_aabb, ordered: true }));
            net.run(0, get(1, at, &mut [0; 8]));
            let expected: u64 = match width {
                2 => 0x7777_7777_aabb_7777,
                4 => 0x5566_aabb_7777_7777,
                _ => 0x1122_3344_5566_aabb,
            };
            net.arrives(1, 16, expected);
        }
        let word = std::ptr::from_ref(net.0[1].memory.word(24)).expose_provenance();
        // SAFETY: the view is mapped until the process ends.
        let word = unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(word)) };
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let seen = word.load(Ordering::Relaxed);
                    assert!(seen.is_multiple_of(0x0101_0101_0101_0101), "{settings}: {seen:x}");
                }
            });
            // Also if an operation fails: the scope waits for the thread.
            let _stops = Stops(&stop);
            for round in 1..=1000_u64 {
                net.run(0, set(1, 24, round % 256 * 0x0101_0101_0101_0101));
            }
        });
    });
}

/// Operations of a lane on one word take effect in the order of their posts, whatever they are; but on verbs a put may
/// overtake a get.
#[test]
fn a_lane_keeps_the_order_of_different_operations() {
    with_each(2, |settings, net| {
        if !is_ordered(settings, net) {
            return;
        }
        for round in 0..100_u64 {
            let (base, mut read, mut old, mut fetched) = (1000 * round, [0; 8], 0, 0);
            let sources = [base + 1, base + 5, base + 7];
            net.post(0, 0, inline(1, 8, &sources[0])).expect("a put");
            net.post(0, 0, amo(1, 8, WordOp::Add, 10, &mut old)).expect("an addition");
            net.post(0, 0, get(1, 8, &mut read)).expect("a get");
            net.run(0, inline(1, 8, &sources[1]));
            net.post(0, 0, amo(1, 8, WordOp::Fetch, 0, &mut fetched)).expect("a fetch");
            net.run(0, inline(1, 8, &sources[2]));
            net.run(0, get(1, 8, &mut [0; 8]));
            assert_eq!((old, fetched, net.0[1].memory.load(8)), (base + 1, base + 5, base + 7), "{settings}");
            let read = u64::from_ne_bytes(read);
            let is_overtaken = ["verbs", "verbs:7", MOCK, MOCK_ON_DEMAND, MOCKS, LOOPBACKS, LOOPBACKS_LATE, DEVICE]
                .contains(&settings)
                && read == base + 5;
            assert!(read == base + 11 || is_overtaken, "{settings}: {read} instead of {}", base + 11);
        }
    });
}

/// What is ordered behind a get does not overtake it, nor an atomic operation another one, if they follow each other
/// directly. The device of tests lets all of them pass that are not fenced.
#[test]
fn nothing_ordered_overtakes_a_get_or_an_atomic_operation() {
    with_each(2, |settings, net| {
        if !is_ordered(settings, net) {
            return;
        }
        for round in 0..50_u64 {
            let base = 1000 * round + 1;
            let (mut reads, mut olds, next) = ([[0; 8]; 3], [0; 3], base + 1);
            net.run(0, inline(1, 8, &base));
            net.post(0, 0, get(1, 8, &mut reads[0])).expect("a get");
            net.run(0, ordered(1, 8, &next));
            net.post(0, 0, get(1, 8, &mut reads[1])).expect("a get");
            net.run(0, amo(1, 8, WordOp::Add, 10, &mut olds[0]));
            net.post(0, 0, amo(1, 8, WordOp::Add, 100, &mut olds[1])).expect("an addition");
            let swap = Operation::Amo {
                op: WordOp::CompareSwap,
                width: 8,
                operand: base + 500,
                condition: base + 111,
                to: std::ptr::from_mut(&mut olds[2]).expose_provenance(),
            };
            net.run(0, work(1, 8, swap));
            net.run(0, get(1, 8, &mut reads[2]));
            let reads = reads.map(u64::from_ne_bytes);
            assert_eq!(reads, [base, base + 1, base + 500], "{settings}");
            assert_eq!(olds, [base + 1, base + 11, base + 111], "{settings}");
            // Of a long put, the last part may take another way.
            for value in [2 * round as u8, 2 * round as u8 + 1] {
                let (mut read, source) = ([0; 8], vec![value + 1; 40_000]);
                net.post(0, 0, get(1, 40_000, &mut read)).expect("a get");
                net.run(0, ordered_put(1, 4096, &source));
                assert_eq!(read, [value; 8], "{settings}");
            }
        }
    });
}

#[test]
fn each_tag_is_reported_once() {
    with_each(3, |_, net| {
        let source = [1_u8; 3000];
        let mut tags = Vec::new();
        for count in 0..1000 {
            let (peer, lane) = (1 + count % 2, count % 3);
            let bytes = [1, 8, 64, 3000][count as usize % 4];
            tags.push(net.post(0, lane, put(peer, 8 * count as usize, &source[..bytes])).expect("it is possible"));
        }
        for tag in tags {
            assert_eq!(net.wait(0, tag), Ok(()));
        }
        assert!(net.0.iter().all(|side| side.over.is_empty()), "something else was reported");
    });
}

#[test]
fn what_is_impossible_names_its_reason() {
    with_each(2, |settings, net| {
        let mut refused = |work: Work| {
            let lane = net.0[0].ticket as u32;
            match net.post(0, lane, work) {
                Ok(tag) => net.wait(0, tag).expect_err("it is impossible").why,
                Err(why) => why,
            }
        };
        let why = refused(get(1, BYTES - 4, &mut [0; 8]));
        assert_eq!(
            why, "8 bytes at offset 1048572 of region 5 are outside of the valid range 0..1048576",
            "{settings}"
        );
        let why = refused(Work { region: REGION + 1, ..get(1, 0, &mut [0; 8]) });
        assert_eq!(why, "region 6 is not registered", "{settings}");
        let why = refused(amo(1, 12, WordOp::Add, 1, &mut 0));
        let expected = "an atomic operation of 8 bytes at offset 12: it needs an aligned word of 4 or 8";
        assert_eq!(why, expected, "{settings}");
        let why = refused(work(1, 11, Operation::Set { width: 2, value: 0, ordered: true }));
        let expected = "a word of 2 bytes at offset 11 cannot be set: it needs an aligned word of 2, 4 or 8";
        assert_eq!(why, expected, "{settings}");
        let why = refused(work(1, 8, Operation::Set { width: 1, value: 0, ordered: true }));
        assert!(why.starts_with("a word of 1 bytes at offset 8 cannot be set"), "{settings}: {why}");
    });
}

/// A heap grows by pieces, which lie anywhere, and operations do not know where one ends. A word that is set behind one
/// of them comes behind all its parts.
#[test]
fn operations_cross_from_piece_to_piece() {
    const FIRST: usize = BYTES - 70_000;
    // They fill the end of the first piece, the second and the third.
    const SIZES: [usize; 3] = [70_000, 100, 300_001];
    const ALL: usize = SIZES[0] + SIZES[1] + SIZES[2];
    with_each(2, |settings, net| {
        // So that a piece that was used before is known.
        net.run(0, delivered(inline(1, FIRST, &0)));
        let more = [SIZES[2], SIZES[1]].map(|bytes| Peer::new("cushmem-test", bytes));
        // The last one first.
        for (memory, piece, at) in [(&more[0], 1, BYTES + SIZES[1]), (&more[1], 2, BYTES)] {
            let card = net.0[1].register(piece, at, memory);
            net.0[0].provider.learn(1, REGION, piece, &card).expect("learn");
        }
        let source: Vec<u8> = (0..ALL).map(|at| (at * 7 % 251 + 1) as u8).collect();
        let put = net.post(0, 0, put(1, FIRST, &source)).expect("it is possible");
        let flag = net.post(0, 0, set(1, 0, 7)).expect("it is possible");
        net.arrives(1, 0, 7);
        let there = |net: &Net| -> Vec<u8> {
            let first = (FIRST..BYTES).map(|at| net.0[1].memory.byte(at));
            let [third, second] = [&more[0], &more[1]].map(|of| (0..of.memory.bytes as usize).map(|at| of.byte(at)));
            first.chain(second).chain(third).collect()
        };
        assert!(there(net) == source, "{settings}: something arrived behind the flag, or elsewhere");
        assert_eq!((net.wait(0, put), net.wait(0, flag)), (Ok(()), Ok(())), "{settings}");
        let mut back = vec![0; ALL];
        net.run(0, get(1, FIRST, &mut back));
        assert!(back == source, "{settings}: what comes back");
        // Few bytes, and none.
        let word = [0x80; 8];
        net.run(0, delivered(inline(1, BYTES - 3, &u64::from_ne_bytes(word))));
        net.run(0, delivered(super::put(1, BYTES + SIZES[1], &[])));
        let mut few = [0; 16];
        net.run(0, get(1, BYTES - 7, &mut few));
        let mut expected = source;
        expected[SIZES[0] - 3..SIZES[0] + 5].copy_from_slice(&word);
        assert_eq!(few, expected[SIZES[0] - 7..SIZES[0] + 9], "{settings}");
        assert!(there(net) == expected, "{settings}");
        // A word is in one piece.
        for (lane, work) in [amo(1, BYTES + 96, WordOp::Add, 1, &mut 0), set(1, BYTES + 96, 1)].into_iter().enumerate()
        {
            let why = match net.post(0, 1 + lane as u32, work) {
                Ok(tag) => net.wait(0, tag).expect_err("it is in two").why,
                Err(why) => why,
            };
            assert_eq!(why, "an atomic operation on a word that lies in two pieces of region 5", "{settings}");
        }
        assert!(there(net) == expected, "{settings}");
    });
}

#[test]
fn pieces_that_overlap_are_refused() {
    with_each(2, |settings, net| {
        let memory = Peer::new("cushmem-test", 4096);
        let card = net.0[1].register(1, BYTES - 4096, &memory);
        let why = net.0[0].provider.learn(1, REGION, 1, &card).expect_err("they overlap");
        let expected = "the card of piece 1 of region 5 of peer 1 describes bytes that piece 0 has";
        assert_eq!(why, expected, "{settings}");
    });
}

#[test]
fn a_malformed_card_or_name_is_refused() {
    with_each(2, |settings, net| {
        let provider = &mut net.0[0].provider;
        for card in [&[][..], &[1; 7], &[1; 200]] {
            let why = provider.learn(1, 77, 0, card).expect_err("it is malformed");
            let text = format!("the card of piece 0 of region 77 of peer 1 has {} bytes ", card.len());
            let rest = why.strip_prefix(&text).unwrap_or_default();
            let is_known = rest.starts_with("instead of ") || rest == "that are not those of its NICs";
            assert!(is_known, "{settings}: {why}");
        }
        for name in [&[][..], &[0; 1], &[1; 200]] {
            let why = provider.peers(&[name.to_vec()]).expect_err("it is malformed");
            assert!(why.starts_with("peer 2: ") || why.starts_with("the name of peer 2 "), "{settings}: {why}");
        }
    });
}

/// All operations for a peer that is lost fail, those under way and later ones. Others go on.
#[test]
fn a_lost_peer_delays_no_other() {
    with_each(3, |settings, net| {
        net.run(0, inline(1, 0, &1));
        net.run(0, inline(2, 0, &1));
        let source = vec![1; BYTES];
        let tags: Vec<Tag> = (0..4).map(|lane| net.post(0, lane, put(1, 0, &source)).expect("a put")).collect();
        net.0[0].provider.lost(1, "it was lost");
        net.run(0, delivered(put(2, 0, &source)));
        let mut failed = 0;
        for tag in tags {
            // It may have been complete before.
            if let Err(failure) = net.wait(0, tag) {
                assert_eq!((failure.peer, &*failure.why), (1, "it was lost"), "{settings}");
                failed += 1;
            }
        }
        assert!(failed > 0, "{settings}: all were complete before");
        assert_eq!(net.post(0, 9, inline(1, 0, &1)), Err("it was lost".to_owned()), "{settings}");
        let mut back = vec![0; BYTES];
        net.run(0, get(2, 0, &mut back));
        assert!(back == source, "{settings}");
    });
}

/// Catches operations for live peers that are told to come later for ever, because operations for a lost peer keep all
/// slots. They are refused, until the library gives slots back. Each operation is reported once.
#[test]
fn operations_for_a_lost_peer_may_take_all_room() {
    if !has_libfabric("operations_for_a_lost_peer_may_take_all_room") {
        return;
    }
    let mut net = Net::new("ofi:tcp", 3);
    net.run(0, inline(1, 0, &1));
    net.run(0, inline(2, 0, &1));
    let mut tags = Vec::new();
    let start = Instant::now();
    while tags.len() < MOST_POSTED {
        let side = &mut net.0[0];
        side.ticket += 1;
        // A lane of its own, so that it waits for no other.
        let tag = Tag { lane: side.ticket as u32, ticket: side.ticket };
        // SAFETY: the source is a constant.
        match unsafe { side.provider.post(&inline(1, 8, &7), tag) } {
            Post::Taken => tags.push(tag),
            // The peer does not poll, so nothing ends.
            Post::Later => drop(side.provider.poll(&mut |tag, _| panic!("{tag:?} is over"))),
            Post::Refused(why) => panic!("{why}"),
        }
        assert!(start.elapsed() < LIMIT, "only {} were taken", tags.len());
    }
    net.0[0].provider.lost(1, "it was lost");
    let full = net.post(0, 0, inline(2, 8, &7)).expect_err("there is no room");
    assert_eq!(full, "1024 operations for lost peers may still use their memory");
    for tag in tags {
        assert_eq!(net.wait(0, tag).expect_err("its peer was lost").why, "it was lost");
    }
    // The peer has polled, so the library has given slots back.
    until("room", || {
        net.poll();
        net.post(0, 0, inline(2, 16, &7)).is_ok()
    });
    net.arrives(2, 16, 7);
}

#[test]
fn memory_can_be_forgotten_and_registered_again() {
    with_each(2, |settings, net| {
        net.run(0, delivered(inline(1, 0, &1)));
        for side in &mut net.0 {
            side.provider.forget(REGION, 0);
        }
        let lane = 1;
        let why = match net.post(0, lane, get(1, 0, &mut [0; 8])) {
            Ok(tag) => net.wait(0, tag).expect_err("it was forgotten").why,
            Err(why) => why,
        };
        assert_eq!(why, "region 5 is not registered", "{settings}");
        let Side { provider, memory, .. } = &mut net.0[1];
        let file = Some(memory.memory.clone());
        let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: BYTES, file };
        // SAFETY: the view is mapped until the process ends.
        let card = unsafe { provider.register(REGION, 0, local) }.expect("register");
        net.0[0].provider.learn(1, REGION, 0, &card).expect("learn");
        let tag = net.post(0, 2, delivered(inline(1, 8, &7))).expect("it is possible");
        assert_eq!(net.wait(0, tag), Ok(()));
        net.arrives(1, 8, 7);
    });
}
