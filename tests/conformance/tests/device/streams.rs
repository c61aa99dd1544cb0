//! Operations that streams carry out.

use crate::rig::Rig;
use cushmem::raw::AnyStream;
use cushmem::{Amo, Cmp, DeviceBuffer, Shmem, SignalOp, Stream, SymSlice, Team};
use cushmem_conformance::{conformance, expect_words, on_nodes, seeded};
use cushmem_conformance_kernels::mix;
use std::ptr::with_exposed_provenance_mut;

conformance! { soft, cuda => {
    every_kind: 1, 2, 4;
    words_and_signals: 1, 2, 4;
    the_order_of_a_stream: 2, 4;
    waits_of_every_kind: 1, 2;
    no_call_waits: 1, 2;
    several_streams: 2, 4;
    meetings: 1, 2, 4;
    meetings_of_teams: 2, 4;
    meetings_of_the_node: 3;
    graphs: 1, 2, 4;
    streams_that_wait_for_each_other: 1, 2;
    memory_outlives_its_operations: 1;
    wrong_arguments: 1;
} }

const STAGED: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod staged {
    use super::*;
    conformance! { with STAGED: soft, cuda => {
        every_kind: 2;
        words_and_signals: 2;
        the_order_of_a_stream: 2;
        meetings: 2;
        graphs: 2;
    } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

mod nodes {
    use super::*;
    on_nodes! { with SOFT: {
        every_kind: 2 on 2, 4 on 2 by "cyclic";
        words_and_signals: 2 on 2;
        the_order_of_a_stream: 3 on 2;
        meetings: 3 on 2;
        meetings_of_the_node: 5 on 2 by "random:5";
        graphs: 2 on 2;
    } }
}

const LONGEST: usize = 40_000;

/// Memory that belongs to this PE alone.
enum Private<'a> {
    Heap(SymSlice<'a, u64>),
    Gpu(DeviceBuffer<'a, u64>),
    Pageable(Vec<u64>),
}

impl<'a> Private<'a> {
    fn all(shmem: &'a Shmem) -> Vec<Self> {
        let heap = [shmem.malloc(LONGEST).expect("malloc"), shmem.malloc_gpu(LONGEST).expect("malloc_gpu")];
        let gpu = shmem.device_alloc(LONGEST).expect("device_alloc");
        heap.map(Self::Heap).into_iter().chain([Self::Gpu(gpu), Self::Pageable(vec![0; LONGEST])]).collect()
    }

    fn write(&mut self, words: &[u64]) {
        match self {
            Self::Heap(heap) => heap.slice(..words.len()).copy_from(words).expect("write"),
            Self::Gpu(buffer) => {
                let mut all = buffer.to_vec().expect("read");
                all[..words.len()].copy_from_slice(words);
                buffer.copy_from(&all).expect("write");
            }
            Self::Pageable(vec) => vec[..words.len()].copy_from_slice(words),
        }
    }

    fn read(&self, n: usize) -> Vec<u64> {
        let mut all = match self {
            Self::Heap(heap) => heap.to_vec().expect("read"),
            Self::Gpu(buffer) => buffer.to_vec().expect("read"),
            Self::Pageable(vec) => vec.clone(),
        };
        all.truncate(n);
        all
    }

    fn address(&mut self) -> *mut u8 {
        let address = match self {
            Self::Heap(heap) => heap.device_ptr().address(),
            Self::Gpu(buffer) => buffer.device_ptr().address(),
            Self::Pageable(vec) => vec.as_mut_ptr().expose_provenance() as u64,
        };
        with_exposed_provenance_mut(address as usize)
    }
}

fn address(object: SymSlice<'_, u64>) -> *mut u64 {
    with_exposed_provenance_mut(object.device_ptr().address() as usize)
}

/// Puts, gets and puts with a signal between every kind of memory. Catches a kind that is copied the wrong way, parts
/// of blocks that leave gaps, and a source that is read before the stream has reached the operation: the previous
/// operation writes it.
pub(crate) fn every_kind(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (me, next, previous) = (u64::from(shmem.my_pe()), rig.next(), u64::from(rig.previous()));
    let (raw, stream) = (shmem.raw(), AnyStream::Ours(&rig.stream));
    let targets = [shmem.malloc(LONGEST).expect("malloc"), shmem.malloc_gpu(LONGEST).expect("malloc_gpu")];
    let signals = [rig.on_host(&[0u64]), rig.symmetric(&[0u64])];
    let mut round = 0;
    for mut private in Private::all(shmem) {
        for (target, signal) in targets.iter().zip(signals) {
            for n in [1, 7, 1000, LONGEST] {
                round += 1;
                private.write(&(0..n as u64).map(|i| mix(100 * round + me, i)).collect::<Vec<_>>());
                target.copy_from(&vec![0; LONGEST]).expect("clear");
                rig.barrier();
                let (to, from) = (address(*target).cast(), private.address());
                // SAFETY: both ends have this many words until the stream has been synchronised.
                unsafe { raw.on_stream(stream).put(to, from, 8 * n, next) }.expect("put");
                rig.stream.quiet().expect("quiet");
                rig.wait();
                rig.barrier();
                let mut words = target.to_vec().expect("read");
                assert!(words.split_off(n).iter().all(|word| *word == 0), "{n} words, and more");
                expect_words(|| format!("put {round}"), &words, |i| mix(100 * round + previous, i as u64));

                private.write(&vec![0; n]);
                // SAFETY: the private end has as many words as the symmetric one, until the stream has been
                // synchronised.
                unsafe { raw.on_stream(stream).get(from, to, 8 * n, next) }.expect("get");
                rig.wait();
                expect_words(|| format!("get {round}"), &private.read(n), |i| mix(100 * round + me, i as u64));
                rig.barrier();

                private.write(&(0..n as u64).map(|i| mix(100 * round + me, i + 1)).collect::<Vec<_>>());
                let (word, value) = (address(signal), round);
                // SAFETY: both ends have this many words, and nobody uses them before the stream has been synchronised.
                let put =
                    unsafe { raw.on_stream(stream).put_signal(to, from, 8 * n, word, value, SignalOp::Set, next) };
                put.expect("put_signal");
                rig.stream.signal_wait_until(signal.at(0), Cmp::Eq, round).expect("wait");
                rig.wait();
                let words = target.slice(..n).to_vec().expect("read");
                expect_words(|| format!("put {round}"), &words, |i| mix(100 * round + previous, i as u64 + 1));
                rig.barrier();
            }
        }
    }
}

/// Words of every width, and signals that are set and added to. Catches a neighbour that is overwritten, and additions
/// that are lost.
pub(crate) fn words_and_signals(shmem: &Shmem) {
    const TIMES: u64 = 20;
    let rig = Rig::new(shmem);
    let (next, stream) = (rig.next(), &rig.stream);
    for on_gpu in [false, true] {
        let words = if on_gpu { rig.symmetric(&[0xffu8; 16]) } else { rig.on_host(&[0xffu8; 16]) };
        let halves = if on_gpu { rig.symmetric(&[u16::MAX; 4]) } else { rig.on_host(&[u16::MAX; 4]) };
        let floats = if on_gpu { rig.symmetric(&[0.5f32; 3]) } else { rig.on_host(&[0.5f32; 3]) };
        let signals = if on_gpu { rig.symmetric(&[0u64; 3]) } else { rig.on_host(&[0u64; 3]) };
        rig.barrier();
        stream.p(words.at(5), 7, next).expect("p");
        stream.p(halves.at(1), 300, next).expect("p");
        stream.p(floats.at(1), 1.5, next).expect("p");
        stream.signal_op(signals.at(0), 9, SignalOp::Set, next).expect("set");
        for _ in 0..TIMES {
            stream.signal_op(signals.at(1), 2, SignalOp::Add, 0).expect("add");
        }
        stream.quiet().expect("quiet");
        rig.wait();
        rig.barrier();
        let expected = |at: usize| if at == 5 { 7 } else { 0xff };
        assert_eq!(words.to_vec().expect("read"), (0..16).map(expected).collect::<Vec<u8>>());
        assert_eq!(halves.to_vec().expect("read"), [u16::MAX, 300, u16::MAX, u16::MAX]);
        assert_eq!(floats.to_vec().expect("read"), [0.5, 1.5, 0.5]);
        let added = if shmem.my_pe() == 0 { 2 * TIMES * u64::from(shmem.n_pes()) } else { 0 };
        assert_eq!(signals.to_vec().expect("read"), [9, added, 0]);
        rig.barrier();
    }
}

/// A ring in which each stream waits for a signal and passes on what has arrived, from GPU to GPU. Catches a wait that
/// lets the next operation start, and a signal that overtakes earlier operations on its stream.
pub(crate) fn the_order_of_a_stream(shmem: &Shmem) {
    const WORDS: usize = 3000;
    let rig = Rig::new(shmem);
    let (me, next, stream) = (shmem.my_pe(), rig.next(), &rig.stream);
    let (inbox, late) = (rig.symmetric(&[0u64; WORDS]), rig.symmetric(&[0u64; WORDS]));
    let outbox = rig.symmetric(&(0..WORDS as u64).map(|i| mix(3, i)).collect::<Vec<_>>());
    let arrived = rig.symmetric(&[0u64]);
    rig.barrier();
    let rounds = rig.times(20, 200);
    for round in 1..=rounds {
        if me == 0 {
            stream.put(inbox, outbox, next).expect("put");
            stream.p(late.at(WORDS - 1), round, next).expect("p");
            stream.signal_op(arrived.at(0), round, SignalOp::Set, next).expect("signal");
            stream.signal_wait_until(arrived.at(0), Cmp::Ge, round).expect("wait");
            stream.get(outbox, inbox, me).expect("get");
        } else {
            stream.signal_wait_until(arrived.at(0), Cmp::Ge, round).expect("wait");
            stream.put(inbox, inbox, next).expect("put");
            stream.p(late.at(WORDS - 1), round, next).expect("p");
            stream.signal_op(arrived.at(0), round, SignalOp::Set, next).expect("signal");
        }
    }
    rig.wait();
    rig.barrier();
    for found in [inbox, outbox] {
        expect_words(|| "passed on".into(), &found.to_vec().expect("read"), |i| mix(3, i as u64));
    }
    assert_eq!(late.to_vec().expect("read")[WORDS - 1], rounds);
    rig.barrier();
}

/// Catches words that are compared with the wrong sign or width: each wait is over at once, or when the other word of
/// the pair arrives.
fn waits_of_every_kind(shmem: &Shmem) {
    fn one<T: Amo + std::fmt::Debug>(rig: &Rig<'_>, low: T, high: T) {
        let words = [rig.on_host(&[high, low, high]), rig.symmetric(&[high, low, high])];
        for word in words.map(|words| words.at(1)) {
            let (stream, me) = (&rig.stream, rig.shmem.my_pe());
            for (cmp, value) in [(Cmp::Eq, low), (Cmp::Ne, high), (Cmp::Lt, high), (Cmp::Le, low)] {
                stream.wait_until(word, cmp, value).expect("wait");
                rig.wait();
            }
            stream.wait_until(word, Cmp::Gt, low).expect("wait");
            assert!(!stream.is_idle().expect("query"), "{low:?} is not above itself");
            rig.shmem.p(word, high, me).expect("p");
            stream.wait_until(word, Cmp::Ge, high).expect("wait");
            rig.wait();
        }
    }
    let rig = Rig::new(shmem);
    one(&rig, -1i32, 1);
    one(&rig, 1u32, u32::MAX);
    one(&rig, -1i64, 1);
    one(&rig, 1u64, u64::MAX);
    one(&rig, 1usize, usize::MAX);
    rig.barrier();
}

/// Every operation on a stream that is held by a signal, which this thread sets after all calls have returned. Catches
/// a call that waits.
fn no_call_waits(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (raw, next) = (shmem.raw(), rig.next());
    let (gate, signal) = (rig.on_host(&[0u64]), rig.symmetric(&[0u64]));
    let (inbox, outbox, host) = (rig.symmetric(&[0u64; 9]), rig.symmetric(&[1u64; 9]), rig.on_host(&[2u64; 9]));
    let (pageable, mut back) = (vec![5u64; 9000], vec![0u64; 9000]);
    let large = shmem.malloc_gpu::<u64>(9000).expect("malloc_gpu");
    rig.barrier();
    let (stream, any) = (&rig.stream, AnyStream::Ours(&rig.stream));
    for round in 1..=3 {
        stream.signal_wait_until(gate.at(0), Cmp::Ge, round).expect("wait");
        stream.put(inbox, outbox, next).expect("put");
        // Nothing else promises that the get finds what was put, or which of two writes to a word is the last one.
        stream.quiet().expect("quiet");
        stream.get(outbox, inbox, next).expect("get");
        stream.put(host, outbox, next).expect("put");
        stream.put_signal(inbox, outbox, signal.at(0), round, SignalOp::Set, next).expect("put_signal");
        stream.quiet().expect("quiet");
        stream.p(inbox.at(0), 3, next).expect("p");
        // SAFETY: both ends have this many words until the stream has been synchronised.
        unsafe {
            raw.on_stream(any).put(address(large).cast(), pageable.as_ptr().cast(), 8 * 9000, next).expect("put");
            stream.quiet().expect("quiet");
            raw.on_stream(any).get(back.as_mut_ptr().cast(), address(large).cast(), 8 * 9000, next).expect("get");
        }
        stream.sync_all().expect("sync_all");
        stream.barrier_all().expect("barrier_all");
        assert!(!stream.is_idle().expect("query"), "the stream is held");
        shmem.atomic_set(gate.at(0), round, shmem.my_pe()).expect("set");
        rig.wait();
        assert_eq!(std::mem::replace(&mut back, vec![0; 9000]), pageable);
        let mut expected = vec![1; 9];
        expected[0] = 3;
        assert_eq!(inbox.to_vec().expect("read"), expected);
        outbox.copy_from(&[1; 9]).expect("write");
        rig.barrier();
    }
}

/// Streams that are busy at the same time, each with its own signals, including operations that the CPU carries out.
/// Catches streams that use each other's words.
fn several_streams(shmem: &Shmem) {
    const STREAMS: usize = 6;
    const WORDS: usize = 500;
    let rig = Rig::new(shmem);
    let (me, next) = (u64::from(shmem.my_pe()), rig.next());
    let streams: Vec<Stream<'_>> = (0..STREAMS).map(|_| shmem.stream().expect("stream")).collect();
    let inbox = rig.symmetric(&[0u64; STREAMS * WORDS]);
    let copy = rig.private(&[0u64; STREAMS * WORDS]);
    let arrived = rig.symmetric(&[0u64; STREAMS]);
    let value = |pe: u64, stream: usize, i: usize| mix(pe, (stream * WORDS + i) as u64);
    let sources: Vec<Vec<u64>> = (0..STREAMS).map(|s| (0..WORDS).map(|i| value(me, s, i)).collect()).collect();
    let mut random = seeded();
    for round in 1..=rig.times(5u64, 50) {
        rig.barrier();
        for (s, stream) in streams.iter().enumerate() {
            let part = s * WORDS..(s + 1) * WORDS;
            let (to, from) = (address(inbox.slice(part.clone())).cast(), sources[s].as_ptr().cast());
            for _ in 0..random.below(3) {
                stream.quiet().expect("quiet");
            }
            let (signal, any) = (address(arrived.slice(s..=s)), AnyStream::Ours(stream));
            // SAFETY: both ends have this many words until the streams have been synchronised.
            unsafe { shmem.raw().on_stream(any).put_signal(to, from, 8 * WORDS, signal, round, SignalOp::Set, next) }
                .expect("put_signal");
            stream.signal_wait_until(arrived.at(s), Cmp::Eq, round).expect("wait");
            stream.get(copy.slice(part.clone()), inbox.slice(part), shmem.my_pe()).expect("get");
        }
        streams.iter().for_each(|stream| stream.synchronize().expect("synchronize"));
        let previous = u64::from(rig.previous());
        let expected = |i: usize| value(previous, i / WORDS, i % WORDS);
        expect_words(|| format!("round {round}"), &copy.to_vec().expect("read"), expected);
        inbox.copy_from(&[0; STREAMS * WORDS]).expect("clear");
    }
    rig.barrier();
}

/// Each member of a team writes to all members, and reads after what `meet` enqueues.
fn rounds<'a>(rig: &Rig<'a>, team: Option<&Team>, rounds: usize, meet: impl Fn(&Stream<'a>, &Team)) {
    let shmem = rig.shmem;
    let other = shmem.stream().expect("stream");
    let (all, seen) = (rig.symmetric(&vec![0u64; shmem.n_pes() as usize]), rig.private(&vec![0u64; 1000]));
    rig.barrier();
    if let Some(team) = team {
        let (me, n) = (team.my_pe() as usize, team.n_pes() as usize);
        assert!(n * rounds <= 1000);
        for round in 1..=rounds {
            let stream = if round % 5 == 0 { &other } else { &rig.stream };
            for number in 0..n as u32 {
                let pe = team.translate_pe(number, shmem.team_world()).expect("a member");
                stream.p(all.at(me), round as u64, pe).expect("p");
            }
            meet(stream, team);
            let part = n * (round - 1)..n * round;
            // SAFETY: `seen` lives until the streams have been synchronised.
            let part = unsafe { shmem.raw().device_slice(seen.device_ptr().address() + 8 * part.start as u64, n) };
            stream.get(part, all.slice(..n), shmem.my_pe()).expect("get");
            // Nobody writes the next round before all have read this one.
            stream.team_sync(team).expect("team_sync");
            if round % 5 == 0 || round % 5 == 4 {
                stream.synchronize().expect("synchronize");
            }
        }
        rig.wait();
        let mut seen = seen.to_vec().expect("read");
        seen.truncate(n * rounds);
        expect_words(|| format!("what all of {team:?} wrote"), &seen, |i| (i / n) as u64 + 1);
    }
    rig.barrier();
    shmem.free(all).expect("free");
}

/// Catches a barrier that somebody leaves too early, on a stream of its own or on a different stream from the last one.
fn meetings(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let world = Some(shmem.team_world());
    rounds(&rig, world, rig.times(15, 200), |stream, _| stream.barrier_all().expect("barrier_all"));
    rounds(&rig, world, rig.times(15, 200), |stream, _| {
        stream.quiet().expect("quiet");
        stream.sync_all().expect("sync_all");
    });
}

/// Catches members that take part in synchronisations of other teams.
fn meetings_of_teams(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let meet = |stream: &Stream<'_>, team: &Team| {
        stream.quiet().expect("quiet");
        stream.team_sync(team).expect("team_sync");
    };
    let backwards = shmem.team_split_strided(world, n - 1, -1, n).expect("split").expect("all are members");
    let rest = shmem.team_split_strided(world, 1, 1, n - 1).expect("split");
    let (row, column) = shmem.team_split_2d(world, 2).expect("split");
    for team in [Some(&backwards), Some(&column), rest.as_ref(), Some(&row)] {
        rounds(&rig, team, rig.times(10, 100), meet);
    }
    [row, column, backwards].into_iter().chain(rest).for_each(|team| shmem.team_destroy(team));
}

/// Catches a barrier that somebody leaves too early, of a team that kernels cannot describe because its PE numbers are
/// not at equal distances.
fn meetings_of_the_node(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let team = Some(shmem.team_shared());
    rounds(&rig, team, rig.times(15, 200), |stream, team| stream.barrier(team).expect("barrier"));
}

/// A step of all PEs that is recorded once and run again, in which each PE passes its data on to the next. Catches what
/// is right only in the first run, such as a barrier whose number was recorded, and pageable memory, which is recorded
/// although it cannot be.
pub(crate) fn graphs(shmem: &Shmem) {
    const WORDS: usize = 300;
    const REPLAYS: u64 = 100;
    let rig = Rig::new(shmem);
    let (me, n, next) = (shmem.my_pe(), u64::from(shmem.n_pes()), rig.next());
    let mine = |pe: u64| (0..WORDS as u64).map(|i| mix(pe, i)).collect::<Vec<_>>();
    let (inbox, outbox) = (rig.symmetric(&[0u64; WORDS]), rig.symmetric(&mine(me.into())));
    let (host_inbox, host) = (rig.on_host(&[0u64; WORDS]), rig.on_host(&mine(me.into())));
    let (count, flag) = (rig.counters(&[0]), rig.symmetric(&[0u64; 3]));
    let (stream, any) = (&rig.stream, AnyStream::Ours(&rig.stream));
    rig.barrier();
    let record = || {
        stream.put(inbox, outbox, next)?;
        stream.put(host_inbox, host, next)?;
        stream.signal_op(count.at(0), 1, SignalOp::Add, next)?;
        stream.put_signal(flag.slice(1..2), flag.slice(2..), flag.at(0), 1, SignalOp::Set, next)?;
        stream.barrier_all()?;
        stream.signal_wait_until(count.at(0), Cmp::Gt, 0)?;
        stream.get(outbox, inbox, me)?;
        stream.put(host, host_inbox, me)?;
        stream.quiet()?;
        stream.sync_all()
    };
    let graph = stream.capture(record).expect("capture");
    assert!(stream.is_idle().expect("query") && count.to_vec().expect("read") == [0], "it runs later");
    rig.barrier();
    for replay in 1..=REPLAYS {
        // SAFETY: the memory stays valid until the stream has been synchronised.
        unsafe { stream.replay(&graph) }.expect("replay");
        if replay % 40 != 1 && replay != REPLAYS {
            continue;
        }
        rig.wait();
        rig.barrier();
        assert_eq!(count.to_vec().expect("read"), [replay]);
        let from = (u64::from(me) + n * replay - replay) % n;
        for found in [inbox, outbox, host_inbox, host] {
            expect_words(|| format!("replay {replay}"), &found.to_vec().expect("read"), |i| mix(from, i as u64));
        }
        rig.barrier();
    }
    let pageable = vec![1u64; WORDS];
    let refused = stream.capture(|| {
        // SAFETY: both ends have this many words until the stream has been synchronised.
        let put =
            unsafe { shmem.raw().on_stream(any).put(address(inbox).cast(), pageable.as_ptr().cast(), 8 * WORDS, next) };
        put.map_err(|error| match error {
            cushmem::ArgumentError::Failed(error) => error,
            error => panic!("{error}"),
        })
    });
    let said = refused.err().expect("it is refused").to_string();
    assert!(said.contains("the stream is being captured, and a replay could not repeat"), "{said}");
    stream.quiet().expect("quiet");
    rig.wait();
    rig.barrier();
}

/// Two streams that wait for each other, one of them urgent, first directly and then in a graph of both: a word goes to
/// the next PE on one stream, and continues on the other. Catches a wait that does not hold its stream, or that is lost
/// when the streams are recorded.
fn streams_that_wait_for_each_other(shmem: &Shmem) {
    const STEPS: u64 = 20;
    let rig = Rig::new(shmem);
    let (me, n, next) = (u64::from(shmem.my_pe()), u64::from(shmem.n_pes()), rig.next());
    let (inbox, outbox, gate) = (rig.symmetric(&[0u64; 300]), rig.symmetric(&[me; 300]), rig.on_host(&[0u64]));
    let (first, second) = (&rig.stream, shmem.urgent_stream().expect("a stream"));
    let step = || {
        first.put(inbox, outbox, next)?;
        first.barrier_all()?;
        second.wait_for(first)?;
        second.get(outbox, inbox, shmem.my_pe())?;
        first.wait_for(&second)?;
        first.sync_all()
    };
    rig.barrier();
    // Nothing after the gate can have happened when the second stream is checked.
    first.signal_wait_until(gate.at(0), Cmp::Ge, 1).expect("wait");
    (0..STEPS).try_for_each(|_| step()).expect("steps");
    second.wait_for(first).expect("wait for the other");
    assert!(!second.is_idle().expect("query"), "it waits for the first one");
    shmem.p(gate.at(0), 1, shmem.my_pe()).expect("p");
    second.synchronize().expect("synchronise");
    let from = |steps: u64| (me + n * steps - steps) % n;
    assert_eq!(outbox.to_vec().expect("read"), [from(STEPS); 300]);
    let graph = first.capture(step).expect("capture");
    rig.barrier();
    for _ in 0..STEPS {
        // SAFETY: the memory stays valid until the stream has been synchronised.
        unsafe { first.replay(&graph) }.expect("replay");
    }
    rig.wait();
    assert_eq!(outbox.to_vec().expect("read"), [from(2 * STEPS); 300]);
    second.get(outbox, inbox, shmem.my_pe()).expect("get");
    second.synchronize().expect("the second stream is not captured any more");
    rig.barrier();
}

/// Catches private memory that is freed while a stream still has to copy it.
fn memory_outlives_its_operations(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (gate, inbox) = (rig.on_host(&[0u64]), rig.symmetric(&[0u64; 100]));
    for round in 1..=5 {
        let buffer = rig.private(&[round; 100]);
        rig.stream.signal_wait_until(gate.at(0), Cmp::Ge, round).expect("wait");
        rig.stream.put(inbox, buffer.slice(..), 0).expect("put");
        std::thread::scope(|scope| {
            scope.spawn(move || drop(buffer));
            shmem.p(gate.at(0), round, 0).expect("p");
        });
        rig.wait();
        assert_eq!(inbox.to_vec().expect("read"), [round; 100]);
    }
}

/// Catches mistakes that are not refused when the call is made, or that start something.
fn wrong_arguments(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let words = rig.symmetric(&[0u64; 4]);
    let stream = &rig.stream;
    let told = |result: cushmem::Result<()>| result.expect_err("it is wrong").to_string();
    assert_eq!(
        told(stream.put(words, words.slice(1..), 0)),
        "put on a stream: the target has 4 elements and the source 3"
    );
    assert_eq!(told(stream.put(words, words, 7)), "put on a stream: PE 7 is out of range (0 to 0)");
    assert_eq!(told(stream.p(words.at(0), 1, 7)), "p on a stream: PE 7 is out of range (0 to 0)");
    let odd = with_exposed_provenance_mut((words.device_ptr().address() + 4) as usize);
    // SAFETY: the stream is the rig's, and nothing is enqueued.
    let refused = unsafe { shmem.raw().on_stream(AnyStream::Ours(stream)).signal_op(odd, 1, SignalOp::Set, 0) };
    assert_eq!(refused, Err(cushmem::ArgumentError::Misaligned(8)));
    // The data does not move either.
    let ones = rig.symmetric(&[1u64; 4]);
    let (to, from) = (address(words).cast(), address(ones).cast());
    // SAFETY: both ends have this many words for as long as the job runs.
    let refused =
        unsafe { shmem.raw().on_stream(AnyStream::Ours(stream)).put_signal(to, from, 32, odd, 1, SignalOp::Set, 0) };
    let misaligned = cushmem::ArgumentError::Signal(Box::new(cushmem::ArgumentError::Misaligned(8)));
    assert_eq!(refused, Err(misaligned));
    rig.wait();
    assert_eq!(words.to_vec().expect("read"), [0; 4]);
}
