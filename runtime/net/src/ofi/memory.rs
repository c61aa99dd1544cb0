//! Memory that this process lets peers use, and the local ends of transfers.

use crate::fabric::Local;
use crate::ofi::endpoint::{Endpoint, Here, Purpose, Registered};
use crate::ofi::sys::{FI_MR_LOCAL, FI_MR_VIRT_ADDR};
use std::collections::HashMap;
use std::ptr::null_mut;

/// The memory of this process.
#[derive(Default)]
pub(crate) struct Own {
    pieces: HashMap<(u32, u32), OwnPiece>,
}

struct OwnPiece {
    memory: Local,
    /// By endpoint.
    registered: Vec<Registered>,
}

impl Own {
    /// Registers a piece with each endpoint, and returns its card.
    ///
    /// # Safety
    /// The memory is mapped until the piece is forgotten.
    pub(crate) unsafe fn register(
        &mut self,
        key: (u32, u32),
        memory: Local,
        endpoints: &mut [Endpoint],
    ) -> Result<Vec<u8>, String> {
        let (region, piece) = key;
        if self.pieces.contains_key(&key) {
            return Err(format!("piece {piece} of region {region} is registered already"));
        }
        let mut card: Vec<u8> = [memory.at, memory.bytes as u64].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut registered = Vec::new();
        for endpoint in endpoints {
            // One key for all endpoints, where they let it be chosen: peers then keep one.
            let like = registered.first().map(Registered::key);
            // SAFETY: the caller guarantees the memory; `forget` drops the registration.
            let here = unsafe { endpoint.register(memory.address, memory.bytes, Purpose::Peers, like)? };
            let base = if endpoint.needs(FI_MR_VIRT_ADDR) { memory.address as u64 } else { 0 };
            card.extend(base.to_le_bytes());
            card.extend(here.key().to_le_bytes());
            registered.push(here);
        }
        self.pieces.insert(key, OwnPiece { memory, registered });
        Ok(card)
    }

    pub(crate) fn forget(&mut self, key: (u32, u32)) {
        self.pieces.remove(&key);
    }

    pub(crate) fn forget_all(&mut self) {
        self.pieces.clear();
    }

    /// The piece that has the byte at an address, and how many of these bytes it has.
    fn holding(&self, address: usize, bytes: usize) -> Option<(&OwnPiece, usize)> {
        let inside = |piece: &OwnPiece| address.checked_sub(piece.memory.address).filter(|at| *at < piece.memory.bytes);
        self.pieces.values().find_map(|piece| Some((piece, bytes.min(piece.memory.bytes - inside(piece)?))))
    }

    /// The local end of a transfer, of as many of the bytes as lie in one registration. If the provider wants one and
    /// the memory has none, it is registered for the transfer alone.
    ///
    /// # Safety
    /// The memory is mapped until the registration is dropped.
    pub(crate) unsafe fn local(
        &self,
        address: usize,
        bytes: usize,
        purpose: Purpose,
        which: usize,
        endpoint: &mut Endpoint,
    ) -> Result<(Here, Option<Registered>), String> {
        if !endpoint.needs(FI_MR_LOCAL) || bytes == 0 {
            return Ok((Here { address, bytes, desc: null_mut() }, None));
        }
        if let Some((piece, bytes)) = self.holding(address, bytes) {
            return Ok((Here { address, bytes, desc: piece.registered[which].desc() }, None));
        }
        // SAFETY: the caller guarantees the memory.
        let registered = unsafe { endpoint.register(address, bytes, purpose, None)? };
        Ok((Here { address, bytes, desc: registered.desc() }, Some(registered)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches memory that is registered once more for each transfer, because its bytes lie in two pieces.
    #[test]
    fn a_local_end_is_cut_where_a_piece_ends() {
        let mut own = Own::default();
        for (number, address, bytes) in [(0, 1000, 100), (1, 1100, 50)] {
            let memory = Local { at: 0, address, bytes, file: None };
            own.pieces.insert((1, number), OwnPiece { memory, registered: Vec::new() });
        }
        let found = |address, bytes| own.holding(address, bytes).map(|(piece, here)| (piece.memory.address, here));
        assert_eq!(found(1000, 100), Some((1000, 100)));
        assert_eq!(found(1090, 60), Some((1000, 10)));
        assert_eq!(found(1100, 50), Some((1100, 50)));
        assert_eq!(found(1149, 9), Some((1100, 1)));
        assert_eq!((found(999, 50), found(1150, 1)), (None, None));
    }
}
