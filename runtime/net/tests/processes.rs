//! NICs of several processes: the other process is this program, run again with the name of the test [`helper`];
//! `HELPER` says which part it plays and which file it inherits.

use cushmem_net::{
    Fabric, Lane, Local, Loopback, Memory, Nic, Ofi, OfiSettings, Operation, Post, Posted, Provider, Tag, WordOp, Work,
};
use cushmem_scratch::Folder;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

const HELPER: &str = "HELPER";
const LIMIT: Duration = Duration::from_secs(60);
const BYTES: u64 = 1 << 20;
const ADDRESS: &str = "127.0.0.1";
const ADDITIONS: u64 = 2000;

/// Kills the other process if the test fails.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        // What libfabric's provider `shm` leaves of a process that is killed.
        let start = format!("{ADDRESS}-{}:", self.0.id());
        for file in std::fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().starts_with(&start) {
                let _ = std::fs::remove_file(file.path());
            }
        }
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
    let loopback = Loopback::new(settings.parse().expect("settings"), 0);
    let nic = Nic::over(Provider::Loopback(loopback), Duration::ZERO).expect("start a NIC");
    nic.learn(1, 0, 0, &Memory { file: Arc::new(file), offset: 0, bytes: BYTES }.card()).expect("a card");
    nic
}

fn run(lane: &Lane, at: u64, operation: Operation) {
    let start = Instant::now();
    let work = Work { peer: 1, region: 0, at, operation, delivery_complete: true };
    // SAFETY: the callers' buffers outlive the wait.
    let Posted::Ticket(ticket) = (unsafe { lane.post(work) }) else { panic!("the ring is full") };
    while lane.done() < ticket {
        assert!(start.elapsed() < LIMIT, "not within {LIMIT:?}");
        std::thread::yield_now();
    }
    assert_eq!(lane.failure(), None);
}

fn put(lane: &Lane, at: u64, source: &[u8]) {
    run(lane, at, Operation::Put { from: source.as_ptr().expose_provenance(), bytes: source.len(), ordered: false });
}

fn get(lane: &Lane, at: u64, bytes: usize) -> Vec<u8> {
    let mut to = vec![0; bytes];
    run(lane, at, Operation::Get { to: to.as_mut_ptr().expose_provenance(), bytes });
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
        run(lane, 64, Operation::Amo { op: WordOp::Add, width: 8, operand: 1, condition: 0, to: 0 });
    }
}

/// libfabric on this machine alone.
fn ofi(provider: &str) -> Result<Ofi, String> {
    let library = std::env::var("CUSHMEM_LIBFABRIC").unwrap_or_else(|_| OfiSettings::LIBRARY.to_owned());
    let (provider, address) = (provider.to_owned(), ADDRESS.to_owned());
    Ofi::open(&OfiSettings { library, provider, address, atomics: true })
}

/// Two processes agree by files in this folder: each writes its own, and waits for the other's.
fn exchange(folder: &Path, mine: &str, theirs: &str, bytes: &[u8]) -> Vec<u8> {
    let unfinished = folder.join(format!("{mine}.new"));
    std::fs::write(&unfinished, bytes).expect("write a file");
    std::fs::rename(&unfinished, folder.join(mine)).expect("finish a file");
    let start = Instant::now();
    loop {
        if let Ok(found) = std::fs::read(folder.join(theirs)) {
            return found;
        }
        assert!(start.elapsed() < LIMIT, "{theirs} is not there within {LIMIT:?}");
        std::thread::yield_now();
    }
}

/// Introduces two processes to each other, of which the second has memory for the first.
fn introduce(ofi: &mut Ofi, me: usize, folder: &Path, memory: Option<&'static [u64]>) {
    let theirs = exchange(folder, &format!("name{me}"), &format!("name{}", 1 - me), &ofi.name());
    let names = if me == 0 { [ofi.name(), theirs] } else { [theirs, ofi.name()] };
    ofi.peers(&names).expect("names");
    let card = memory.map_or_else(Vec::new, |memory| {
        let address = memory.as_ptr().expose_provenance();
        let local = Local { at: 0, address, bytes: size_of_val(memory), file: None };
        // SAFETY: the memory stays until the process ends.
        unsafe { ofi.register(0, 0, local) }.expect("register")
    });
    let theirs = exchange(folder, &format!("card{me}"), &format!("card{}", 1 - me), &card);
    if me == 0 {
        ofi.learn(1, 0, 0, &theirs).expect("learn");
    }
}

/// This process's side, and the other process, whose engine serves its memory until it is killed. `None` if this
/// machine has no libfabric.
fn over_libfabric(test: &str, provider: &str) -> Option<(Ofi, Other, Folder)> {
    let mut ofi = match ofi(provider) {
        Ok(ofi) => ofi,
        Err(why) => {
            // The last is a version of the developer's own, whose provider `shm` crashes.
            let reasons = [" cannot be opened (", "; version 1.17 or later is needed", "provider shm is not used: "];
            assert!(reasons.iter().any(|reason| why.contains(reason)), "{why}");
            xtask::left_out::record(&format!("net::{test} over libfabric"), &why);
            return None;
        }
    };
    let folder = Folder::new(&format!("{test}-{provider}")).expect("make a folder");
    let other = Other::start(&format!("serve={provider}={}", folder.display()), &file());
    introduce(&mut ofi, 0, &folder, None);
    Some((ofi, other, folder))
}

/// The target takes no part: it sleeps.
#[test]
fn a_passive_process_is_read_and_written_over_libfabric() {
    for provider in ["tcp", "shm"] {
        use_a_passive_process(provider);
    }
}

fn use_a_passive_process(provider: &str) {
    let Some((ofi, _other, _folder)) = over_libfabric("a_passive_process", provider) else { return };
    let nic = Nic::over(Provider::Ofi(ofi), Duration::ZERO).expect("start a NIC");
    let lane = nic.lane();
    put(&lane, 0, &[1; 100]);
    assert_eq!(get(&lane, 0, 101), [&[1; 100][..], &[0]].concat());
    let long: Vec<u8> = (0..300_000).map(|i| (i % 251) as u8).collect();
    put(&lane, 1000, &long);
    assert_eq!(get(&lane, 1000, long.len()), long);
    for _ in 0..10 {
        run(&lane, 400_000, Operation::Amo { op: WordOp::Add, width: 8, operand: 7, condition: 0, to: 0 });
    }
    assert_eq!(get(&lane, 400_000, 8), 70_u64.to_ne_bytes());
}

/// More operations are posted than can be under way, to a word that each changes, and they take effect in order. The
/// puts report their arrival: others may be overtaken by an atomic operation, which takes another connection.
#[test]
fn a_full_lane_keeps_its_order_over_libfabric() {
    let Some((ofi, _other, _folder)) = over_libfabric("a_full_lane", "tcp") else { return };
    let nic = Nic::over(Provider::Ofi(ofi), Duration::ZERO).expect("start a NIC");
    let lane = nic.lane();
    for value in 1..=2000_u64 {
        let operation = match value % 8 {
            0 => Operation::Amo { op: WordOp::Set, width: 8, operand: value, condition: 0, to: 0 },
            _ => Operation::Inline { from: (&raw const value).expose_provenance(), bytes: 8, ordered: false },
        };
        let start = Instant::now();
        // SAFETY: an inline put copies its source when it is posted.
        while unsafe { lane.post(Work { peer: 1, region: 0, at: 0, operation, delivery_complete: true }) }
            == Posted::Again
        {
            assert!(start.elapsed() < LIMIT, "no room within {LIMIT:?}");
            std::thread::yield_now();
        }
    }
    let start = Instant::now();
    while lane.done() < lane.posted() {
        assert!(start.elapsed() < LIMIT, "not within {LIMIT:?}");
        std::thread::yield_now();
    }
    assert_eq!(get(&lane, 0, 8), 2000_u64.to_ne_bytes());
}

/// Operations for a process that dies are reported once each, at the latest when the peer is declared dead.
#[test]
fn a_killed_process_ends_its_operations_over_libfabric() {
    const MANY: u64 = 200;
    let Some((mut ofi, other, _folder)) = over_libfabric("a_killed_process", "tcp") else { return };
    let source = vec![1_u8; 64 * 1024];
    let mut reported = vec![0; MANY as usize + 1];
    let mut count = |tag: Tag, _| reported[tag.ticket as usize] += 1;
    let mut taken = Vec::new();
    for ticket in 1..=MANY {
        if ticket == MANY / 2 {
            kill(other.pid(), Signal::SIGKILL).expect("kill it");
        }
        let operation =
            Operation::Put { from: source.as_ptr().expose_provenance(), bytes: source.len(), ordered: false };
        let work = Work { peer: 1, region: 0, at: 0, operation, delivery_complete: true };
        let start = Instant::now();
        loop {
            // SAFETY: the source outlives the network's side.
            match unsafe { ofi.post(&work, Tag { lane: 0, ticket }) } {
                Post::Taken => {
                    taken.push(ticket);
                    break;
                }
                Post::Refused(_) => break,
                // It may be so for ever.
                Post::Later if ticket >= MANY / 2 && start.elapsed() > Duration::from_millis(200) => break,
                Post::Later => assert!(start.elapsed() < LIMIT, "it does not start within {LIMIT:?}"),
            }
            ofi.poll(&mut count);
        }
    }
    ofi.lost(1, "it was killed");
    ofi.poll(&mut count);
    assert!(ofi.is_idle());
    // Completions that come late report nothing again.
    for _ in 0..1000 {
        ofi.poll(&mut count);
    }
    let expected: Vec<u64> = (0..=MANY).map(|ticket| u64::from(taken.contains(&ticket))).collect();
    assert_eq!(reported, expected);
    let operation = Operation::Get { to: 0, bytes: 8 };
    // SAFETY: it is refused.
    let post = unsafe {
        ofi.post(&Work { peer: 1, region: 0, at: 0, operation, delivery_complete: false }, Tag { lane: 0, ticket: 0 })
    };
    assert!(matches!(post, Post::Refused(_)), "{post:?}");
    drop(ofi);
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
    if let Some((provider, folder)) = part.strip_prefix("serve=").and_then(|rest| rest.split_once('=')) {
        let mut ofi = ofi(provider).expect("the first process has it");
        let memory = vec![0_u64; BYTES as usize / 8].leak();
        introduce(&mut ofi, 1, Path::new(folder), Some(memory));
        let _nic = Nic::over(Provider::Ofi(ofi), Duration::ZERO).expect("start a NIC");
        // The first process kills this one. If that was killed itself, nobody does.
        std::thread::sleep(5 * LIMIT);
        return;
    }
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
        run(&lane, 400_000, Operation::Amo { op: WordOp::Add, width: 8, operand: 7, condition: 0, to: 0 });
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
