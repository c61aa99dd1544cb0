//! Memory of this process: what peers use, and the local ends of operations.

use crate::fabric::{GpuMemory, Local};
use crate::verbs::device::{Device, Purpose, Registered};
use crate::verbs::gpu_memory::{Ways, card_key};
use rustc_hash::FxHashMap;
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bytes that a slot has for its operation: those of an inline put, or the word of an atomic operation.
pub(super) const FEW: usize = 64;
/// Local ends of up to so many bytes are copied through a buffer, if their memory is not registered: to register it
/// takes longer.
pub(super) const SHORT: usize = 8192;
/// How many buffers there are.
const BUFFERS: usize = 64;
const WORD: usize = 8;

/// The memory that peers use.
#[derive(Default)]
pub(super) struct Own {
    pieces: FxHashMap<(u32, u32), Piece>,
    /// The piece that was used last, which most operations use again.
    last: Option<(u32, u32)>,
    /// How the device reaches GPU memory.
    pub(super) gpu: Ways,
    /// Which of the pieces are GPU memory, by where they start: where they end, and which they are.
    on_gpu: BTreeMap<usize, (usize, (u32, u32))>,
}

struct Piece {
    address: usize,
    bytes: usize,
    registered: Registered,
}

impl Own {
    /// Registers a piece, and returns its card.
    ///
    /// # Safety
    /// The memory is mapped until the piece is forgotten.
    pub(super) unsafe fn register(
        &mut self,
        key: (u32, u32),
        memory: &Local,
        device: &Arc<Device>,
    ) -> Result<Vec<u8>, String> {
        self.check(key)?;
        // SAFETY: the caller guarantees the memory; `forget` drops the registration.
        let registered = unsafe { Registered::new(device, memory.address, memory.bytes, Purpose::Peers)? };
        let card_key = registered.key().into();
        Ok(self.add(key, memory, registered, card_key))
    }

    /// Registers a piece of GPU memory, and returns its card.
    ///
    /// # Safety
    /// The memory is mapped until the piece is forgotten.
    pub(super) unsafe fn register_gpu(
        &mut self,
        key: (u32, u32),
        memory: &Local,
        gpu: GpuMemory,
        device: &Arc<Device>,
    ) -> Result<Vec<u8>, String> {
        self.check(key)?;
        let keeps_order = gpu.keeps_order;
        // SAFETY: the caller guarantees the memory; `forget` drops the registration.
        let registered = unsafe { self.gpu.register(device, memory, gpu)? };
        let card_key = card_key(registered.key(), keeps_order);
        self.on_gpu.insert(memory.address, (memory.address + memory.bytes, key));
        Ok(self.add(key, memory, registered, card_key))
    }

    fn check(&self, key: (u32, u32)) -> Result<(), String> {
        let (region, piece) = key;
        if self.pieces.contains_key(&key) {
            return Err(format!("piece {piece} of region {region} is registered already"));
        }
        Ok(())
    }

    /// Adds a piece, and returns its card.
    fn add(&mut self, key: (u32, u32), memory: &Local, registered: Registered, card_key: u64) -> Vec<u8> {
        let Local { at, address, bytes, .. } = *memory;
        self.pieces.insert(key, Piece { address, bytes, registered });
        let words = [at, bytes as u64, address as u64, card_key];
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Whether an address is in GPU memory that was registered, which the CPU need not reach.
    pub(super) fn is_on_gpu(&self, address: usize) -> bool {
        self.gpu_piece(address).is_some()
    }

    fn gpu_piece(&self, address: usize) -> Option<(u32, u32)> {
        let (_, (end, key)) = self.on_gpu.range(..=address).next_back()?;
        (address < *end).then_some(*key)
    }

    pub(super) fn forget(&mut self, key: (u32, u32)) {
        self.pieces.remove(&key);
        self.on_gpu.retain(|_, (_, other)| *other != key);
        self.last = None;
    }

    /// The key of the piece that has the byte at an address, and how many of these bytes it has.
    pub(super) fn key(&mut self, address: usize, bytes: usize) -> Option<(u32, usize)> {
        let inside = |piece: &Piece| {
            let at = address.checked_sub(piece.address).filter(|at| *at < piece.bytes)?;
            Some((piece.registered.local_key(), bytes.min(piece.bytes - at)))
        };
        if let Some(last) = self.last
            && let Some(found) = self.pieces.get(&last).and_then(inside)
        {
            return Some(found);
        }
        let on_gpu = self.gpu_piece(address).and_then(|key| Some((key, inside(self.pieces.get(&key)?)?)));
        let any = || self.pieces.iter().find_map(|(key, piece)| Some((*key, inside(piece)?)));
        let (key, found) = on_gpu.or_else(any)?;
        self.last = Some(key);
        Some(found)
    }
}

/// All memory of this process, for a device that asks the system for a page when it needs one (implicit on-demand
/// paging): nothing is registered for one operation, and nothing has to be noticed when memory is unmapped.
pub(super) struct AllMemory {
    sources: Registered,
    /// Apart from the sources, which may be memory that only allows reading.
    destinations: Registered,
}

impl AllMemory {
    /// None if the device or its driver lacks this. Whoever lacks it refuses such a registration: by its access, or as
    /// it has no end.
    pub(super) fn of(device: &Arc<Device>) -> Option<Self> {
        // SAFETY: it pins nothing, and the system decides at each access what is mapped.
        let register = |purpose| unsafe { Registered::new(device, 0, usize::MAX, purpose) }.ok();
        Some(Self {
            sources: register(Purpose::SourceOnDemand)?,
            destinations: register(Purpose::DestinationOnDemand)?,
        })
    }

    /// The key for the local end of an operation.
    pub(super) fn key(&self, is_get: bool) -> u32 {
        if is_get { self.destinations.local_key() } else { self.sources.local_key() }
    }
}

/// Registered memory of the provider, in places of one size.
pub(super) struct Places<const N: usize> {
    // In this order: the memory stays as long as the registration.
    registered: Registered,
    all: Box<[UnsafeCell<Place<N>>]>,
}

/// Bytes among which there may be words.
#[repr(C, align(8))]
struct Place<const N: usize>([u8; N]);

// SAFETY: the memory is used by whoever has the provider, and by the device.
unsafe impl<const N: usize> Send for Places<N> {}

impl<const N: usize> Places<N> {
    fn new(count: usize, device: &Arc<Device>) -> Result<Self, String> {
        let all: Box<[UnsafeCell<Place<N>>]> = (0..count).map(|_| UnsafeCell::new(Place([0; N]))).collect();
        let (address, bytes) = (all.as_ptr().expose_provenance(), size_of_val(&*all));
        // SAFETY: the memory stays until the registration is dropped.
        let registered = unsafe { Registered::new(device, address, bytes, Purpose::Destination)? };
        Ok(Self { registered, all })
    }

    pub(super) fn key(&self) -> u32 {
        self.registered.local_key()
    }

    pub(super) fn get(&self, index: usize) -> *mut u8 {
        self.all[index].get().cast()
    }
}

/// The memory of operations: a slot for each, and some buffers.
pub(super) struct Room {
    pub(super) slots: Places<FEW>,
    pub(super) buffers: Places<SHORT>,
    /// Where bytes come that nobody looks at.
    pub(super) nowhere: Places<WORD>,
    free: Vec<usize>,
}

impl Room {
    pub(super) fn new(slots: usize, device: &Arc<Device>) -> Result<Self, String> {
        let (slots, buffers) = (Places::new(slots, device)?, Places::new(BUFFERS, device)?);
        let nowhere = Places::new(1, device)?;
        Ok(Self { slots, buffers, nowhere, free: (0..BUFFERS).collect() })
    }

    pub(super) fn take_buffer(&mut self) -> Option<usize> {
        self.free.pop()
    }

    pub(super) fn give_back(&mut self, buffer: usize) {
        self.free.push(buffer);
    }
}
