//! What a process with two devices does with transfers that both have a part of.

use super::*;
use crate::fabric::{Fabric, Post, Tag};
use crate::verbs::mock::Machine;

const BYTES: usize = 1 << 20;

/// Two processes with two devices each, of which the first stripes transfers of two pages and more; and memory of the
/// second one, with its card.
fn pair() -> (Rails<Verbs>, Rails<Verbs>, Peer, Vec<u8>) {
    let two = || Rails::new(vec![Verbs::open(&mock()).expect("open"), Verbs::open(&mock()).expect("open")]);
    let (mut here, mut there) = (two(), two());
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
    let machine = Machine::here();
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
    let first = [memory.byte(0), memory.byte(4095)];
    assert_eq!((first, memory.byte(4096)), ([7; 2], 0), "the first device has done its part");
    for work in [inline(1, 0, &1), put(1, 0, &source)] {
        // SAFETY: as above.
        let outcome = unsafe { here.post(&work, Tag { lane: 1, ticket: 1 }) };
        assert!(matches!(&outcome, Post::Refused(why) if why.contains("remote access error")), "{outcome:?}");
    }
    assert!(machine.lock().armed() == 0);
}
