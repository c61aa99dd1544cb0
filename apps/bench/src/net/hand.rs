//! The work of the rows called `limit`: the program uses a network card of its own, and memory of its own that the
//! other node's card writes.

use anyhow::{Context, Result, ensure};
use cushmem::{Shmem, SymSlice};
use cushmem_net::{Delivery, Lane, Loopback, Memory, Nic, Operation, Posted, Profile, Provider, Settings, Work};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, ProtFlags, mmap};
use std::fs::{File, OpenOptions};
use std::num::NonZeroUsize;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The memory starts with words, each on its own cache lines. The last two take turns.
const LINE: u64 = 128;
pub const WORD: u64 = 0;
const BARRIER: u64 = LINE;
const SUM: u64 = 2 * LINE;
const NUMBERS: [u64; 2] = [3 * LINE, 4 * LINE];
/// The data follows the words.
pub const DATA: u64 = 4096;
/// How long the library's card polls for work before it sleeps.
const SPIN: Duration = Duration::from_micros(50);
/// Polls between two yields: the card's thread may have no core of its own.
const LOOKS: u32 = 16;

/// A card, and a lane to the other PE.
pub struct Hand {
    // Dropped before the card, which waits for everything that was posted.
    lane: Lane,
    _nic: Nic,
    profile: Profile,
    peer: u32,
    /// This PE's memory, mapped until the process ends.
    mine: usize,
    /// The address of the source of long puts.
    source: usize,
    words: usize,
    barriers: u64,
    sums: u64,
    /// The ticket of the last flag.
    flag: u64,
}

impl Hand {
    /// Collective. Sets up memory on each of the two PEs, with room for as many words of data as `source` has, and
    /// cards with the library's settings. Long puts are from `source`, as the library's are.
    pub fn new(shmem: &Shmem, settings: Settings, source: SymSlice<'_, u64>) -> Result<Self> {
        let words = source.len();
        let (me, peer, bytes) = (shmem.my_pe(), 1 - shmem.my_pe(), DATA + 8 * words as u64);
        let own = memfd_create(c"shmem-bench", MFdFlags::MFD_CLOEXEC).context("make a file in memory")?;
        nix::unistd::ftruncate(&own, bytes as i64).context("size a file in memory")?;
        let length = NonZeroUsize::new(bytes as usize).context("no memory")?;
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: a new mapping, at an address that the system chooses.
        let mine = unsafe { mmap(None, length, access, MapFlags::MAP_SHARED, &own, 0) }.context("map it")?;
        let theirs = exchange(shmem, peer, &own)?;
        let spin = if shmem.is_oversubscribed() { Duration::ZERO } else { SPIN };
        let provider = Provider::Loopback(Loopback::new(settings, me));
        let nic = Nic::over(provider, spin).context("start a network card")?;
        let theirs = Memory { file: Arc::new(theirs), offset: 0, bytes };
        nic.learn(peer, 0, 0, &theirs.card()).map_err(anyhow::Error::msg)?;
        let (lane, mine) = (nic.lane(), mine.as_ptr().expose_provenance());
        let source = source.ptr(me).expose_provenance();
        Ok(Self {
            lane,
            _nic: nic,
            profile: settings.profile,
            peer,
            mine,
            source,
            words,
            barriers: 0,
            sums: 0,
            flag: 0,
        })
    }

    /// Posts an operation and returns its ticket.
    ///
    /// # Safety
    /// Addresses in `what` are valid until the operation is complete.
    unsafe fn post(&self, at: u64, operation: Operation) -> u64 {
        let mut looks = 0;
        loop {
            // SAFETY: the caller guarantees the addresses.
            match unsafe { self.lane.post(Work { peer: self.peer, region: 0, at, operation, delivery_complete: true }) }
            {
                Posted::Ticket(ticket) => return ticket,
                Posted::Again => self.pause(&mut looks),
            }
        }
    }

    fn wait(&self, ticket: u64) {
        let mut looks = 0;
        while self.lane.done() < ticket {
            self.pause(&mut looks);
        }
    }

    /// Puts a word.
    pub fn put_word(&self, at: u64, value: u64) -> u64 {
        let operation = Operation::Inline {
            from: (&raw const value).expose_provenance(),
            bytes: size_of_val(&value),
            ordered: false,
        };
        // SAFETY: the value exists until it is posted.
        unsafe { self.post(at, operation) }
    }

    /// Puts all words of data.
    pub fn put_data(&self) {
        let operation = Operation::Put { from: self.source, bytes: 8 * self.words, ordered: false };
        // SAFETY: nobody changes the source, which is symmetric memory until the job ends.
        unsafe { self.post(DATA, operation) };
    }

    /// Gets as many words as `target` has.
    pub fn get(&self, target: &mut [u64]) {
        let operation = Operation::Get { to: target.as_mut_ptr().expose_provenance(), bytes: size_of_val(target) };
        // SAFETY: the target is borrowed until the get is complete.
        self.wait(unsafe { self.post(DATA, operation) });
    }

    /// Returns when all puts have arrived.
    pub fn quiet(&self) {
        if self.profile.delivery() == Delivery::Flushed {
            self.get(&mut [0]);
        } else {
            self.wait(self.lane.posted());
        }
    }

    /// Puts a flag that arrives after the operation with the ticket `behind`.
    fn put_flag(&mut self, at: u64, value: u64, behind: u64) {
        if !self.profile.ordered() {
            self.wait(behind);
        }
        self.flag = self.put_word(at, value);
    }

    /// Waits until the other PE has raised a flag in this PE's memory to at least `value`.
    fn await_flag(&self, at: u64, value: u64) {
        let mut looks = 0;
        // SYNC(net-target) acquire: pairs with the release of the card that stores the flag.
        while self.own(at).load(Ordering::Acquire) < value {
            self.pause(&mut looks);
        }
    }

    /// Lets the network work, and now and then the other threads of this core.
    fn pause(&self, looks: &mut u32) {
        self.lane.poll();
        *looks += 1;
        if looks.is_multiple_of(LOOKS) { std::thread::yield_now() } else { std::hint::spin_loop() }
    }

    fn own(&self, at: u64) -> &AtomicU64 {
        // SAFETY: a word of the mapped memory, which everybody accesses only with atomic instructions.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(self.mine + at as usize)) }
    }

    /// Returns when both PEs have called it.
    pub fn barrier(&mut self) {
        self.barriers += 1;
        self.put_flag(BARRIER, self.barriers, self.flag);
        self.await_flag(BARRIER, self.barriers);
    }

    /// The sum of both PEs' numbers. Two words take turns: when a PE puts a number, the other has read the one before
    /// the last.
    pub fn sum(&mut self, number: u64) -> u64 {
        self.sums += 1;
        let at = NUMBERS[(self.sums % 2) as usize];
        let behind = self.put_word(at, number);
        self.put_flag(SUM, self.sums, behind);
        self.await_flag(SUM, self.sums);
        // Relaxed: the flag orders it.
        number + self.own(at).load(Ordering::Relaxed)
    }

    /// Fails if an operation has failed.
    pub fn check(&self) -> Result<()> {
        ensure!(self.lane.failure().is_none(), "the network by hand: {:?}", self.lane.failure());
        Ok(())
    }
}

/// Collective: gives the other PE this PE's file, and returns the other PE's.
fn exchange(shmem: &Shmem, peer: u32, own: &OwnedFd) -> Result<OwnedFd> {
    let words = shmem.malloc::<u64>(2)?;
    for (at, number) in [u64::from(std::process::id()), own.as_raw_fd() as u64].into_iter().enumerate() {
        shmem.p(words.at(at), number, peer)?;
    }
    shmem.barrier_all()?;
    let found = words.to_vec()?;
    let path = format!("/proc/{}/fd/{}", found[0], found[1]);
    let file: File = OpenOptions::new().read(true).write(true).open(&path).with_context(|| format!("open {path}"))?;
    shmem.free(words)?;
    Ok(file.into())
}
