//! What libfabric alone does: regions of several pieces; and what is said when it does not offer what is asked for.

use super::*;
use crate::fabric::{Fabric, Post, Tag};
use nix::poll::{PollFd, PollFlags, poll};
use std::os::fd::AsFd;

/// The time within which a descriptor becomes readable on any machine, in milliseconds.
const MOST_MS: u16 = 10_000;

fn refused(provider: &str, atomics: bool) -> String {
    Ofi::open(&ofi(provider, atomics)).err().expect("it is not there")
}

#[test]
fn an_unknown_provider_lists_those_that_are_there() {
    if !has_libfabric("an_unknown_provider") {
        return;
    }
    for atomics in [false, true] {
        let why = refused("nobody", atomics);
        let (text, list) = why.split_once("; it has: ").expect("a list");
        assert!(text.starts_with("libfabric "), "{why}");
        assert!(text.ends_with(" has no provider `nobody` for one-sided operations on 127.0.0.1"), "{why}");
        assert!(list.split(", ").any(|name| name == "tcp;ofi_rxm"), "{why}");
        assert!(!why.contains('\n'), "{why}");
    }
    let why = refused("no\0body", false);
    assert!(why.contains("has no provider"), "{why}");
}

/// The provider `net` of libfabric 1.17 says that it has atomic operations, and has none.
#[test]
fn a_provider_that_claims_what_it_lacks_is_refused() {
    if !has_libfabric("a_provider_that_claims") {
        return;
    }
    let why = refused("net", true);
    let claims = "libfabric's provider net announces atomic operations, but lacks CompareSwap on words of 4 bytes";
    // Later versions do not have the provider.
    assert!(why == claims || why.contains(" has no provider `net` "), "{why}");
}

#[test]
fn an_address_of_another_machine_is_refused() {
    if !has_libfabric("an_address_of_another_machine") {
        return;
    }
    let settings = OfiSettings { address: "192.0.2.7".to_owned(), ..ofi("tcp", false) };
    let why = Ofi::open(&settings).err().expect("it is not an address of this machine");
    assert!(why.contains("192.0.2.7"), "{why}");
}

/// Catches a thread that sleeps although its own turn has stored what it waits for, which completes nothing.
#[test]
fn a_thread_looks_once_more_before_it_sleeps() {
    if !has_libfabric("a_thread_looks_once_more") {
        return;
    }
    let nic = Nic::over(Provider::Ofi(Ofi::open(&ofi("tcp", true)).expect("it is here")), Duration::ZERO).unwrap();
    let poller = nic.poller();
    // The engine may have the provider for a moment.
    until("a turn of this thread", || poller.sleep(10 * LIMIT, || Some(7)) == Slept::Found(7));
}

/// Catches a process that sleeps at a descriptor which says nothing of what its peers do, so that each of their
/// operations takes as long as the longest sleep.
#[test]
fn an_operation_of_a_peer_makes_the_descriptor_readable() {
    if !has_libfabric("an_operation_of_a_peer_makes_the_descriptor_readable") {
        return;
    }
    for settings in super::providers_of_libfabric() {
        let (mut sides, memory) = pair(settings);
        let Some(descriptor) = sides[1].descriptor() else {
            assert_eq!(settings, "ofi:shm", "it has none");
            continue;
        };
        for ticket in 1..=40 {
            let mut old = 0;
            let work =
                if ticket % 2 == 0 { delivered(inline(1, 0, &ticket)) } else { amo(1, 64, WordOp::Add, 1, &mut old) };
            // The first operations make the connections.
            if ticket <= 2 {
                assert_eq!(run(&mut sides, ticket, work), Ok(()), "{settings}");
                continue;
            }
            until("the end of all work", || {
                sides[1].poll(&mut |_, _| ());
                sides[1].may_sleep()
            });
            // SAFETY: the buffers outlive the operation.
            assert_eq!(unsafe { sides[0].post(&work, Tag { lane: 0, ticket }) }, Post::Taken, "{settings}");
            let readable = poll(&mut [PollFd::new(descriptor.as_fd(), PollFlags::POLLIN)], MOST_MS).expect("poll");
            assert_eq!(readable, 1, "{settings}: {work:?} has come");
            let mut is_over = false;
            until("an operation", || {
                sides[1].poll(&mut |_, _| ());
                sides[0].poll(&mut |_, _| is_over = true);
                is_over
            });
        }
        assert_eq!((memory.load(0), memory.load(64)), (40, 20), "{settings}");
    }
}

/// Posts from the first side, lets both work, and returns how it ended.
fn run(sides: &mut [Provider; 2], ticket: u64, work: Work) -> Result<(), String> {
    let (tag, start) = (Tag { lane: 0, ticket }, Instant::now());
    let mut over = None;
    let mut taken = false;
    while over.is_none() {
        if !taken {
            // SAFETY: the buffers of tests outlive their operations.
            match unsafe { sides[0].post(&work, tag) } {
                Post::Taken => taken = true,
                Post::Later => {}
                Post::Refused(why) => return Err(why),
            }
        }
        sides[0].poll(&mut |_, outcome| over = Some(outcome));
        sides[1].poll(&mut |_, _| ());
        assert!(start.elapsed() < LIMIT, "{work:?} is not over within {LIMIT:?}");
    }
    over.expect("it is over").map_err(|failure| failure.why)
}

const LONG: usize = 1 << 20;

/// Two sides that know each other, and memory of the second that the first may use.
fn pair(settings: &str) -> ([Provider; 2], Peer) {
    let mut sides = [0, 1].map(|number| super::providers::open(settings, number));
    let memory = introduce(&mut sides);
    (sides, memory)
}

/// Introduces two sides to each other; returns memory of the second that the first may use.
fn introduce(sides: &mut [Provider; 2]) -> Peer {
    let names = [0, 1].map(|side: usize| sides[side].name());
    sides.iter_mut().for_each(|side| side.peers(&names).expect("names"));
    let memory = Peer::new("cushmem-test", LONG);
    let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: LONG, file: None };
    // SAFETY: the view is mapped until the process ends.
    let card = unsafe { sides[1].register(REGION, 0, local) }.expect("register");
    sides[0].learn(1, REGION, 0, &card).expect("learn");
    memory
}

/// A poster may change the source of an inline put at once, even if what is in front of it fills the connection.
#[test]
fn an_inline_put_is_copied_when_it_is_posted() {
    if !has_libfabric("an_inline_put_is_copied") {
        return;
    }
    for settings in ["ofi:tcp", "ofi:keys", "ofi:shm"].into_iter().take(if has_shm() { 3 } else { 2 }) {
        let (mut sides, memory) = pair(settings);
        let long = vec![1; LONG];
        assert_eq!(run(&mut sides, 1, put(1, 0, &long)), Ok(()), "{settings}");
        let mut value = 7_u64;
        let mut works = vec![delivered(put(1, 0, &long)); 32];
        works.push(delivered(inline(1, 0, &value)));
        let (mut reported, start) = (0, Instant::now());
        for (work, ticket) in works.iter().zip(2..) {
            // SAFETY: the buffers of tests outlive their operations.
            while unsafe { sides[0].post(work, Tag { lane: 0, ticket }) } == Post::Later {
                sides.iter_mut().for_each(|side| _ = side.poll(&mut |_, _| reported += 1));
                assert!(start.elapsed() < LIMIT, "{work:?} does not start within {LIMIT:?}");
            }
        }
        value += 1;
        until("all puts", || {
            sides.iter_mut().for_each(|side| _ = side.poll(&mut |_, _| reported += 1));
            reported == works.len()
        });
        assert_eq!((memory.load(0), value), (7, 8), "{settings}");
    }
}

/// A program's handlers stay its own, although libraries that libfabric loads, and its provider `shm`, install theirs.
#[test]
fn the_handlers_of_signals_stay() {
    // The C library sets this flag in each action that it installs.
    const SA_RESTORER: i32 = 0x0400_0000;
    let handlers = || {
        let handler = |signal| {
            // SAFETY: zeroes are a valid value of this structure.
            let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
            // SAFETY: it only asks; the structure outlives the call. The C library refuses the signals of its own.
            unsafe { libc::sigaction(signal, std::ptr::null(), &mut action) };
            (signal, action.sa_sigaction, action.sa_flags & !SA_RESTORER)
        };
        (1..=64).map(handler).collect::<Vec<_>>()
    };
    let before = handlers();
    if !has_libfabric("the_handlers_of_signals_stay") {
        return;
    }
    assert_eq!(handlers(), before, "tcp");
    if !has_shm() {
        return;
    }
    let (sides, _memory) = pair("ofi:shm");
    assert_eq!(handlers(), before, "shm");
    drop(sides);
    assert_eq!(handlers(), before, "shm, closed");
}

/// A NIC with a lane to a peer that does not answer, and puts of 1 MiB that wait for it.
fn without_an_answer() -> (Nic, Lane, u64, Provider) {
    let source = vec![1; LONG].leak();
    let (sides, _) = pair("ofi:tcp");
    let [first, second] = sides;
    let nic = Nic::over(first, Duration::ZERO).expect("start a NIC");
    let lane = nic.lane();
    for _ in 0..64 {
        post(&lane, put(1, 0, source));
    }
    (nic, lane, 64, second)
}

#[test]
fn a_lost_peer_ends_what_waits_for_it() {
    if !has_libfabric("a_lost_peer_ends_what_waits_for_it") {
        return;
    }
    let (nic, lane, ticket, _peer) = without_an_answer();
    nic.lost(1, "it was killed");
    until("all puts", || lane.done() >= ticket);
    assert_eq!(lane.failure().expect("they failed").why, "it was killed");
}

#[test]
fn the_end_of_a_nic_does_not_wait_forever_for_a_peer() {
    if !has_libfabric("the_end_of_a_nic") {
        return;
    }
    let (nic, lane, ticket, _peer) = without_an_answer();
    let ended = std::thread::spawn(move || drop(nic));
    until("the end of the NIC", || ended.is_finished());
    assert!(lane.done() >= ticket);
    let why = &lane.failure().expect("they failed").why;
    assert!(why.starts_with("the network was closed, and nothing has moved for "), "{why}");
}

/// Without atomic operations too, a put that asks for it is complete only when it has arrived, and then those before it
/// have, whether they asked or not.
#[test]
fn a_complete_put_has_arrived() {
    if !has_libfabric("a_complete_put_has_arrived") {
        return;
    }
    let mut sides = [0, 1].map(|_| Provider::Ofi(Ofi::open(&ofi("tcp", false)).expect("open libfabric")));
    let memory = introduce(&mut sides);
    assert_eq!(sides[0].promises().delivery, Delivery::OnRequest);
    let mut value = 7_u64;
    assert_eq!(run(&mut sides, 1, inline(1, 0, &value)), Ok(()));
    value += 1;
    for (ticket, work) in [(2, inline(1, 8, &value)), (3, delivered(inline(1, 0, &value)))] {
        // SAFETY: the source outlives the operation.
        let post = unsafe { sides[0].post(&work, Tag { lane: 0, ticket }) };
        assert_eq!(post, Post::Taken);
    }
    let mut over = false;
    for _ in 0..1000 {
        sides[0].poll(&mut |tag, _| over |= tag.ticket == 3);
        assert!(!over || memory.load(0) == value, "it is complete before its target has polled");
    }
    until("the put", || {
        sides[1].poll(&mut |_, _| ());
        sides[0].poll(&mut |tag, _| over |= tag.ticket == 3);
        over
    });
    assert_eq!([0, 8].map(|at| memory.load(at)), [value; 2]);
    assert!(sides[0].is_idle());
}

/// A name that is refused, at its second endpoint too, leaves the numbers of later peers as they are.
#[test]
fn a_refused_name_shifts_no_peer() {
    if !has_libfabric("a_refused_name_shifts_no_peer") {
        return;
    }
    let mut sides = [0, 1].map(|number| super::providers::open("ofi:tcp", number));
    let (good, target) = (sides[0].name(), sides[1].name());
    // The provider of the second endpoint, its address, and what is in front of both.
    let half = good.len() / 2;
    let address = half + 2 + usize::from(good[half]);
    let provider = String::from_utf8(good[half + 2..address].to_vec()).expect("its name");
    let bad_address = [&good[..address], &[3, 0, 1, 2, 3]].concat();
    let bad_family = [&good[..address + 2], &[0xee, 0xee], &good[address + 4..]].concat();
    let other = [&good[..half], &[4, 0], b"t\nc\xff", &good[address..]].concat();
    let other_said =
        format!("its libfabric chose the provider \"t\\nc\u{fffd}\", that of this process {provider:?}; install ");
    for (bad, said) in [
        (bad_address, "has 3 bytes instead of "),
        (bad_family, "has the address family 61166 instead of "),
        (other, &*other_said),
    ] {
        let why = sides[0].peers(&[good.clone(), bad]).expect_err("the second is malformed");
        assert!(why.starts_with("peer 1: ") && why.contains(said), "{why}");
    }
    let memory = introduce(&mut sides);
    assert_ne!(good, target);
    assert_eq!(run(&mut sides, 1, inline(1, 0, &7)), Ok(()));
    let mut old = 0;
    assert_eq!(run(&mut sides, 2, amo(1, 0, WordOp::Add, 1, &mut old)), Ok(()));
    assert_eq!((old, memory.load(0)), (7, 8));
}

/// `ofi_rxd` of libfabric 1.17 ends the process at its second atomic operation.
#[test]
fn a_provider_that_crashes_is_refused() {
    if !has_libfabric("a_provider_that_crashes") {
        return;
    }
    for name in ["udp;ofi_rxd", "udp"] {
        let why = refused(name, false);
        // Some builds of libfabric do not have the provider.
        assert!(why.starts_with("libfabric's provider udp;ofi_rxd is not used: ") || why.contains(" has no provider "));
        assert!(!why.contains(", udp;ofi_rxd"), "{why}");
    }
    assert!(!refused("nobody", false).contains("ofi_rxd"));
}

/// Some failures have no context, so nobody would ever report the operation that failed.
#[test]
fn a_failure_without_an_operation_ends_all() {
    if !has_libfabric("a_failure_without_an_operation") {
        return;
    }
    let (mut sides, _memory) = pair("ofi:tcp");
    let source = vec![1; LONG].leak();
    assert_eq!(run(&mut sides, 1, put(1, 0, source)), Ok(()));
    // SAFETY: the source stays.
    assert_eq!(unsafe { sides[0].post(&put(1, 0, source), Tag { lane: 0, ticket: 2 }) }, Post::Taken);
    let Provider::Ofi(first) = &mut sides[0] else { unreachable!() };
    first.settle(std::ptr::null_mut(), Ok(()));
    assert!(!first.is_idle());
    first.settle(std::ptr::null_mut(), Err("no memory".to_owned()));
    let mut reported = Vec::new();
    first.poll(&mut |tag, outcome| reported.push((tag.ticket, outcome.map_err(|failure| failure.why))));
    assert_eq!(reported, [(2, Err("no memory".to_owned()))]);
    assert!(first.is_idle());
}

/// Whoever guesses a key can read and write the memory.
#[test]
fn keys_cannot_be_guessed() {
    if !has_libfabric("keys_cannot_be_guessed") {
        return;
    }
    let mut provider = super::providers::open("ofi:tcp", 0);
    let pieces = [0, 1].map(|piece| (piece, Peer::new("cushmem-test", 4096)));
    let mut keys = Vec::new();
    for (piece, memory) in &pieces {
        let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: 4096, file: None };
        // SAFETY: the view is mapped until the process ends.
        let card = unsafe { provider.register(REGION, *piece, local) }.expect("register");
        // Behind two words for the range: for each endpoint, an address and a key.
        let words: Vec<u64> = card.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        keys.extend([words[3], words[5]]);
    }
    // Of random keys, one in four billion is smaller.
    assert!(keys.iter().all(|key| *key > u64::from(u32::MAX)), "{keys:x?}");
}
