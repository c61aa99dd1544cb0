use super::window::PAGE_BYTES;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

type Outcome<T> = std::result::Result<T, String>;

/// The pieces of host memory that were registered with one GPU: the start of each, and its size in bytes.
#[derive(Default)]
pub(super) struct Registered(Mutex<BTreeMap<u64, u64>>);

impl Registered {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn add(&self, address: u64, bytes: u64) -> Outcome<()> {
        if bytes == 0 || !address.is_multiple_of(PAGE_BYTES) || !bytes.is_multiple_of(PAGE_BYTES) {
            return Err(format!("not a range of whole pages of {PAGE_BYTES} bytes"));
        }
        let end = address.checked_add(bytes).ok_or("the range wraps around the address space")?;
        let mut pieces = self.lock();
        if let Some((start, length)) = last_before(&pieces, end).filter(|(start, length)| start + length > address) {
            return Err(format!("{length} bytes at {start:#x} are registered already"));
        }
        pieces.insert(address, bytes);
        Ok(())
    }

    pub fn remove(&self, address: u64) -> Outcome<()> {
        self.lock().remove(&address).map(drop).ok_or_else(|| "it is not registered".to_owned())
    }

    /// Whether all of these bytes lie in one piece.
    pub fn has(&self, address: u64, bytes: u64) -> bool {
        let piece = last_before(&self.lock(), address.saturating_add(1));
        piece.is_some_and(|(start, length)| address.saturating_add(bytes.max(1)) <= start + length)
    }

    /// Refuses a range that contains a border of a piece, as CUDA does: CUDA treats the piece in which the range starts
    /// or ends as one allocation, which the copy must not leave.
    pub fn check_copy(&self, address: u64, bytes: u64) -> Outcome<()> {
        if bytes == 0 {
            return Ok(());
        }
        let end = address.saturating_add(bytes);
        match last_before(&self.lock(), end) {
            Some((start, length)) if start + length > address && (address < start || end > start + length) => {
                Err(format!(
                    "invalid argument: {bytes} bytes at {address:#x} cross a border of the registered host memory \
                     at {start:#x} with {length} bytes"
                ))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the last piece that starts before `end`.
fn last_before(pieces: &BTreeMap<u64, u64>, end: u64) -> Option<(u64, u64)> {
    pieces.range(..end).next_back().map(|(&start, &length)| (start, length))
}
