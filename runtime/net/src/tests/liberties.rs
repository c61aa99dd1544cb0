//! The liberties that only some of the networks take, and the faults by which a peer does not answer. Each is seen to
//! happen.

use super::*;
use crate::fabric::{Fabric, Post, Tag};
use crate::loopback::faults::{BETWEEN_STOPS, STOPPED};
use crate::loopback::flow::Flow;

const ONES: u64 = u64::MAX;

#[test]
fn tcp_stores_a_word_in_pieces_unless_it_is_set() {
    for settings in ["tcp", "tcp:7"] {
        let rig = Rig::new(settings, 1, 4096);
        for work in [inline(1, 0, &ONES), put(1, 8, &ONES.to_ne_bytes())] {
            let before = rig.open.0.refused(Step::OtherPiece);
            rig.hold(Step::OtherPiece);
            let ticket = post(&rig.lane, delivered(work));
            until("a piece", || rig.open.0.refused(Step::OtherPiece) > before);
            let there = rig.peers[0].load(work.at as usize);
            assert!(there != 0 && there != ONES, "{settings}: {there:x}");
            rig.release(Step::OtherPiece);
            rig.wait(ticket);
            assert_eq!(rig.peers[0].load(work.at as usize), ONES, "{settings}");
        }
        rig.hold(Step::OtherPiece);
        rig.run(delivered(set(1, 16, ONES)));
        assert_eq!(rig.peers[0].load(16), ONES, "{settings}");
    }
}

#[test]
fn tcp_loads_a_word_in_pieces() {
    let rig = Rig::new("tcp", 1, 4096);
    rig.peers[0].word(0).store(ONES, Ordering::SeqCst);
    let mut found = [0; 8];
    rig.hold(Step::OtherPiece);
    let ticket = post(&rig.lane, get(1, 0, &mut found));
    until("a piece", || rig.open.0.refused(Step::OtherPiece) > 0);
    rig.peers[0].word(0).store(0, Ordering::SeqCst);
    rig.release(Step::OtherPiece);
    rig.wait(ticket);
    assert!(found != [0; 8] && found != [0xff; 8], "{found:x?}");
}

/// A put overtakes the gets in front of it, an atomic operation and a word that is set do not.
#[test]
fn puts_overtake_gets_in_verbs() {
    for operation in [inline(1, 0, &7), put(1, 0, &[7; 8])] {
        let rig = Rig::new("verbs", 1, 4096);
        let mut found = [[9; 8]; 2];
        rig.hold(Step::Piece);
        for to in &mut found {
            post(&rig.lane, get(1, 0, to));
        }
        let last = post(&rig.lane, operation);
        rig.until_known();
        rig.open.0.allow(Step::Piece, 1);
        until("the put", || rig.peers[0].byte(0) == 7);
        assert_eq!(rig.lane.done(), 0, "tickets are complete in their order");
        rig.release(Step::Piece);
        rig.wait(last);
        assert!(found.iter().all(|found| found[0] == 7), "{found:?}");
    }
    let mut old = 9;
    let behind = [
        (Profile::Verbs, amo(1, 0, WordOp::Add, 7, &mut old)),
        (Profile::Verbs, set(1, 0, 7)),
        (Profile::Efa, set(1, 0, 7)),
        (Profile::Tcp, inline(1, 0, &7)),
    ];
    for (profile, behind) in behind {
        let rig = Rig::new(&profile.to_string(), 1, 4096);
        let mut found = [9; 8];
        rig.hold(Step::Piece);
        post(&rig.lane, get(1, 0, &mut found));
        let last = post(&rig.lane, delivered(behind));
        rig.until_known();
        rig.release(Step::Piece);
        rig.wait(last);
        assert_eq!(found, [0; 8], "{profile}");
    }
}

/// A word that is set without an order overtakes whatever is in front of it. What is ordered comes behind all of that.
#[test]
fn words_without_an_order_overtake() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 1, 4096);
        let free = |at| work(1, at, Operation::Set { width: 8, value: 7, ordered: false });
        rig.hold(Step::Piece);
        let behind = ordered_put(1, 40, &[7; 128]);
        let works = [inline(1, 0, &7), set(1, 8, 7), free(16), ordered(1, 32, &7), behind, set(1, 24, 7)];
        let last = works.map(|work| post(&rig.lane, work))[5];
        rig.until_known();
        for at in [16, 0, 8, 32, 40, 24] {
            assert_eq!(rig.peers[0].byte(at), 0, "{profile}: {at}");
            rig.open.0.allow(Step::Piece, 1);
            until("the next one", || rig.peers[0].byte(at) == 7);
        }
        rig.release(Step::Piece);
        rig.wait(last);
    }
}

/// A peer that is stopped answers nothing for a while, and then everything. Others go on, and it stops again.
#[test]
fn a_stopped_peer_answers_later() {
    let peer = Peer::new("cushmem-test", 4096);
    for settings in ["verbs:0,stop=1", "tcp:0,stop=1", "efa:0,stop=1"] {
        let mut wire = faults::wire(settings, &peer);
        let backing = crate::loopback::memory::Backing::File(peer.memory.clone());
        wire.table.learn((2, REGION), 0, 0, backing).expect("learn");
        for stop in 0..2 {
            let (mut flow, mut others, now) = (Flow::default(), Flow::default(), Instant::now());
            flow.push(wire.admit(0, 1, delivered(inline(1, 0, &7)), now));
            others.push(wire.admit(0, 2, delivered(inline(2, 8, &7)), now));
            let mut over = Vec::new();
            flow.run(&mut wire, now, |ticket, outcome| over.push((ticket, outcome)));
            others.run(&mut wire, now, |ticket, outcome| over.push((ticket, outcome)));
            assert_eq!(over, [(2, Ok(()))], "{settings}");
            let due = flow.next_due(&wire).expect("it is not silent");
            assert!(due >= now + STOPPED, "{settings}");
            flow.run(&mut wire, due, |ticket, outcome| over.push((ticket, outcome)));
            assert_eq!(over, [(2, Ok(())), (1, Ok(()))], "{settings}");
            let between = (1..BETWEEN_STOPS).map(|ticket| wire.admit(0, ticket, inline(1, 0, &7), now).due);
            assert_eq!(between.max(), Some(due), "{settings}, stop {stop}");
        }
    }
}

/// What a peer does not answer is neither complete nor failed, until somebody declares the peer lost. Others go on.
#[test]
fn a_silent_peer_never_answers() {
    for profile in Profile::ALL {
        let rig = Rig::new(&format!("{profile}:0,silent=1@2"), 2, 4096);
        (0..2).for_each(|at| rig.run(delivered(inline(1, 8 * at, &7))));
        let silent = rig.nic.lane();
        let tickets = [inline(1, 16, &7), set(1, 24, 7), get(1, 0, &mut [0; 8])].map(|work| post(&silent, work));
        (0..500).for_each(|_| rig.run(delivered(inline(2, 0, &7))));
        assert_eq!((silent.done(), silent.failure()), (0, None), "{profile}");
        rig.nic.lost(1, "it does not answer");
        until("the failure", || silent.done() >= tickets[2]);
        assert_eq!(silent.failure().expect("a failure").why, "it does not answer", "{profile}");
        assert_eq!((rig.peers[0].load(16), rig.peers[0].load(24)), (0, 0), "{profile}");
    }
}

/// On a network whose targets poll, a process that is stopped gets nothing, and one that has ended is an error. The
/// others take no part.
#[test]
fn tcp_needs_a_target_that_runs() {
    use nix::sys::signal::{Signal, kill};
    for profile in Profile::ALL {
        let mut target = std::process::Command::new("sleep").arg("1000").spawn().expect("start a process");
        let number = target.id();
        let rig = Rig::new(&profile.to_string(), 2, 4096);
        let names = [std::process::id(), number, std::process::id()].map(|process| process.to_le_bytes().to_vec());
        rig.nic.peers(&names).expect("names");
        let signal = |signal| kill(nix::unistd::Pid::from_raw(number as i32), signal).expect("it is there");
        let becomes = |state: Process| until("the target", || Process::of(number) == state);
        rig.run(delivered(inline(1, 0, &7)));
        signal(Signal::SIGSTOP);
        becomes(Process::IsStopped);
        let is_tcp = profile == Profile::Tcp;
        if is_tcp {
            // What was seen before is believed for a moment.
            let mut stopped = false;
            until("an operation that waits", || {
                let ticket = post(&rig.lane, delivered(inline(1, 8, &7)));
                let other = rig.nic.lane();
                (0..20).for_each(|_| wait(&other, post(&other, delivered(inline(2, 0, &7)))));
                stopped = rig.lane.done() < ticket;
                stopped
            });
            let ticket = post(&rig.lane, set(1, 16, 7));
            let other = rig.nic.lane();
            (0..200).for_each(|_| wait(&other, post(&other, delivered(inline(2, 0, &7)))));
            assert_eq!((rig.lane.done() < ticket, rig.peers[0].load(16)), (true, 0), "{profile}");
            signal(Signal::SIGCONT);
            rig.wait(ticket);
        }
        rig.run(delivered(set(1, 16, 7)));
        until("the word", || rig.peers[0].load(16) == 7);
        target.kill().expect("it is there");
        target.wait().expect("it ends");
        if is_tcp {
            let mut ticket = 0;
            until("the failure", || {
                ticket = post(&rig.lane, delivered(inline(1, 24, &7)));
                until("the end of an operation", || rig.lane.done() >= ticket);
                rig.lane.failure().is_some()
            });
            let failure = rig.lane.failure().expect("it has one").to_string();
            assert_eq!(failure, "peer 1: put of 8 bytes: its process has ended");
        } else {
            rig.run(delivered(set(1, 24, 7)));
        }
    }
}

/// To a peer that was not used before, operations cannot start for some time. Those to others can.
#[test]
fn a_connection_takes_time() {
    const CONNECTING: Duration = Duration::from_millis(30);
    for profile in Profile::ALL {
        let settings = format!("{profile}:0,later={}", CONNECTING.as_millis());
        let mut loopback = Loopback::new(settings.parse().expect("settings"), 0);
        let peer = Peer::new("cushmem-test", 4096);
        loopback.learn(1, REGION, 0, &peer.memory.card()).expect("a card");
        let start = Instant::now();
        let mut is_later = false;
        loop {
            // SAFETY: the source is a constant.
            match unsafe { loopback.post(&inline(1, 0, &7), Tag { lane: 0, ticket: 1 }) } {
                Post::Later => is_later = true,
                said => break assert_eq!(said, Post::Taken, "{profile}"),
            }
            loopback.poll(&mut |_, _| panic!("nothing was taken"));
            assert!(start.elapsed() < LIMIT && loopback.next_due().is_some(), "{profile}");
        }
        assert!(is_later && start.elapsed() >= CONNECTING, "{profile}: {:?}", start.elapsed());

        // The time may pass between the post and the poll of a turn. The engine must not sleep then.
        loopback.learn(2, REGION, 0, &peer.memory.card()).expect("a card");
        // SAFETY: the source is a constant.
        let said = unsafe { loopback.post(&inline(2, 0, &7), Tag { lane: 0, ticket: 2 }) };
        let start = Instant::now();
        until("the connection", || start.elapsed() > CONNECTING);
        loopback.poll(&mut |_, outcome| assert_eq!(outcome, Ok(()), "{profile}"));
        assert!(said == Post::Later && loopback.next_due().is_some(), "{profile}: {said:?}");

        // The engine sleeps meanwhile, and tries again.
        let rig = Rig::new(&settings, 2, 4096);
        let start = Instant::now();
        for peer in [1, 2, 1] {
            rig.run(delivered(inline(peer, 0, &7)));
        }
        assert!(start.elapsed() >= 2 * CONNECTING, "{profile}: {:?}", start.elapsed());
    }
}
