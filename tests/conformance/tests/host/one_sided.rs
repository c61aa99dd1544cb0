//! The target of an operation takes no part in it: it computes, sleeps, or is stopped.

use crate::place::objects;
use cushmem::Shmem;
use cushmem_conformance::{conformance, expect_words, gpus_reach_each_other, seeded};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};
use std::time::{Duration, Instant};
use xtask::launch::network_is_like_tcp;

conformance! { host, soft, cuda => {
    target_is_stopped: 2;
} }

/// The process's state letter in /proc.
pub fn state(pid: i32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

pub fn wait_for_state(pid: i32, wanted: char) {
    let start = Instant::now();
    while state(pid) != Some(wanted) {
        assert!(start.elapsed() < Duration::from_secs(60), "process {pid} is in state {:?}", state(pid));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Catches an operation that waits for the target's help: it would hang until the job's limit ends it. PE 1 is stopped
/// while PE 0 tries everything with its memory. Over a network that needs its process, PE 1 only calls nothing.
fn target_is_stopped(shmem: &Shmem) {
    let stops = shmem.team_shared().n_pes() == 2 || !network_is_like_tcp();
    const LEN: usize = 100_000;
    let pid = shmem.malloc::<i32>(1).expect("malloc");
    let done = shmem.malloc::<u64>(1).expect("malloc");
    let words = shmem.malloc::<u64>(4).expect("malloc");
    let data = objects::<u32>(shmem, LEN);
    words.copy_from(&[1, 2, 3, 4]).expect("write");
    done.copy_from(&[0]).expect("write");
    if shmem.my_pe() == 1 {
        shmem.p(pid.at(0), getpid().as_raw(), 0).expect("p");
    }
    let mut random = seeded();
    let payload: Vec<u32> = (0..LEN).map(|_| random.bits() as u32).collect();
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 1 {
        // No call to the library until the other PE says that it is done; the process is stopped in here.
        let deadline = Instant::now() + Duration::from_secs(100);
        while shmem.signal_fetch(done.at(0)).expect("signal_fetch") == 0 {
            assert!(Instant::now() < deadline, "PE 0 does not finish");
            std::thread::sleep(Duration::from_millis(5));
        }
    } else {
        let target = shmem.g(pid.at(0), 0).expect("g");
        if stops {
            kill(Pid::from_raw(target), Signal::SIGSTOP).expect("stop PE 1");
            cushmem_conformance::wait_until_stopped(target);
            wait_for_state(target, 'T');
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let is_mapped = gpus_reach_each_other() && shmem.team_shared().n_pes() == 2;
            for object in data.iter().filter(|object| !object.is_gpu() || is_mapped) {
                object.copy_from(&payload).expect("write");
                shmem.put(object.slice(..LEN / 2), &payload[..LEN / 2], 1).expect("put");
                shmem.put_nbi(*object, *object, 1).expect("put_nbi");
                shmem.quiet().expect("quiet");
                let mut back = vec![0; LEN];
                shmem.get(&mut back, *object, 1).expect("get");
                expect_words(|| "what was put to a stopped PE".into(), &back, |i| payload[i]);
            }
            // The CPUs of its own node change its words, and the stopped PE may be alone there.
            if shmem.team_shared().n_pes() == 2 {
                assert_eq!(shmem.fetch_add(words.at(0), 10, 1).expect("fetch_add"), 1);
                assert_eq!(shmem.compare_swap(words.at(1), 2, 20, 1).expect("compare_swap"), 2);
            }
            shmem.p(words.at(2), 30, 1).expect("p");
            assert_eq!(shmem.g(words.at(3), 1).expect("g"), 4);
            shmem.quiet().expect("quiet");
        }));
        assert!(!stops || state(target) == Some('T'), "PE 1 ran meanwhile");
        if stops {
            kill(Pid::from_raw(target), Signal::SIGCONT).expect("let PE 1 go on");
        }
        if let Err(panic) = result {
            std::panic::resume_unwind(panic);
        }
        shmem.p(done.at(0), 1, 1).expect("p");
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 1 {
        let changed = if shmem.team_shared().n_pes() == 2 { [11, 20] } else { [1, 2] };
        assert_eq!(words.to_vec().expect("read"), [changed[0], changed[1], 30, 4]);
        let is_mapped = gpus_reach_each_other() && shmem.team_shared().n_pes() == 2;
        for object in data.iter().filter(|object| !object.is_gpu() || is_mapped) {
            expect_words(|| "what a stopped PE received".into(), &object.to_vec().expect("read"), |i| payload[i]);
        }
    }
}
