use super::*;

#[test]
fn words_of_4_bytes_leave_their_neighbours_alone() {
    let rig = Rig::new("verbs", 1, 4096);
    rig.peers[0].word(0).store(0x7777_7777_ffff_ffff, Ordering::SeqCst);
    let mut old = [0_u32; 2];
    let to = (&raw mut old).expose_provenance();
    // The upper halves of operand and condition are ignored.
    let add = Operation::Amo { op: WordOp::Add, width: 4, operand: 0x5_0000_0003, condition: 0, to };
    rig.run(work(1, 0, add));
    assert_eq!((old, rig.peers[0].load(0)), ([u32::MAX, 0], 0x7777_7777_0000_0002));
    let swap = Operation::Amo { op: WordOp::CompareSwap, width: 4, operand: 9, condition: 0x8_7777_7777, to: 0 };
    rig.run(work(1, 4, swap));
    assert_eq!(rig.peers[0].load(0), 0x0000_0009_0000_0002);
}

#[test]
fn additions_of_two_nics_are_all_there() {
    const ADDITIONS: u64 = 3000;
    let peer = Peer::new("cushmem-test", 4096);
    std::thread::scope(|scope| {
        for settings in ["verbs", "efa:5"] {
            let peer = &peer.memory;
            scope.spawn(move || {
                let nic = nic(settings);
                learn(&nic, 1, &peer.card());
                let lane = nic.lane();
                for posted in 1..=ADDITIONS {
                    let add = Operation::Amo { op: WordOp::Add, width: 8, operand: 1, condition: 0, to: 0 };
                    let ticket = post(&lane, work(1, 0, add));
                    if posted % 200 == 0 {
                        wait(&lane, ticket);
                    }
                }
            });
        }
    });
    assert_eq!(peer.load(0), 2 * ADDITIONS);
}

#[test]
fn an_addition_of_the_cpu_is_lost() {
    let rig = Rig::new("verbs", 1, 4096);
    rig.hold(Step::StoreAmo);
    let mut old = 0;
    let ticket = post(&rig.lane, amo(1, 0, WordOp::Add, 1, &mut old));
    until("the load", || rig.open.0.refused(Step::StoreAmo) > 0);
    rig.peers[0].word(0).fetch_add(100, Ordering::SeqCst);
    rig.release(Step::StoreAmo);
    rig.wait(ticket);
    assert_eq!(rig.peers[0].load(0), 1);
}

/// While one NIC is between load and store, another cannot be.
#[test]
fn another_nic_waits_for_the_store() {
    let [first, second] = ["verbs", "tcp"].map(|settings| Rig::new(settings, 1, 4096));
    learn(&second.nic, 2, &first.peers[0].memory.card());
    first.hold(Step::StoreAmo);
    second.hold(Step::StoreAmo);
    let mut old = [0; 2];
    let ticket = post(&first.lane, amo(1, 0, WordOp::Add, 1, &mut old[0]));
    until("the load", || first.open.0.refused(Step::StoreAmo) > 0);
    let other = post(&second.lane, amo(2, 0, WordOp::Add, 1, &mut old[1]));
    // This gives it enough time to get between its own load and store, where the gate would refuse it.
    (0..1000).for_each(|_| std::thread::yield_now());
    assert_eq!(second.open.0.refused(Step::StoreAmo), 0);
    first.release(Step::StoreAmo);
    first.wait(ticket);
    second.release(Step::StoreAmo);
    second.wait(other);
    assert_eq!(first.peers[0].load(0), 2);
}
