//! What InfiniBand and RoCE alone do: connections on first use, and what is said when something is missing or fails.

use super::*;
use crate::fabric::{Fabric, Post, Tag};

/// Two sides that know each other, and memory of the second that the first may use.
fn pair() -> ([Provider; 2], Peer, Vec<u8>) {
    let mut sides = [0, 1].map(|number| super::providers::open(DEVICE, number));
    let names = [0, 1].map(|side: usize| sides[side].name());
    sides.iter_mut().for_each(|side| side.peers(&names).expect("names"));
    let memory = Peer::new("cushmem-test", LONG);
    let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: LONG, file: None };
    // SAFETY: the view is mapped until the process ends.
    let card = unsafe { sides[1].register(REGION, 0, local) }.expect("register");
    (sides, memory, card)
}

const LONG: usize = 1 << 20;

/// Posts from the first side, which alone polls, and returns how it ended.
fn run(side: &mut Provider, ticket: u64, work: Work) -> Result<(), String> {
    let (tag, start) = (Tag { lane: 0, ticket }, Instant::now());
    let (mut over, mut taken) = (None, false);
    while over.is_none() {
        if !taken {
            // SAFETY: the buffers of tests outlive their operations.
            match unsafe { side.post(&work, tag) } {
                Post::Taken => taken = true,
                Post::Later => {}
                Post::Refused(why) => return Err(why),
            }
        }
        side.poll(&mut |_, outcome| over = Some(outcome));
        assert!(start.elapsed() < LIMIT, "{work:?} is not over within {LIMIT:?}");
    }
    over.expect("it is over").map_err(|failure| failure.to_string())
}

#[test]
fn without_the_library_one_line_names_its_package() {
    let settings = VerbsSettings { library: "libibverbs-of-nobody.so.1".to_owned(), ..device() };
    let why = Verbs::open(&settings).err().expect("there is none");
    assert!(why.contains("the package libibverbs1 of Debian") && !why.contains('\n'), "{why}");
}

#[test]
fn a_device_or_port_that_is_not_there_is_named() {
    if !has_device("a_device_or_port_that_is_not_there") {
        return;
    }
    let refused = |device: &str| {
        let settings = VerbsSettings { device: device.to_owned(), ..super::device() };
        Verbs::open(&settings).err().expect("it is not there")
    };
    assert!(refused("nobody").starts_with("there is no device `nobody`; this machine has "), "{}", refused("nobody"));
    assert!(refused(":first").contains("`first` is no number of a port"));
    let why = refused(":77");
    assert!(why.contains("77") && !why.contains('\n'), "{why}");
}

/// The target takes no part: it never polls, not even while the connection is made.
#[test]
fn a_target_takes_no_part() {
    if !has_device("a_target_takes_no_part") {
        return;
    }
    let (mut sides, memory, card) = pair();
    sides[0].learn(1, REGION, 0, &card).expect("learn");
    let (mut old, mut back) = (0, [0; 8]);
    assert_eq!(run(&mut sides[0], 1, inline(1, 8, &7)), Ok(()));
    assert_eq!(run(&mut sides[0], 2, amo(1, 8, WordOp::Add, 5, &mut old)), Ok(()));
    assert_eq!(run(&mut sides[0], 3, get(1, 8, &mut back)), Ok(()));
    assert_eq!((old, u64::from_ne_bytes(back), memory.load(8)), (7, 12, 12));
}

/// A key that the peer's device does not know ends with one line, which has the operation, the status and the GID; and
/// so do the operations behind it. Nothing hangs.
#[test]
fn a_wrong_key_ends_with_a_line() {
    if !has_device("a_wrong_key_ends_with_a_line") {
        return;
    }
    let (mut sides, memory, mut card) = pair();
    let key = card.len() - 8;
    card[key] ^= 0x55;
    sides[0].learn(1, REGION, 0, &card).expect("learn");
    let why = run(&mut sides[0], 1, inline(1, 8, &7)).expect_err("the key is wrong");
    let expected = ["peer 1: put of 8 bytes: ", "remote access error", "(status 10, ", "its peer is at 127.0.0.1"];
    assert!(expected.iter().all(|part| why.contains(part)) && !why.contains('\n'), "{why}");
    let why = run(&mut sides[0], 2, get(1, 8, &mut [0; 8])).expect_err("the peer is not used any more");
    assert!(why.starts_with("an earlier operation failed: ") && why.contains("remote access error"), "{why}");
    assert_eq!(memory.load(8), 0);
}

/// Each operation is reported once when the connection breaks, also those that were not given to the device yet.
#[test]
fn a_peer_that_ended_fails_everything() {
    if !has_device("a_peer_that_ended_fails_everything") {
        return;
    }
    let (mut sides, _memory, card) = pair();
    sides[0].learn(1, REGION, 0, &card).expect("learn");
    assert_eq!(run(&mut sides[0], 1, inline(1, 8, &7)), Ok(()));
    let [mut here, there] = sides;
    drop(there);
    let source = [1_u8; 100];
    let (mut posted, mut reported) = (0, Vec::new());
    for ticket in 2..=200 {
        // SAFETY: the source outlives the operations.
        posted += usize::from(unsafe { here.post(&put(1, 64, &source), Tag { lane: 0, ticket }) } == Post::Taken);
        if ticket == 50 {
            here.poll(&mut |tag, outcome| reported.push((tag, outcome)));
        }
    }
    until("the end of all", || {
        here.poll(&mut |tag, outcome| reported.push((tag, outcome)));
        reported.len() >= posted
    });
    let mut tags: Vec<_> = reported.iter().map(|(tag, _)| *tag).collect();
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), posted, "each once");
    assert!(reported.iter().all(|(_, outcome)| outcome.is_err()), "nobody was there");
    assert!(here.is_idle());
}

/// A connection that nobody answers fails, and says why.
#[test]
fn a_peer_that_does_not_listen_is_an_error() {
    if !has_device("a_peer_that_does_not_listen") {
        return;
    }
    let (mut sides, _memory, card) = pair();
    sides[0].learn(1, REGION, 0, &card).expect("learn");
    let [mut here, there] = sides;
    drop(there);
    let why = run(&mut here, 1, inline(1, 8, &7)).expect_err("nobody listens");
    assert!(why.starts_with("no connection over ") && why.contains("Connection refused"), "{why}");
}

/// More operations than a connection, the slots and the buffers have room for, of sizes that take each way.
#[test]
fn more_than_there_is_room_for_comes_through() {
    if !has_device("more_than_there_is_room_for") {
        return;
    }
    let (mut sides, memory, card) = pair();
    sides[0].learn(1, REGION, 0, &card).expect("learn");
    let sizes = [8, 65, 5000, 20_000];
    let sources: Vec<Vec<u8>> = (0..3000).map(|at: usize| vec![at as u8 | 1; sizes[at % 4]]).collect();
    let (mut reported, start) = (0, Instant::now());
    for (at, source) in sources.iter().enumerate() {
        let (tag, work) = (Tag { lane: at as u32 % 3, ticket: at as u64 }, put(1, at % 40 * 20_000, source));
        // SAFETY: the sources outlive the operations.
        while unsafe { sides[0].post(&work, tag) } == Post::Later {
            sides[0].poll(&mut |_, outcome| reported += usize::from(outcome.is_ok()));
            assert!(start.elapsed() < LIMIT, "{tag:?}");
        }
    }
    until("all puts", || {
        sides[0].poll(&mut |_, outcome| reported += usize::from(outcome.is_ok()));
        reported == sources.len()
    });
    assert_eq!(run(&mut sides[0], 9999, get(1, 0, &mut [0; 8])), Ok(()));
    for at in sources.len() - 40..sources.len() {
        let first = memory.byte(at % 40 * 20_000);
        assert_eq!(first, at as u8 | 1, "{at}");
    }
}
