//! What the launcher is told about the waits of PEs.

use cushmem::{Cmp, Shmem};
use cushmem_conformance::{conformance, expect_status};
use std::time::Duration;
use xtask::launch::is_on_hosts;
use xtask::left_out::record;

conformance! { host, soft => {
    who_is_late_is_named: 3;
    collectives_name_their_team: 3;
} }

/// On several hosts, nobody answers a PE, and these tests check nothing else.
fn is_left_out(test: &str) -> bool {
    if is_on_hosts() {
        record(&format!("the status of a job, {test}"), "nobody answers a PE of a job on several hosts");
    }
    is_on_hosts()
}

/// Catches a wait that is described wrongly, or not at all. PE 2 is late for everything.
fn who_is_late_is_named(shmem: &Shmem) {
    if is_left_out("who_is_late_is_named") {
        return;
    }
    let is_late = shmem.my_pe() == 2;
    let word = shmem.malloc::<i32>(1).expect("malloc").at(0);
    shmem.p(word, -4, shmem.my_pe()).expect("p");
    shmem.barrier_all().expect("barrier");
    for _ in 0..2 {
        if is_late {
            let barrier = ": waiting for PE 2 for ";
            expect_status(&["PE 0: barrier_all ", barrier, "PE 1: barrier_all ", barrier, "PE 2: computing\n"]);
        }
        shmem.barrier_all().expect("barrier");
    }
    if is_late {
        let waits = " (now -4, wanted > 0) for ";
        expect_status(&["PE 0: wait_until of the word at 0x", waits, "PE 1: wait_until of the word at 0x"]);
        (0..3).for_each(|pe| shmem.p(word, 7, pe).expect("p"));
    }
    assert_eq!(shmem.wait_until(word, Cmp::Gt, 0).expect("wait_until"), 7);
    if is_late {
        expect_status(&["PE 0: computing\n", "PE 1: computing\n"]);
        (0..3).for_each(|pe| shmem.p(word, 8, pe).expect("p"));
    } else {
        while shmem.g(word, shmem.my_pe()).expect("g") != 8 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Catches a collective's wait that does not name the team. PE 2 is late for a team of two, and for one of all PEs.
fn collectives_name_their_team(shmem: &Shmem) {
    if is_left_out("collectives_name_their_team") {
        return;
    }
    let me = shmem.my_pe();
    let words = shmem.malloc::<u64>(2).expect("malloc");
    words.copy_from(&[0, 0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let pair = shmem.team_split_strided(shmem.team_world(), 0, 2, 2).expect("team_split_strided");
    if me == 2 {
        expect_status(&["PE 0: broadcast of PEs 0, 2: waiting for PE 2 for ", "PE 1: computing\n"]);
    }
    if let Some(pair) = &pair {
        shmem.broadcast(pair, words.slice(..1), words.slice(1..), 1).expect("broadcast");
        shmem.team_sync(pair).expect("team_sync");
    }
    if me == 1 {
        // Not in a collective before PE 2 has looked.
        while shmem.g(words.at(0), 1).expect("g") != 5 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    if me == 2 {
        expect_status(&["PE 0: team_sync of all PEs: waiting for PE ", "PE 1: computing\n"]);
        shmem.p(words.at(0), 5, 1).expect("p");
        // On several nodes, a PE waits for the first PE of its own node, and these first PEs wait for each other.
        let late = if shmem.team_shared().n_pes() == shmem.n_pes() { "2 " } else { "" };
        let waits = [0, 1].map(|pe| format!("PE {pe}: team_sync of all PEs: waiting for PE {late}"));
        expect_status(&[&waits[0], &waits[1]]);
    }
    shmem.team_sync(shmem.team_world()).expect("team_sync");
    if let Some(pair) = pair {
        shmem.team_destroy(pair);
    }
    shmem.barrier_all().expect("barrier");
}
