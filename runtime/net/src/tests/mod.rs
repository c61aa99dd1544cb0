//! Each test shows one thing that a profile promises, or one liberty that the engine takes. Where timing matters, the
//! test holds the engine (`gate`) or gives a flow its clock. Nothing sleeps, and every wait has a limit.

mod atomics;
mod calls;
mod completion;
mod copies;
pub(crate) mod descriptor;
mod failures;
mod faults;
mod liberties;
mod libfabric;
mod limits;
mod mock;
mod order;
mod ports;
mod providers;
mod rails;
mod verbs;

use crate::loopback::gate::{Gates, Step};
use crate::*;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, ProtFlags, mmap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(60);
const REGION: u32 = 5;

/// A peer's memory, and the test's own view of it, which is mapped until the process ends.
struct Peer {
    memory: Memory,
    view: *mut u8,
}

impl Peer {
    fn new(name: &str, bytes: usize) -> Self {
        let file = memfd_create(name, MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
        nix::unistd::ftruncate(&file, bytes as i64).expect("size it");
        let length = NonZeroUsize::new(bytes).expect("some bytes");
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: a new mapping.
        let view = unsafe { mmap(None, length, access, MapFlags::MAP_SHARED, &file, 0) }.expect("map it");
        let memory = Memory { file: Arc::new(file), offset: 0, bytes: bytes as u64 };
        Self { memory, view: view.as_ptr().cast() }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        assert!(at + 8 <= self.memory.bytes as usize && at.is_multiple_of(8));
        // SAFETY: an aligned word of the view.
        unsafe { AtomicU64::from_ptr(self.view.add(at).cast()) }
    }

    fn load(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::Acquire)
    }

    fn byte(&self, at: usize) -> u8 {
        assert!(at < self.memory.bytes as usize);
        // SAFETY: a byte of the view.
        unsafe { self.view.add(at).read_volatile() }
    }
}

/// Opens all gates when a test ends or fails, so that the NIC can stop.
struct Open(Arc<Gates>);

impl Drop for Open {
    fn drop(&mut self) {
        for step in [Step::Piece, Step::Deliver, Step::StoreAmo, Step::OtherPiece] {
            self.0.allow(step, u64::MAX);
        }
    }
}

/// A NIC with peers 1, 2, …, and a lane.
struct Rig {
    open: Open,
    lane: Lane,
    nic: Nic,
    peers: Vec<Peer>,
}

impl Rig {
    fn new(settings: &str, peers: u32, bytes: usize) -> Self {
        let loopback = Loopback::new(settings.parse().expect("settings"), 0);
        let open = Open(loopback.gates());
        let nic = Nic::over(Provider::Loopback(loopback), Duration::ZERO).expect("start a NIC");
        let peers: Vec<Peer> = (0..peers).map(|_| Peer::new("cushmem-test", bytes)).collect();
        for (peer, number) in peers.iter().zip(1..) {
            learn(&nic, number, &peer.memory.card());
        }
        Self { open, lane: nic.lane(), nic, peers }
    }

    fn hold(&self, step: Step) {
        self.open.0.allow(step, 0);
    }

    fn release(&self, step: Step) {
        self.open.0.allow(step, u64::MAX);
    }

    /// Waits, while pieces are held, until the engine knows everything that was posted before. A turn takes what was
    /// posted and then asks once for each flow that is busy, so of more refusals than there are flows, one is of a turn
    /// that began after this call.
    fn until_known(&self) {
        let before = self.open.0.refused(Step::Piece);
        let flows = self.peers.len() as u64;
        until("the engine's next turn", || self.open.0.refused(Step::Piece) > before + flows);
    }

    fn wait(&self, ticket: u64) {
        wait(&self.lane, ticket);
    }

    /// Posts and waits.
    fn run(&self, work: Work) {
        self.wait(post(&self.lane, work));
    }
}

/// A NIC on a network within one machine.
fn nic(settings: &str) -> Nic {
    let loopback = Loopback::new(settings.parse().expect("settings"), 0);
    Nic::over(Provider::Loopback(loopback), Duration::ZERO).expect("start a NIC")
}

/// Introduces a peer's memory.
fn learn(nic: &Nic, peer: u32, card: &[u8]) {
    nic.learn(peer, REGION, 0, card).expect("a card");
}

/// Polls until `is_so` holds.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        std::thread::yield_now();
    }
}

fn wait(lane: &Lane, ticket: u64) {
    until("an operation", || lane.done() >= ticket);
    assert_eq!(lane.failure(), None);
}

/// Posts an operation, for which the ring must have room.
fn post(lane: &Lane, work: Work) -> u64 {
    // SAFETY: the buffers of tests outlive their operations.
    match unsafe { lane.post(work) } {
        Posted::Ticket(ticket) => ticket,
        Posted::Again => panic!("the ring is full"),
    }
}

fn work(peer: u32, at: usize, operation: Operation) -> Work {
    Work { peer, region: REGION, at: at as u64, operation, delivery_complete: false }
}

fn put(peer: u32, at: usize, source: &[u8]) -> Work {
    work(peer, at, Operation::Put { from: source.as_ptr().expose_provenance(), bytes: source.len(), ordered: false })
}

fn get(peer: u32, at: usize, to: &mut [u8]) -> Work {
    work(peer, at, Operation::Get { to: to.as_mut_ptr().expose_provenance(), bytes: to.len() })
}

/// `value` may change once the operation is posted.
fn inline(peer: u32, at: usize, value: &u64) -> Work {
    work(peer, at, Operation::Inline { from: std::ptr::from_ref(value).expose_provenance(), bytes: 8, ordered: false })
}

/// Like [`inline`], behind everything.
fn ordered(peer: u32, at: usize, value: &u64) -> Work {
    work(peer, at, Operation::Inline { from: std::ptr::from_ref(value).expose_provenance(), bytes: 8, ordered: true })
}

/// Like [`put`], behind everything.
fn ordered_put(peer: u32, at: usize, source: &[u8]) -> Work {
    work(peer, at, Operation::Put { from: source.as_ptr().expose_provenance(), bytes: source.len(), ordered: true })
}

fn set(peer: u32, at: usize, value: u64) -> Work {
    work(peer, at, Operation::Set { width: 8, value, ordered: true })
}

fn amo(peer: u32, at: usize, op: WordOp, operand: u64, to: &mut u64) -> Work {
    let to = std::ptr::from_mut(to).expose_provenance();
    work(peer, at, Operation::Amo { op, width: 8, operand, condition: 0, to })
}

/// The file of libfabric: another one if the developer names it.
pub(crate) fn library() -> String {
    std::env::var("CUSHMEM_LIBFABRIC").unwrap_or_else(|_| OfiSettings::LIBRARY.to_owned())
}

/// libfabric on this machine alone.
fn ofi(provider: &str, atomics: bool) -> OfiSettings {
    OfiSettings { library: library(), provider: provider.to_owned(), address: "127.0.0.1".to_owned(), atomics }
}

/// Whether this machine has libfabric. What is wrong with a libfabric that is there is a failure.
fn has_libfabric(test: &str) -> bool {
    let Err(why) = Ofi::open(&ofi("tcp", false)) else { return true };
    let is_missing = why.contains(" cannot be opened (") || why.contains("; version 1.17 or later is needed");
    assert!(is_missing, "{why}");
    xtask::left_out::record(&format!("net::{test} over libfabric"), &why);
    false
}

/// Whether this version of libfabric has a provider `shm` that works.
fn has_shm() -> bool {
    match Ofi::open(&ofi("shm", false)) {
        Ok(_) => true,
        Err(why) => {
            assert!(why.contains("that of version 2.0 ends the process"), "{why}");
            false
        }
    }
}

/// The settings of those providers of libfabric with which all tests run.
fn providers_of_libfabric() -> Vec<&'static str> {
    let mut all = vec!["ofi:tcp", "ofi:keys"];
    if has_shm() {
        all.push("ofi:shm");
    }
    if Ofi::open(&ofi("tcp", false)).is_ok_and(|tcp| tcp.provider() == "tcp") {
        all.push("ofi:tcp;ofi_rxm");
    }
    all
}

/// The settings of a provider that is InfiniBand or RoCE.
const DEVICE: &str = "device";

/// The settings of a provider that is a device of tests.
const MOCK: &str = "mock";

/// Two devices of tests as one network.
const MOCKS: &str = "2*mock";
/// The same, if it pages on demand.
const MOCK_ON_DEMAND: &str = "mock on demand";

/// Two networks within one machine as one; the other ones take their time.
const LOOPBACKS: &str = "2*verbs";
const LOOPBACKS_LATE: &str = "2*verbs:7";

/// A device of tests.
fn mock() -> VerbsSettings {
    VerbsSettings { library: crate::verbs::mock::NAME.to_owned(), ..device() }
}

/// The first device of this machine that has an active port.
fn device() -> VerbsSettings {
    VerbsSettings {
        library: VerbsSettings::LIBRARY.to_owned(),
        device: String::new(),
        address: "127.0.0.1".to_owned(),
        gpu: None,
    }
}

/// Whether this machine has InfiniBand or RoCE. What is wrong with a device that is there is a failure.
fn has_device(test: &str) -> bool {
    let Err(why) = Verbs::open(&device()) else { return true };
    let is_missing = why.contains(" cannot be opened (") || why == "this machine has no InfiniBand or RoCE device";
    assert!(is_missing, "{why}");
    xtask::left_out::record(&format!("net::{test} over verbs"), &why);
    false
}

fn delivered(work: Work) -> Work {
    Work { delivery_complete: true, ..work }
}
