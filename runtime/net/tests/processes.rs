//! NICs of several processes: the other process is this program, run again with the name of the test [`helper`];
//! `HELPER` says which part it plays and which file it inherits.

use cushmem_net::{Lane, Memory, Nic, NicOp, Posted, What, Work};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

const HELPER: &str = "HELPER";
const LIMIT: Duration = Duration::from_secs(60);
const BYTES: u64 = 1 << 20;
const ADDITIONS: u64 = 2000;

/// Kills the other process if the test fails.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Other {
    /// Starts `part` of [`helper`] with an inherited file.
    fn start(part: &str, file: &OwnedFd) -> Self {
        fcntl(file, FcntlArg::F_SETFD(FdFlag::empty())).expect("let it be inherited");
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command
            .args(["--exact", "helper", "--nocapture", "--ignored"])
            .env(HELPER, format!("{part}:{}", file.as_raw_fd()));
        Self(command.spawn().expect("start it again"))
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.0.id() as i32)
    }

    /// Waits for the state that `is_it` accepts.
    fn wait_until(&self, flags: WaitPidFlag, is_it: impl Fn(WaitStatus) -> bool) {
        let start = Instant::now();
        while !is_it(waitpid(self.pid(), Some(flags | WaitPidFlag::WNOHANG)).expect("a child")) {
            assert!(start.elapsed() < LIMIT, "not within {LIMIT:?}");
            std::thread::yield_now();
        }
    }

    fn ends_well(&self) {
        self.wait_until(WaitPidFlag::empty(), |state| match state {
            WaitStatus::StillAlive => false,
            ended => {
                assert!(matches!(ended, WaitStatus::Exited(_, 0)), "{ended:?}");
                true
            }
        });
    }
}

fn file() -> OwnedFd {
    let file = memfd_create(c"cushmem-test", MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
    nix::unistd::ftruncate(&file, BYTES as i64).expect("size it");
    file
}

fn nic(settings: &str, file: OwnedFd) -> Nic {
    let nic = Nic::start(settings.parse().expect("settings"), 0, Duration::ZERO).expect("start a NIC");
    nic.register(1, 0, Memory { file: Arc::new(file), offset: 0, bytes: BYTES });
    nic
}

fn run(lane: &Lane, at: u64, what: What) {
    let start = Instant::now();
    let work = Work { peer: 1, region: 0, at, what, delivered: true };
    // SAFETY: the callers' buffers outlive the wait.
    let Posted::Ticket(ticket) = (unsafe { lane.post(work) }) else { panic!("the ring is full") };
    while lane.done() < ticket {
        assert!(start.elapsed() < LIMIT, "not within {LIMIT:?}");
        std::thread::yield_now();
    }
    assert_eq!(lane.failure(), None);
}

fn put(lane: &Lane, at: u64, source: &[u8]) {
    run(lane, at, What::Put { from: source.as_ptr().expose_provenance(), bytes: source.len() });
}

fn get(lane: &Lane, at: u64, bytes: usize) -> Vec<u8> {
    let mut to = vec![0; bytes];
    run(lane, at, What::Get { to: to.as_mut_ptr().expose_provenance(), bytes });
    to
}

/// Adds with faults, so that engines yield between load and store. Each process starts when both are running.
fn add_many(lane: &Lane, me: u64) {
    let start = Instant::now();
    put(lane, 128 + 8 * me, &[1]);
    while get(lane, 128 + 8 * (1 - me), 1) != [1] {
        assert!(start.elapsed() < LIMIT, "not within {LIMIT:?}");
    }
    for _ in 0..ADDITIONS {
        run(lane, 64, What::Amo { op: NicOp::Add, width: 8, operand: 1, condition: 0, to: 0 });
    }
}

/// The part of the other process.
#[test]
#[ignore = "started by the others"]
fn helper() {
    let Ok(asked) = std::env::var(HELPER) else { return };
    let (part, number) = asked.split_once(':').expect("two parts");
    let number: RawFd = number.parse().expect("a descriptor");
    // SAFETY: the descriptor was inherited for this purpose and stays open until the process ends.
    let file = unsafe { BorrowedFd::borrow_raw(number) };
    let file = file.try_clone_to_owned().expect("duplicate it");
    if part == "add" {
        return add_many(&nic("verbs:3", file).lane(), 1);
    }
    let nic = nic("tcp", file);
    let lane = nic.lane();
    put(&lane, 0, &[1; 100]);
    raise(Signal::SIGSTOP).expect("stop");
    assert_eq!(get(&lane, 100, 300_000), [2; 300_000]);
    assert_eq!(get(&lane, 400_000, 8), 7_u64.to_ne_bytes());
}

#[test]
fn a_stopped_process_is_read_and_written() {
    for settings in ["verbs", "tcp", "efa"] {
        let file = file();
        let other = Other::start("stop", &file);
        other.wait_until(WaitPidFlag::WUNTRACED, |state| matches!(state, WaitStatus::Stopped(_, Signal::SIGSTOP)));
        let nic = nic(settings, file);
        let lane = nic.lane();
        assert_eq!(get(&lane, 0, 100), [1; 100]);
        put(&lane, 100, &[2; 300_000]);
        run(&lane, 400_000, What::Amo { op: NicOp::Add, width: 8, operand: 7, condition: 0, to: 0 });
        drop(nic);
        kill(other.pid(), Signal::SIGCONT).expect("let it go on");
        other.ends_well();
    }
}

#[test]
fn additions_of_two_processes_are_all_there() {
    let file = file();
    let other = Other::start("add", &file);
    let nic = nic("efa:4", file);
    let lane = nic.lane();
    add_many(&lane, 0);
    other.ends_well();
    assert_eq!(get(&lane, 64, 8), (2 * ADDITIONS).to_ne_bytes());
}
