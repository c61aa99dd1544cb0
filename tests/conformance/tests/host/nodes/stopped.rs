//! PEs that are stopped: which PEs go on without them, and which wait.

use crate::one_sided::{state, wait_for_state};
use cushmem::{Shmem, SymPtr};
use cushmem_conformance::{expect_status, expect_words, seeded};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};
use std::time::{Duration, Instant};

/// On these networks a target takes no part.
mod one_sided_only {
    use super::{NOTHING, a_stopped_node_takes_puts_and_gets, another_pe_of_the_node_answers};
    cushmem_conformance::on_nodes! { with NOTHING: verbs {
        a_stopped_node_takes_puts_and_gets: 3 on 2;
        another_pe_of_the_node_answers: 3 on 2;
    } }
    cushmem_conformance::on_nodes! { with NOTHING: efa {
        a_stopped_node_takes_puts_and_gets: 3 on 2;
        another_pe_of_the_node_answers: 3 on 2;
    } }
}

const NOTHING: &[(&str, &str)] = &[];

mod limited {
    use super::{LIMITED, a_stopped_pe_is_waited_for, a_stopped_pe_is_waited_for_in_a_barrier};
    cushmem_conformance::on_nodes! { with LIMITED: tcp {
        a_stopped_pe_is_waited_for: 3 on 2;
        a_stopped_pe_is_waited_for_in_a_barrier: 3 on 2;
    } }
}

/// Much less than the time for which a PE is stopped.
const LIMITED: &[(&str, &str)] = &[("CUSHMEM_NET_LIMIT_S", "0.2")];
const STOPPED_FOR: Duration = Duration::from_secs(2);

mod quick {
    use super::{QUICK, operations_are_carried_out_once, stops_at_any_moment_cost_no_operation};
    cushmem_conformance::on_nodes! { with QUICK: tcp {
        operations_are_carried_out_once: 3 on 2, 5 on 2;
        stops_at_any_moment_cost_no_operation: 3 on 2;
    } }
}

/// No delays, so that PEs of a node compete for each operation.
const QUICK: &[(&str, &str)] = &[("CUSHMEM_NET", "loopback:tcp")];

/// Returns the process of a PE, on PE `asking`; collective.
pub(super) fn process_of(shmem: &Shmem, pe: u32, asking: u32) -> i32 {
    let word = shmem.malloc::<i32>(1).expect("malloc").at(0);
    if shmem.my_pe() == pe {
        shmem.p(word, getpid().as_raw(), asking).expect("p");
    }
    shmem.barrier_all().expect("barrier");
    shmem.g(word, asking).expect("g")
}

/// A process that is stopped until this value is dropped.
pub(super) struct Stopped(i32);

impl Stopped {
    pub(super) fn now(process: i32) -> Self {
        kill(Pid::from_raw(process), Signal::SIGSTOP).expect("it runs");
        cushmem_conformance::wait_until_stopped(process);
        let stopped = Self(process);
        wait_for_state(process, 'T');
        stopped
    }

    /// Lets the process go on when it has been stopped for long enough since then.
    fn goes_on_later(self, start: Instant) {
        while start.elapsed() < STOPPED_FOR {
            assert_eq!(state(self.0), Some('T'), "it ran meanwhile");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        kill(Pid::from_raw(self.0), Signal::SIGCONT).expect("it is there");
    }
}

/// Waits here, without a call that needs others, until the word is 1. The process is stopped while it waits.
pub(super) fn idle_until_set(shmem: &Shmem, word: SymPtr<'_, u64>) {
    let deadline = Instant::now() + Duration::from_secs(100);
    while shmem.signal_fetch(word).expect("signal_fetch") == 0 {
        assert!(Instant::now() < deadline, "nobody lets this PE go on");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Catches a put or get that needs the target's help, and an atomic operation that is given up, carried out twice, or
/// that waits without saying for whom. PE 2, alone on its node, is stopped.
fn a_stopped_node_takes_puts_and_gets(shmem: &Shmem) {
    const LEN: usize = 5000;
    let process = process_of(shmem, 2, 0);
    let (words, data) = (shmem.malloc::<u64>(2).expect("malloc"), shmem.malloc::<u64>(LEN).expect("malloc"));
    let (done, counter) = (words.at(0), words.at(1));
    words.copy_from(&[0, 100]).expect("write");
    shmem.barrier_all().expect("barrier");
    match shmem.my_pe() {
        0 => {
            let mut random = seeded();
            let payload: Vec<u64> = (0..LEN).map(|_| random.bits()).collect();
            let stopped = Stopped::now(process);
            shmem.put(data, &payload, 2).expect("put");
            shmem.quiet().expect("quiet");
            let mut back = vec![0; LEN];
            shmem.get(&mut back, data, 2).expect("get");
            expect_words(|| "what was put to a stopped node".into(), &back, |i| payload[i]);
            assert_eq!(shmem.atomic_fetch(counter, 2).expect("atomic_fetch"), 100);
            // PE 1 may ask now.
            shmem.p(done, 1, 1).expect("p");
            expect_status(&[
                "PE 1: atomic operation on PE 2, by a PE of node 1: waiting for PE 2 for ",
                "PE 2: does not answer: its process is stopped\n",
            ]);
            assert_eq!(state(process), Some('T'), "PE 2 ran meanwhile");
            drop(stopped);
        }
        1 => {
            idle_until_set(shmem, done);
            assert_eq!(shmem.fetch_add(counter, 1, 2).expect("fetch_add"), 100);
            assert_eq!(shmem.fetch_add(counter, 1, 2).expect("fetch_add"), 101);
            shmem.p(done, 1, 2).expect("p");
        }
        _ => idle_until_set(shmem, done),
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(shmem.atomic_fetch(counter, 2).expect("atomic_fetch"), 102);
    shmem.barrier_all().expect("barrier");
}

/// A network whose targets poll: puts to a stopped PE wait, for longer than a PE may answer nothing. Catches a PE that
/// is taken for dead, and one that nobody names. PE 1 stops PE 2 while PE 0 puts to it.
fn a_stopped_pe_is_waited_for(shmem: &Shmem) {
    const LEN: usize = 5000;
    let process = process_of(shmem, 2, 1);
    let (words, data) = (shmem.malloc::<u64>(1).expect("malloc"), shmem.malloc::<u64>(LEN).expect("malloc"));
    let go = words.at(0);
    words.copy_from(&[0]).expect("write");
    data.copy_from(&[0; LEN]).expect("write");
    shmem.barrier_all().expect("barrier");
    match shmem.my_pe() {
        0 => {
            idle_until_set(shmem, go);
            shmem.put(data, &[7; LEN], 2).expect("put");
            shmem.quiet().expect("quiet");
        }
        1 => {
            let stopped = Stopped::now(process);
            let start = Instant::now();
            shmem.p(go, 1, 0).expect("p");
            expect_status(&[
                "PE 0: operations on other nodes: waiting for PE 2 for ",
                "PE 2: does not answer: its process is stopped\n",
            ]);
            stopped.goes_on_later(start);
        }
        _ => {}
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 2 {
        expect_words(|| "what was put to a stopped PE".into(), &data.to_vec().expect("read"), |_| 7);
    }
    shmem.barrier_all().expect("barrier");
}

/// The same if PE 0 has nothing under way to PE 2 but what its wait asks.
fn a_stopped_pe_is_waited_for_in_a_barrier(shmem: &Shmem) {
    let process = process_of(shmem, 2, 1);
    let go = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.p(go, 0, shmem.my_pe()).expect("p");
    let ends = shmem.team_split_strided(shmem.team_world(), 0, 2, 2).expect("split");
    shmem.barrier_all().expect("barrier");
    match shmem.my_pe() {
        1 => {
            let stopped = Stopped::now(process);
            let start = Instant::now();
            shmem.p(go, 1, 0).expect("p");
            expect_status(&[
                "PE 0: team_sync of PEs 0, 2: waiting for PE 2 for ",
                "PE 2: does not answer: its process is stopped\n",
            ]);
            stopped.goes_on_later(start);
            shmem.p(go, 1, 2).expect("p");
        }
        _ => {
            idle_until_set(shmem, go);
            shmem.team_sync(&ends.expect("this PE is in it")).expect("team_sync");
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches operations that only the word's owner carries out, or only the first PE of its node: each of the two is
/// stopped in turn.
fn another_pe_of_the_node_answers(shmem: &Shmem) {
    let processes = [process_of(shmem, 0, 2), process_of(shmem, 1, 2)];
    let (words, counter) = (shmem.malloc::<u64>(2).expect("malloc"), shmem.malloc::<u32>(2).expect("malloc"));
    words.copy_from(&[0, 0]).expect("write");
    counter.copy_from(&[0, 0]).expect("write");
    shmem.barrier_all().expect("barrier");
    for (round, &process) in processes.iter().enumerate() {
        if shmem.my_pe() == 2 {
            let stopped = Stopped::now(process);
            for i in 0..20 {
                for pe in [0, 1] {
                    assert_eq!(shmem.fetch_add(counter.at(round), 3, pe).expect("fetch_add"), 3 * i);
                }
            }
            assert_eq!(state(process), Some('T'), "the PE ran meanwhile");
            drop(stopped);
            (0..2).for_each(|pe| shmem.p(words.at(round), 1, pe).expect("p"));
        } else {
            idle_until_set(shmem, words.at(round));
        }
        shmem.barrier_all().expect("barrier");
        assert_eq!(shmem.g(counter.at(round), shmem.my_pe().min(1)).expect("g"), 60);
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches two PEs of a node that both carry out an operation: the only PE that asks must get all numbers in order.
fn operations_are_carried_out_once(shmem: &Shmem) {
    let counter = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.p(counter, 0, shmem.my_pe()).expect("p");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == shmem.n_pes() - 1 {
        for number in 0..6000 {
            assert_eq!(shmem.fetch_add(counter, 1, 0).expect("fetch_add"), number);
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a PE that late carries out what another PE of its node has already carried out. PE 0 stops its neighbour
/// repeatedly, at any moment, while PE 2 asks both.
fn stops_at_any_moment_cost_no_operation(shmem: &Shmem) {
    const STOPS: u64 = 1500;
    const LONGEST: Duration = Duration::from_secs(5);
    let process = process_of(shmem, 1, 0);
    let words = shmem.malloc::<u64>(2).expect("malloc");
    words.copy_from(&[0; 2]).expect("write");
    let (over, counter) = (words.at(0), words.at(1));
    shmem.barrier_all().expect("barrier");
    match shmem.my_pe() {
        0 => {
            let mut random = seeded();
            let start = Instant::now();
            // Until the counter has changed this often, or for a short time: PE 1 may have stopped with an operation in
            // hand.
            let follow = |changes: u64| {
                let before = shmem.signal_fetch(counter).expect("signal_fetch");
                let limit = Instant::now() + Duration::from_millis(2);
                while shmem.signal_fetch(counter).expect("signal_fetch") < before + changes && Instant::now() < limit {
                    std::hint::spin_loop();
                }
            };
            for _ in (0..STOPS).take_while(|_| start.elapsed() < LONGEST) {
                follow(1 + random.below(10) as u64);
                (0..random.below(500)).for_each(|_| std::hint::spin_loop());
                kill(Pid::from_raw(process), Signal::SIGSTOP).expect("PE 1 runs");
                follow(3);
                kill(Pid::from_raw(process), Signal::SIGCONT).expect("PE 1 is there");
            }
            [1, 2].into_iter().for_each(|pe| shmem.p(over, 1, pe).expect("p"));
        }
        1 => idle_until_set(shmem, over),
        _ => {
            let mut asked = 0;
            while shmem.signal_fetch(over).expect("signal_fetch") == 0 {
                assert_eq!(shmem.fetch_add(counter, 1, 0).expect("fetch_add"), asked);
                asked += 1;
            }
            shmem.p(over, asked, 0).expect("p");
        }
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let [asked, counted] = words.to_vec().expect("read")[..] else { panic!("two words") };
        assert_eq!(counted, asked);
    }
    shmem.barrier_all().expect("barrier");
}
