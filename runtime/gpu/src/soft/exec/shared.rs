//! The shared memory of a block.

use super::super::module::MAX_SHARED_BYTES;
use crate::launch::too_much_shared;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The piece that the launch asked for; the kernel declares the others.
const DYNAMIC: u64 = 0;
/// CUDA's limit for what a kernel declares.
const MAX_STATIC_BYTES: u32 = 48 << 10;
/// What fresh memory holds, so that nobody relies on zeros: not a number, as an `f32` and as an `f64`.
const POISON: u128 = 0xfff7_dead_fff7_dead_fff7_dead_fff7_dead;

/// All pieces of the process, so that the CPU can refuse their addresses: start and end.
static PIECES: Mutex<BTreeMap<u64, u64>> = Mutex::new(BTreeMap::new());

fn pieces() -> MutexGuard<'static, BTreeMap<u64, u64>> {
    PIECES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an address lies in a piece of any block.
pub(super) fn contains(address: u64) -> bool {
    pieces().range(..=address).next_back().is_some_and(|(_, end)| address < *end)
}

/// Pieces of memory that live as long as a block.
#[derive(Default)]
pub(super) struct Shared {
    pieces: Vec<Piece>,
}

struct Piece {
    id: u64,
    bytes: u32,
    address: u64,
    /// Aligned to 16 bytes. Only lanes use it, by its address.
    _words: Box<[u128]>,
}

impl Drop for Piece {
    fn drop(&mut self) {
        pieces().remove(&self.address);
    }
}

impl Shared {
    /// A new block starts: the memory of the one before is gone.
    pub fn reset(&mut self) {
        self.pieces.clear();
    }

    /// Whether an address lies in a piece.
    pub fn contains(&self, address: u64) -> bool {
        self.pieces.iter().any(|piece| address.wrapping_sub(piece.address) < piece.bytes.into())
    }

    /// Returns the address of a piece. The first lane that asks makes it.
    pub fn piece(&mut self, id: u64, bytes: u32) -> Result<u64, String> {
        if let Some(piece) = self.pieces.iter().find(|piece| piece.id == id) {
            return Ok(piece.address);
        }
        let of = |is_static: bool| self.pieces.iter().filter(move |p| (p.id != DYNAMIC) == is_static);
        let declared = of(true).map(|p| p.bytes).sum::<u32>() + if id == DYNAMIC { 0 } else { bytes };
        if declared > MAX_STATIC_BYTES {
            let cause = "static shared memory: a kernel can declare at most";
            return Err(format!("{declared} bytes of {cause} {MAX_STATIC_BYTES}"));
        }
        let dynamic = of(false).map(|p| p.bytes).sum::<u32>() + if id == DYNAMIC { bytes } else { 0 };
        if declared + dynamic > MAX_SHARED_BYTES {
            let why = too_much_shared(MAX_SHARED_BYTES, declared);
            return Err(format!("{dynamic} bytes of dynamic shared memory: {why}"));
        }
        let mut words = vec![POISON; (bytes as usize).div_ceil(size_of::<u128>()).max(1)].into_boxed_slice();
        let address = words.as_mut_ptr().expose_provenance() as u64;
        pieces().insert(address, address + u64::from(bytes));
        self.pieces.push(Piece { id, bytes, address, _words: words });
        Ok(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches pieces that overlap or move, and blocks that get more than a GPU has.
    #[test]
    fn pieces_are_apart_and_limited() {
        let mut shared = Shared::default();
        let (a, b) = (shared.piece(1, 100).expect("room"), shared.piece(2, 100).expect("room"));
        assert!(a.abs_diff(b) >= 100 && a % 16 == 0 && b % 16 == 0);
        assert_eq!(shared.piece(1, 100), Ok(a));
        assert!(shared.piece(3, MAX_STATIC_BYTES - 199).expect_err("too much").contains("49152"));
        assert!(shared.piece(DYNAMIC, MAX_SHARED_BYTES - 199).expect_err("too much").contains("declares 200"));
        assert!(shared.piece(DYNAMIC, MAX_SHARED_BYTES - 200).is_ok());
        assert!(contains(a) && contains(b + 99) && !contains(0));
        shared.reset();
        assert_eq!(shared.pieces.len(), 0);
        assert!(shared.piece(DYNAMIC, MAX_SHARED_BYTES).is_ok());
    }
}
