use super::*;

#[test]
fn a_source_that_changes_before_completion_shows() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 1, 4096);
        let source = [AtomicU64::new(1), AtomicU64::new(1)];
        rig.hold(Step::Piece);
        let from = (&raw const source).expose_provenance();
        post(&rig.lane, delivered(work(1, 0, Operation::Put { from, bytes: 16, ordered: false })));
        let ticket = post(&rig.lane, delivered(inline(1, 64, &1)));
        source[0].store(2, Ordering::SeqCst);
        rig.release(Step::Piece);
        rig.wait(ticket);
        until("the put", || rig.peers[0].load(8) == 1 && rig.peers[0].load(64) == 1);
        assert_eq!(rig.peers[0].load(0), 2, "{profile}");
    }
}

#[test]
fn the_last_piece_goes_first() {
    const BYTES: usize = 1 << 20;
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 1, BYTES);
        let source = vec![1; BYTES];
        rig.open.0.allow(Step::Piece, 1);
        let ticket = post(&rig.lane, put(1, 0, &source));
        until("a piece", || rig.open.0.refused(Step::Piece) > 0);
        let begin = (0..BYTES).find(|&at| rig.peers[0].byte(at) == 1).expect("a piece has arrived");
        assert!(begin > 0 && begin.is_multiple_of(64) && BYTES - begin <= 64 * 1024, "{profile}: {begin}");
        assert!((begin..BYTES).all(|at| rig.peers[0].byte(at) == 1));
        assert!(rig.lane.done() < ticket);
        rig.release(Step::Piece);
        rig.wait(ticket);
        until("the first piece", || rig.peers[0].byte(0) == 1);

        let mut back = vec![0_u8; BYTES];
        let seen = back.as_mut_ptr();
        let before = rig.open.0.refused(Step::Piece);
        rig.open.0.allow(Step::Piece, 1);
        let ticket = post(&rig.lane, work(1, 0, Operation::Get { to: seen.expose_provenance(), bytes: BYTES }));
        until("a piece", || rig.open.0.refused(Step::Piece) > before);
        // SAFETY: within the buffer, to which the engine does not write while it is held.
        let (first, last) = unsafe { (seen.read_volatile(), seen.add(BYTES - 1).read_volatile()) };
        assert_eq!((first, last), (0, 1), "{profile}");
        rig.release(Step::Piece);
        rig.wait(ticket);
        assert!(back.iter().all(|byte| *byte == 1));
    }
}

/// Posts operations on one word. The value that remains is that of the operation that took effect last.
fn last_to_take_effect(profile: Profile) -> u64 {
    let rig = Rig::new(&profile.to_string(), 1, 4096);
    rig.hold(Step::Piece);
    for value in 1..=100 {
        post(&rig.lane, delivered(inline(1, 0, &value)));
    }
    rig.until_known();
    rig.release(Step::Piece);
    rig.wait(100);
    rig.run(amo(1, 8, WordOp::Fetch, 0, &mut 0));
    rig.peers[0].load(0)
}

#[test]
fn verbs_and_tcp_keep_the_order_of_posts() {
    assert_eq!(last_to_take_effect(Profile::Verbs), 100);
    assert_eq!(last_to_take_effect(Profile::Tcp), 100);
}

#[test]
fn efa_begins_with_the_newest() {
    assert_eq!(last_to_take_effect(Profile::Efa), 1);
}

#[test]
fn tickets_are_complete_in_their_order_all_the_same() {
    let rig = Rig::new("efa", 1, 4096);
    rig.hold(Step::Piece);
    let tickets: Vec<u64> =
        (1..=10).map(|value| post(&rig.lane, delivered(inline(1, value as usize * 8, &value)))).collect();
    assert_eq!(tickets, (1..=10).collect::<Vec<_>>());
    rig.until_known();
    rig.open.0.allow(Step::Piece, 9);
    until("9 of 10", || rig.peers[0].load(16) == 2);
    assert_eq!((rig.peers[0].load(8), rig.lane.done()), (0, 0));
    rig.release(Step::Piece);
    rig.wait(10);
}

/// The engine asks for each peer in turn, the last one first. If a piece is allowed between the two questions, the
/// first put takes it, so this may need several attempts.
#[test]
fn there_is_no_order_between_peers() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 2, 4096);
        let mut attempt = 0;
        until("the second put overtakes the first", || {
            attempt += 1;
            rig.hold(Step::Piece);
            post(&rig.lane, delivered(inline(1, 0, &attempt)));
            let ticket = post(&rig.lane, delivered(inline(2, 0, &attempt)));
            rig.until_known();
            rig.open.0.allow(Step::Piece, 1);
            let has = |peer: usize| rig.peers[peer].load(0) == attempt;
            until("one is there", || has(0) || has(1));
            let overtakes = has(1);
            assert!(!(has(0) && has(1)), "{profile}: one was allowed");
            rig.release(Step::Piece);
            rig.wait(ticket);
            until("both are there", || has(0) && has(1));
            overtakes
        });
    }
}

#[test]
fn others_run_between_the_pieces_of_a_long_put() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 2, 1 << 20);
        let source = vec![1; 1 << 20];
        rig.open.0.allow(Step::Piece, 1);
        let ticket = post(&rig.lane, put(1, 0, &source));
        until("a piece", || rig.open.0.refused(Step::Piece) > 0);
        post(&rig.lane, delivered(inline(2, 0, &7)));
        rig.open.0.allow(Step::Piece, 3);
        until("the short put", || rig.peers[1].load(0) == 7);
        assert!(rig.lane.done() < ticket);
        rig.release(Step::Piece);
        rig.wait(ticket + 1);
    }
}

/// When the turn of the long put comes, the short put is complete but not delivered. The bytes of the long put must
/// still replace its bytes.
#[test]
fn a_long_put_does_not_overtake_a_short_one() {
    const BYTES: usize = 1 << 20;
    let rig = Rig::new("verbs", 1, BYTES);
    let source = vec![1; BYTES];
    rig.hold(Step::Deliver);
    post(&rig.lane, inline(1, BYTES - 8, &7));
    rig.run(put(1, 0, &source));
    rig.release(Step::Deliver);
    until("all arrive", || rig.peers[0].byte(0) == 1);
    assert_eq!(rig.peers[0].load(BYTES - 8), 0x0101_0101_0101_0101);
}

/// The guarantee that signals rely on: a flag is put after short and long data to the same peer.
#[test]
fn a_flag_never_overtakes_data_in_verbs_and_tcp() {
    const LONG: usize = 100_000;
    for settings in ["verbs", "tcp", "verbs:3", "tcp:3"] {
        let rig = Rig::new(settings, 1, 2 * LONG);
        let rounds = if settings.contains(':') { 60 } else { 1000 };
        for round in 1..=rounds {
            let source = vec![round as u8; LONG];
            let lengths = [LONG, 8, 5000, 100];
            let bytes = lengths[round % lengths.len()];
            post(&rig.lane, put(1, 128, &source[..bytes]));
            post(&rig.lane, put(1, LONG + 256, &source[..1]));
            let ticket = post(&rig.lane, inline(1, 0, &(round as u64)));
            until("the flag", || rig.peers[0].load(0) == round as u64);
            let seen = [128, 128 + bytes / 2, 127 + bytes, LONG + 256].map(|at| rig.peers[0].byte(at));
            assert_eq!(seen, [round as u8; 4], "{settings}, round {round}");
            rig.wait(ticket);
        }
    }
}
