//! The requests that an operation consists of, and the memory at its local end.

use super::Verbs;
use super::active::{Active, LocalEnd, Step};
use super::device::{Purpose, Registered};
use super::link::Request;
use super::memory::{FEW, SHORT};
use super::order::Kind;
use super::sys::*;
use super::word::Change;
use crate::{Operation, WordOp};

/// The bytes of a word that the device changes.
pub(super) const WHOLE: u64 = 8;

impl Verbs {
    /// How many more requests there is room for, to a peer.
    pub(super) fn room_for(&self, peer: u32) -> usize {
        let of_link = self.links.get(&peer).map_or(0, |link| self.device.about.depth - link.requests());
        of_link.min(self.device.about.completions - self.requests)
    }

    /// Makes a request of an operation.
    pub(super) fn request(&mut self, index: usize, request: Request) {
        let peer = self.operations[index].work.peer;
        if let Some(link) = self.links.get_mut(&peer) {
            if link.pending.is_empty() {
                self.pending.push(peer);
            }
            link.pending.push_back(request);
            self.operations[index].requests += 1;
            self.requests += 1;
        }
    }

    /// Decides where the local end of an operation is, and copies a source that is not used in place.
    ///
    /// # Safety
    /// The source is readable.
    pub(super) unsafe fn place(&mut self, index: usize) -> LocalEnd {
        let slot = self.room.slots.get(index);
        let (source, bytes, may_stay) = match self.operations[index].work.operation {
            Operation::Amo { .. } => return LocalEnd::Slot,
            Operation::Set { value, .. } => {
                // SAFETY: the slot belongs to this operation, and has room for a word. This processor is little-endian.
                unsafe { slot.cast::<u64>().write(value) };
                return LocalEnd::Slot;
            }
            Operation::Inline { from, bytes, .. } => (Some(from), bytes, false),
            Operation::Put { from, bytes, .. } => (Some(from), bytes, bytes > FEW),
            Operation::Get { bytes, .. } => (None, bytes, true),
        };
        let end = match self.operations[index].work.operation {
            // The CPU copies nothing of it.
            Operation::Put { from: start, .. } | Operation::Get { to: start, .. } if self.own.is_on_gpu(start) => {
                return LocalEnd::Memory;
            }
            _ if !may_stay => LocalEnd::Slot,
            Operation::Put { from: start, .. } | Operation::Get { to: start, .. }
                if bytes > SHORT || self.own.key(start, bytes).is_some_and(|(_, here)| here == bytes) =>
            {
                return LocalEnd::Memory;
            }
            _ if bytes <= FEW => LocalEnd::Slot,
            _ => match self.room.take_buffer() {
                Some(buffer) => LocalEnd::Buffer(buffer),
                None => return LocalEnd::Memory,
            },
        };
        if let Some(source) = source {
            let to = if let LocalEnd::Buffer(buffer) = end { self.room.buffers.get(buffer) } else { slot };
            // SAFETY: the caller guarantees the source; slot or buffer belong to this operation and have room for it.
            unsafe { to.copy_from_nonoverlapping(address(source), bytes) };
        }
        end
    }

    /// Makes the requests of an operation, as many as there is room for.
    ///
    /// # Safety
    /// The addresses of the work are valid until its completion.
    pub(super) unsafe fn go_on(&mut self, index: usize) -> Result<(), String> {
        let Active { work, kind, step, .. } = self.operations[index];
        if kind == Kind::Atomic || step != Step::None {
            return self.change(index);
        }
        let all = work.operation.bytes();
        while self.operations[index].posted < all && self.room_for(work.peer) > 0 {
            let Active { posted, fence, local, .. } = self.operations[index];
            let (at, left) = (work.at + posted as u64, all - posted);
            let (there, bytes) =
                self.far.find(work.peer, work.region, at, left, 0).ok_or("its region was forgotten")?;
            let is_read = matches!(kind, Kind::Read | Kind::Fetch);
            let bytes = part(there.address, bytes.min(self.device.about.longest), is_read);
            let (address, bytes, local_key) = match (local, work.operation) {
                (LocalEnd::Slot, _) => (self.room.slots.get(index).expose_provenance(), bytes, self.room.slots.key()),
                (LocalEnd::Buffer(buffer), _) => {
                    let start = self.room.buffers.get(buffer).expose_provenance();
                    (start + posted, bytes, self.room.buffers.key())
                }
                (LocalEnd::Memory, Operation::Get { to: address, .. } | Operation::Put { from: address, .. }) => {
                    // A part ends behind a whole word, unless it is the last one.
                    // Of GPU memory, which no buffer can have instead, a piece may end in a word.
                    let is_on_gpu = self.own.is_on_gpu(address + posted);
                    let whole = |here: usize| {
                        let end = there.address + here as u64;
                        let is_last = here == bytes || is_on_gpu;
                        if is_last { here } else { here.saturating_sub((end % WHOLE) as usize) }
                    };
                    // SAFETY: the caller guarantees the memory.
                    let (key, bytes) = unsafe { self.local(index, address + posted, bytes, whole)? };
                    (address + posted, bytes, key)
                }
                (LocalEnd::Memory, _) => unreachable!("its bytes are in the slot"),
            };
            let address = if local == LocalEnd::Slot { address + posted } else { address };
            let inline = self.links.get(&work.peer).map_or(0, |link| link.queue.inline);
            let is_inline = local == LocalEnd::Slot && !is_read && bytes <= inline;
            let flags = if fence && posted == 0 { IBV_SEND_FENCE } else { 0 };
            self.request(
                index,
                Request {
                    operation: index,
                    opcode: if is_read { IBV_WR_RDMA_READ } else { IBV_WR_RDMA_WRITE },
                    flags: flags | if is_inline { IBV_SEND_INLINE } else { 0 },
                    address,
                    bytes,
                    local_key,
                    there: there.address,
                    key: there.key as u32,
                    compare_add: 0,
                    swap: 0,
                },
            );
            self.operations[index].posted += bytes;
        }
        Ok(())
    }

    /// The key of the local end of a request, and for how many of the bytes. `whole` says how many of those that are
    /// here a request may have. Memory that has none is reached by the key of all memory, if the device has that, and
    /// registered until the operation is over elsewhere; so is a word that lies in two pieces.
    ///
    /// # Safety
    /// The memory is valid until the operation is over.
    pub(super) unsafe fn local(
        &mut self,
        index: usize,
        address: usize,
        bytes: usize,
        whole: impl Fn(usize) -> usize,
    ) -> Result<(u32, usize), String> {
        if self.running[index].is_none()
            && let Some((key, here)) = self.own.key(address, bytes)
            && whole(here) > 0
        {
            return Ok((key, whole(here)));
        }
        let is_get = matches!(self.operations[index].work.operation, Operation::Get { .. });
        if let Some(all) = &self.all {
            return Ok((all.key(is_get), bytes));
        }
        if self.running[index].is_none() {
            let Active { work, posted, .. } = self.operations[index];
            let purpose = if is_get { Purpose::Destination } else { Purpose::Source };
            let left = work.operation.bytes() - posted;
            // SAFETY: the caller guarantees the memory, and `release` drops the registration.
            self.running[index] = Some(unsafe { Registered::new(&self.device, address, left, purpose)? });
        }
        let registered = self.running[index].as_ref().map(|registered| (registered.local_key(), bytes));
        registered.ok_or_else(|| "its memory is not registered".to_owned())
    }

    /// Makes the next request of an operation that changes a word, if there is room.
    pub(super) fn change(&mut self, index: usize) -> Result<(), String> {
        let Active { work, fence, step, .. } = self.operations[index];
        if self.room_for(work.peer) == 0 {
            return Ok(());
        }
        let Operation::Amo { op, width, operand, condition, .. } = work.operation else { return Ok(()) };
        let (there, bytes) =
            self.far.find(work.peer, work.region, work.at, width as usize, 0).ok_or("its region was forgotten")?;
        if bytes < width as usize {
            return Err(format!("an atomic operation on a word that lies in two pieces of region {}", work.region));
        }
        let slot = self.room.slots.get(index).expose_provenance();
        let (opcode, compare_add, swap) = match step {
            Step::None if op == WordOp::Add => (IBV_WR_ATOMIC_FETCH_AND_ADD, operand, 0),
            Step::None => (IBV_WR_ATOMIC_CMP_AND_SWP, condition, operand),
            Step::Reads => (IBV_WR_RDMA_READ, 0, 0),
            Step::Swaps { expected } => {
                let new = self.change_of(index).of(expected).unwrap_or(expected);
                (IBV_WR_ATOMIC_CMP_AND_SWP, expected, new)
            }
        };
        self.request(
            index,
            Request {
                operation: index,
                opcode,
                flags: if fence && step == Step::None { IBV_SEND_FENCE } else { 0 },
                address: slot,
                bytes: WHOLE as usize,
                local_key: self.room.slots.key(),
                there: there.address - there.address % WHOLE,
                key: there.key as u32,
                compare_add,
                swap,
            },
        );
        self.operations[index].posted = width as usize;
        Ok(())
    }

    /// The change that an atomic operation makes.
    pub(super) fn change_of(&mut self, index: usize) -> Change {
        let Active { work, .. } = self.operations[index];
        let Operation::Amo { op, width, operand, condition, .. } = work.operation else {
            unreachable!("it changes a word");
        };
        // The memory of peers is aligned to words, as this process sees it too.
        let there = self.far.find(work.peer, work.region, work.at, width as usize, 0);
        let shift = there.map_or(0, |(there, _)| 8 * (there.address % WHOLE) as u32);
        Change { op, width, operand, condition, shift }
    }

    /// The 8 bytes that the last request of an operation has brought.
    pub(super) fn brought(&self, index: usize) -> u64 {
        // SAFETY: the slot has room for them, and the device uses it no more.
        unsafe { self.room.slots.get(index).cast::<u64>().read() }
    }

    /// Copies what an operation has brought to where its poster wants it.
    pub(super) fn bring(&mut self, index: usize) {
        let Active { work, local, kind, .. } = self.operations[index];
        let (from, to, bytes) = match (work.operation, local) {
            (Operation::Amo { to: 0, .. }, _) => return,
            (Operation::Amo { width, to, .. }, _) if kind == Kind::Loop => {
                let word = self.change_of(index).word(self.brought(index)).to_le_bytes();
                // SAFETY: the poster keeps `width` bytes valid. This processor is little-endian.
                unsafe { address(to).copy_from_nonoverlapping(word.as_ptr(), width as usize) };
                return;
            }
            (Operation::Amo { width, to, .. }, _) => (self.room.slots.get(index), to, width as usize),
            (Operation::Get { to, bytes }, LocalEnd::Slot) => (self.room.slots.get(index), to, bytes),
            (Operation::Get { to, bytes }, LocalEnd::Buffer(buffer)) => (self.room.buffers.get(buffer), to, bytes),
            _ => return,
        };
        // SAFETY: the poster keeps the destination valid, and the device uses the slot or buffer no more.
        unsafe { address(to).copy_from_nonoverlapping(from, bytes) };
    }
}

/// The first part of a transfer: a write that takes several packets starts at an aligned address.
fn part(there: u64, bytes: usize, is_read: bool) -> usize {
    let before = (WHOLE - there % WHOLE) % WHOLE;
    if is_read || before == 0 || bytes <= SMALLEST_PACKET { bytes } else { before as usize }
}

/// The bytes that every network and every bus carries as a whole.
const SMALLEST_PACKET: usize = 128;

fn address(address: usize) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a word that lies in two packets: those of a write have the same length, a multiple of 8.
    #[test]
    fn a_long_write_starts_at_an_aligned_address() {
        for (there, bytes, is_read, first) in [
            (4096, 5000, false, 5000),
            (4097, 5000, false, 7),
            (4103, 5000, false, 1),
            (4097, SMALLEST_PACKET, false, SMALLEST_PACKET),
            (4097, SMALLEST_PACKET + 1, false, 7),
            (4097, 5000, true, 5000),
        ] {
            assert_eq!(part(there, bytes, is_read), first, "{bytes} bytes at {there}");
        }
    }
}
