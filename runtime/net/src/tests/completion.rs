use super::*;

/// Blocks delivery, puts, and waits for completion; returns whether the first byte has arrived by then.
fn has_arrived(profile: Profile, bytes: usize, requested: bool) -> bool {
    let rig = Rig::new(&profile.to_string(), 1, 1 << 20);
    let mut source = vec![1; bytes];
    rig.hold(Step::Deliver);
    rig.run(Work { delivery_complete: requested, ..put(1, 0, &source) });
    let arrived = rig.peers[0].byte(0) == 1;
    // The source belongs to the program again.
    source.fill(2);
    rig.release(Step::Deliver);
    until("it arrives as it was", || (0..bytes).all(|at| rig.peers[0].byte(at) == 1));
    arrived
}

#[test]
fn complete_is_not_delivered() {
    for bytes in [1, 8, 64, 65, 4096, 5000, 1 << 20] {
        assert!(!has_arrived(Profile::Verbs, bytes, false), "{bytes}");
        assert!(!has_arrived(Profile::Verbs, bytes, true), "verbs tells it never: {bytes}");
        assert!(!has_arrived(Profile::Efa, bytes, false), "{bytes}");
        assert!(!has_arrived(Profile::Tcp, bytes, false), "{bytes}");
    }
}

#[test]
fn complete_is_delivered_on_demand_in_tcp_and_efa() {
    for bytes in [1, 8, 64, 65, 4096, 5000, 1 << 20] {
        assert!(has_arrived(Profile::Tcp, bytes, true), "{bytes}");
        assert!(has_arrived(Profile::Efa, bytes, true), "{bytes}");
    }
}

#[test]
fn a_get_or_an_amo_flushes_verbs() {
    let mut word = 0_u64;
    for flush in [get(1, 4096, &mut [0; 8]), amo(1, 4096, WordOp::Fetch, 0, &mut word)] {
        let rig = Rig::new("verbs", 2, 1 << 17);
        let source = vec![1; 1 << 17];
        let mut to = [0_u8; 8];
        let flush = match flush.operation {
            Operation::Get { .. } => get(1, 4096, &mut to),
            _ => flush,
        };
        rig.hold(Step::Deliver);
        post(&rig.lane, put(1, 0, &source));
        post(&rig.lane, inline(2, 0, &7));
        rig.run(inline(1, 8, &5));
        assert_eq!((rig.peers[0].load(0), rig.peers[0].load(8)), (0, 0));
        rig.run(flush);
        assert_eq!((rig.peers[0].load(0), rig.peers[0].load(8)), (0x0101_0101_0101_0101, 5));
        assert_eq!(rig.peers[1].load(0), 0, "a flush is for one peer");
        rig.release(Step::Deliver);
    }
}

#[test]
fn a_get_flushes_nothing_in_efa() {
    let rig = Rig::new("efa", 1, 4096);
    rig.hold(Step::Deliver);
    rig.run(inline(1, 0, &7));
    let mut back = [9; 8];
    rig.run(get(1, 0, &mut back));
    assert_eq!(back, [0; 8]);
    rig.release(Step::Deliver);
    until("it arrives", || rig.peers[0].load(0) == 7);
}

#[test]
fn a_flush_is_for_its_own_lane() {
    let rig = Rig::new("verbs", 1, 4096);
    let other = rig.nic.lane();
    rig.hold(Step::Deliver);
    rig.run(inline(1, 0, &7));
    wait(&other, post(&other, get(1, 0, &mut [0; 8])));
    assert_eq!(rig.peers[0].load(0), 0);
    rig.release(Step::Deliver);
}

#[test]
fn dropping_the_nic_delivers_what_was_posted() {
    for settings in ["verbs", "tcp", "efa", "verbs:9", "efa:9"] {
        let Rig { open, lane, nic, peers } = Rig::new(settings, 2, 1 << 20);
        let source = vec![1; 1 << 19];
        open.0.allow(Step::Piece, 1);
        for at in 0..100 {
            post(&lane, inline(1 + at as u32 % 2, at * 8, &7));
        }
        let last = post(&lane, put(2, 1 << 19, &source));
        open.0.allow(Step::Piece, u64::MAX);
        drop(nic);
        assert_eq!(lane.done(), last, "{settings}");
        assert!((0..100).all(|at| peers[at % 2].load(at * 8) == 7), "{settings}");
        assert!((1 << 19..1 << 20).all(|at| peers[1].byte(at) == 1), "{settings}");
    }
}

#[test]
fn a_lane_may_go_before_its_operations_are_done() {
    let rig = Rig::new("verbs", 1, 4096);
    rig.hold(Step::Piece);
    let lane = rig.nic.lane();
    post(&lane, inline(1, 0, &7));
    drop(lane);
    rig.release(Step::Piece);
    until("the put", || rig.peers[0].load(0) == 7);
    // The engine forgets the lane and continues with others.
    (0..100).for_each(|_| rig.run(inline(1, 8, &8)));
}
