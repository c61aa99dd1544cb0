use super::*;
use crate::loopback::faults::{LONGEST, Part};
use crate::loopback::flow::Flow;
use crate::loopback::memory::Table;
use crate::loopback::wire::Wire;
use proptest::prelude::*;
use std::cmp::Reverse;

#[test]
fn texts_say_what_is_valid() {
    let faulty = [
        "tcp:7,cut=3@1000",
        "verbs:0,cut=0@0",
        "efa:7,fail=1@20",
        "tcp:1,cut=2@3,fail=1@20",
        "tcp:1,silent=2@3,stop=1,later=20",
        "verbs:0,later=1,refuse=1@4",
    ];
    for text in ["verbs", "tcp", "efa", "efa:7"].into_iter().chain(faulty) {
        assert_eq!(text.parse::<Settings>().expect(text).to_string(), text);
    }
    assert_eq!("efa".parse(), Ok(Profile::Efa));
    assert_eq!("7,cut=3@10".parse(), Ok(Faults { seed: 7, cut: Some((3, 10)), ..Faults::default() }));
    let error = |text: &str| text.parse::<Settings>().expect_err(text).to_string();
    assert_eq!(error("ib"), "`ib` is not a profile: verbs, tcp or efa");
    let bad = ["7,cut=3@1,", "-1", "7,drop=1", "7,fail=1", "7,fail=1@2,fail=1@2", "7,stop=1@2", "7,later=1,later=2"];
    for faults in ["", "x", "7,", "7,cut=3", "7,cut=a@1"].into_iter().chain(bad) {
        let valid =
            "SEED[,cut=PEER@N][,fail=PEER@N][,silent=PEER@N][,stop=PEER][,later=MS][,refuse=PEER@N] with whole numbers";
        assert_eq!(error(&format!("efa:{faults}")), format!("`{faults}` is not {valid}"));
    }
}

proptest! {
    #[test]
    fn settings_come_back_from_their_text(
        profile in 0_usize..3, seed: Option<u64>, places: [Option<(u32, u64)>; 4], stop: Option<u32>, later: Option<u32>,
    ) {
        let [cut, fail, silent, refuse] = places;
        let faults = seed.map(|seed| Faults { seed, cut, fail, silent, stop, later, refuse });
        let settings = Settings { profile: Profile::ALL[profile], faults };
        prop_assert_eq!(settings.to_string().parse(), Ok(settings));
    }
}

fn delays(seed: u64, me: u32, lane: u32) -> Vec<Duration> {
    let faults = Faults { seed, ..Faults::default() };
    (1..=1000).map(|ticket| faults.delay(me, lane, ticket, Part::Execute)).collect()
}

#[test]
fn a_seed_repeats_its_delays() {
    assert_eq!(delays(7, 1, 2), delays(7, 1, 2));
    for other in [delays(8, 1, 2), delays(7, 2, 2), delays(7, 1, 3)] {
        assert_ne!(delays(7, 1, 2), other);
    }
    assert!(delays(0, 1, 2).iter().all(Duration::is_zero));
    let drawn = delays(7, 1, 2);
    assert!(drawn.iter().all(|delay| *delay <= LONGEST));
    assert!(drawn.iter().any(|delay| *delay > LONGEST / 2) && drawn.iter().any(|delay| *delay < LONGEST / 100));
}

pub(super) fn wire(settings: &str, peer: &Peer) -> Wire {
    let mut table = Table::default();
    let backing = crate::loopback::memory::Backing::File(peer.memory.clone());
    table.learn((1, REGION), 0, 0, backing).expect("learn");
    Wire::new(3, settings.parse().expect("settings"), table)
}

/// The order in which a flow completes operations posted at once, on a clock that the test advances.
fn order_of_completion(settings: &str) -> Vec<u64> {
    let peer = Peer::new("cushmem-test", 4096);
    let mut wire = wire(settings, &peer);
    let (mut flow, mut now, mut order) = (Flow::default(), Instant::now(), Vec::new());
    for ticket in 1..=50 {
        flow.push(wire.admit(0, ticket, delivered(inline(1, 0, &7)), now));
    }
    while let Some(due) = flow.next_due(&wire) {
        now = now.max(due);
        flow.run(&mut wire, now, |ticket, outcome| order.push(outcome.map(|()| ticket).expect("no failure")));
    }
    order
}

#[test]
fn delays_reorder_what_the_profile_leaves_open() {
    let posted: Vec<u64> = (1..=50).collect();
    let faults = Faults { seed: 7, ..Faults::default() };
    let mut by_delay = posted.clone();
    by_delay.sort_by_key(|ticket| (faults.delay(3, 0, *ticket, Part::Execute), Reverse(*ticket)));
    assert_ne!(by_delay, posted);
    assert_eq!(order_of_completion("efa:7"), by_delay);
    assert_eq!(order_of_completion("tcp:7"), posted);
    assert_eq!(order_of_completion("verbs:7"), posted);
}

#[test]
fn little_is_on_its_way() {
    let peer = Peer::new("cushmem-test", 1 << 17);
    let source = vec![1; 1 << 17];
    for settings in ["verbs:7", "efa:7"] {
        let mut wire = wire(settings, &peer);
        let (mut flow, now) = (Flow::default(), Instant::now());
        let later = now + LONGEST;
        (1..=250).for_each(|ticket| flow.push(wire.admit(0, ticket, put(1, 0, &source), now)));
        let mut most = 0;
        while flow.run(&mut wire, later, |_, _| ()) {
            most = most.max(wire.on_the_way);
        }
        assert!(!flow.is_empty() && (1..=4 << 20).contains(&most), "{settings}: {most}");
        assert!(flow.run(&mut wire, later + 2 * LONGEST, |_, _| ()));
        assert!(flow.is_empty() && wire.on_the_way == 0);
    }
}

#[test]
fn a_peer_that_is_cut_off_fails_from_then_on() {
    for profile in Profile::ALL {
        let rig = Rig::new(&format!("{profile}:0,cut=2@5"), 2, 4096);
        (0..5).for_each(|at| rig.run(delivered(inline(2, at * 8, &7))));
        (0..9).for_each(|at| rig.run(delivered(inline(1, at * 8, &7))));
        let (mut back, mut old) = ([0; 8], 0);
        let works = [inline(2, 40, &7), get(2, 0, &mut back), amo(2, 0, WordOp::Add, 1, &mut old)];
        for (work, operation) in works.into_iter().zip(["put of", "get of", "atomic operation on"]) {
            let lane = rig.nic.lane();
            let ticket = post(&lane, work);
            until("the failure", || lane.done() >= ticket);
            let lost = format!("peer 2: {operation} 8 bytes: the connection is lost: it was cut after 5 operations");
            assert_eq!(lane.failure().expect("a failure").to_string(), lost);
        }
        let ticket = post(&rig.lane, amo(1, 72, WordOp::Fetch, 0, &mut old));
        until("others go on", || rig.lane.done() >= ticket && rig.peers[0].load(64) == 7);
        until("the last arrives", || rig.peers[1].load(32) == 7);
        assert_eq!((rig.peers[1].load(40), rig.peers[1].load(0)), (0, 7));
    }
}
