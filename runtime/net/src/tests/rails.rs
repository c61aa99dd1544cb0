//! What a process with two devices does with transfers that both have a part of.

use super::*;
use crate::fabric::{Fabric, Post, Tag};
use crate::verbs::mock::Machine;

const BYTES: usize = 1 << 20;

/// Two processes with two devices each, of which the first stripes transfers of two pages and more; and memory of the
/// second one, with its card.
fn pair() -> (Rails<Verbs>, Rails<Verbs>, Peer, Vec<u8>) {
    pair_of(2, 2)
}

/// As above, with so many devices each.
fn pair_of(here: usize, there: usize) -> (Rails<Verbs>, Rails<Verbs>, Peer, Vec<u8>) {
    let open = |count| Rails::new((0..count).map(|_| Verbs::open(&mock()).expect("open")).collect());
    let (mut here, mut there): (Rails<Verbs>, Rails<Verbs>) = (open(here), open(there));
    here.striped = 8192;
    let names = [here.name(), there.name()];
    [&mut here, &mut there].into_iter().for_each(|side| side.peers(&names).expect("names"));
    let memory = Peer::new("cushmem-test", BYTES);
    let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: BYTES, file: None };
    // SAFETY: the view is mapped until the process ends.
    let card = unsafe { there.register(REGION, 0, local) }.expect("register");
    (here, there, memory, card)
}

/// The engine sleeps until one of the devices has completed something. In tests such a sleep has no other end.
#[test]
fn a_completion_of_each_device_wakes_the_engine() {
    let machine = Machine::here();
    let (mut here, there, memory, card) = pair();
    here.learn(1, REGION, 0, &card).expect("learn");
    let nic = Nic::over(Provider::Verbs(here), Duration::ZERO).expect("start a NIC");
    let lane = nic.lane();
    for value in 1..=20 {
        machine.lock().is_stopped = value > 1;
        let source = [value; 8192];
        let ticket = post(&lane, put(1, 0, &source));
        while value > 1 && lane.done() < ticket {
            until("a sleep", || machine.lock().armed() == 2 || lane.done() >= ticket);
            let _ = nic.under_way();
            machine.lock().run_one();
        }
        until("the end of it", || lane.done() >= ticket);
        assert_eq!([memory.byte(0), memory.byte(8191)], [value; 2]);
    }
    drop((nic, there));
}

/// A transfer of which one device has a part that fails is over when the other one has given its part back, and the
/// peer is given up on both.
#[test]
fn a_part_that_fails_ends_the_transfer_and_the_peer() {
    let _machine = Machine::here();
    let (mut here, _there, memory, mut card) = pair();
    // The key that the second device uses is wrong.
    let key = card.len() - 8;
    card[key] ^= 0x55;
    here.learn(1, REGION, 0, &card).expect("learn");
    let source = [7; 8192];
    let (tag, mut over, start) = (Tag { lane: 0, ticket: 1 }, Vec::new(), Instant::now());
    // SAFETY: the source outlives the operation.
    assert_eq!(unsafe { here.post(&put(1, 0, &source), tag) }, Post::Taken);
    while over.is_empty() {
        here.poll(&mut |tag, outcome| over.push((tag, outcome)));
        assert!(start.elapsed() < LIMIT);
    }
    let (of, outcome) = over.remove(0);
    let failure = outcome.expect_err("the key is wrong");
    assert_eq!((of, over.len(), failure.operation.as_str()), (tag, 0, "put of 8192 bytes"));
    assert!(failure.why.contains("remote access error") && here.is_idle(), "{failure}");
    assert_eq!(memory.byte(4096), 0);
    for work in [inline(1, 0, &1), put(1, 0, &source)] {
        // SAFETY: as above.
        let outcome = unsafe { here.post(&work, Tag { lane: 1, ticket: 1 }) };
        assert!(matches!(&outcome, Post::Refused(why) if why.contains("remote access error")), "{outcome:?}");
    }
}

/// Posts until it is taken or refused, and waits for the end.
fn run(side: &mut Rails<Verbs>, ticket: u64, work: Work) -> Result<(), String> {
    let (tag, start, mut over, mut is_taken) = (Tag { lane: 0, ticket }, Instant::now(), None, false);
    while over.is_none() {
        if !is_taken {
            // SAFETY: the buffers of tests outlive their operations.
            match unsafe { side.post(&work, tag) } {
                Post::Taken => is_taken = true,
                Post::Later => {}
                Post::Refused(why) => return Err(why),
            }
        }
        side.poll(&mut |of, outcome| assert!(of == tag && over.replace(outcome).is_none(), "{of:?}"));
        assert!(start.elapsed() < LIMIT, "{work:?}");
    }
    over.expect("it is over").map_err(|failure| failure.why)
}

/// Processes with different numbers of devices reach each other: each device uses one of the other process.
#[test]
fn numbers_of_devices_may_differ() {
    for (count, theirs) in [(2, 1), (1, 2), (2, 3), (3, 2)] {
        let _machine = Machine::here();
        let (mut here, _there, memory, card) = pair_of(count, theirs);
        here.learn(1, REGION, 0, &card).expect("learn");
        let source: Vec<u8> = (0..40_000).map(|at| (at % 251) as u8).collect();
        assert_eq!(run(&mut here, 1, put(1, 100, &source)), Ok(()));
        let mut back = vec![0; source.len()];
        assert_eq!(run(&mut here, 2, get(1, 100, &mut back)), Ok(()), "{count} and {theirs}");
        assert!(back == source && memory.byte(100) == 0 && memory.byte(101) == 1, "{count} and {theirs}");
    }
    let _machine = Machine::here();
    let (mut here, _there, _memory, card) = pair_of(2, 2);
    let first = 2 + usize::from(u16::from_le_bytes([card[0], card[1]]));
    let why = here.learn(1, REGION, 0, &card[..first]).expect_err("a card is missing");
    assert_eq!(why, format!("the card of piece 0 of region {REGION} of peer 1 is 1 cards for 2 NICs"));
}

/// Catches a peer that is given up because an operation asks for what there is not. What is in front of such a transfer
/// was to be shown to have arrived, by a look at the same place.
#[test]
fn a_transfer_that_is_not_possible_is_refused_alone() {
    let _machine = Machine::here();
    let (mut here, _there, memory, card) = pair();
    here.learn(1, REGION, 0, &card).expect("learn");
    let source = [7; 8192];
    for ticket in [1, 3] {
        // The first time, nothing is in front of it.
        let why = run(&mut here, ticket, put(1, 2 * BYTES, &source)).expect_err("it is outside");
        assert!(why.contains(&format!("offset {}", 2 * BYTES)) || why.contains("no piece"), "{why}");
        assert_eq!(run(&mut here, ticket + 1, inline(1, 8, &ticket)), Ok(()), "{why}");
        assert_eq!(memory.load(8), ticket);
    }
}

/// A peer that is lost while one device has its part and the other one stands still: the transfer is over, once, when
/// both have given theirs back.
#[test]
fn a_peer_that_is_lost_ends_a_transfer_once() {
    let machine = Machine::here();
    let (mut here, _there, _memory, card) = pair();
    here.learn(1, REGION, 0, &card).expect("learn");
    let source = [7; 8192];
    assert_eq!(run(&mut here, 1, put(1, 0, &source)), Ok(()));
    machine.lock().is_stopped = true;
    let (tag, mut over) = (Tag { lane: 0, ticket: 2 }, Vec::new());
    // SAFETY: the source outlives the operation.
    assert_eq!(unsafe { here.post(&put(1, 0, &source), tag) }, Post::Taken);
    here.poll(&mut |tag, outcome| over.push((tag, outcome)));
    machine.lock().run_one();
    here.poll(&mut |tag, outcome| over.push((tag, outcome)));
    assert!(over.is_empty(), "the other device has its part");
    here.lost(1, "it was lost");
    let start = Instant::now();
    while !here.is_idle() {
        here.poll(&mut |tag, outcome| over.push((tag, outcome)));
        machine.lock().run_one();
        assert!(start.elapsed() < LIMIT);
    }
    let [(of, Err(failure))] = &over[..] else { panic!("{over:?}") };
    assert_eq!((*of, &*failure.why), (tag, "it was lost"));
}
