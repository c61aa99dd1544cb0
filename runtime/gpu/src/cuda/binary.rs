//! Checks that some bytes are a complete cubin or fatbin. The driver is not given a length: it reads as far as the
//! file's own tables say.

const ELF: [u8; 4] = *b"\x7fELF";
const FATBIN: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
const ELF_64_BIT: u8 = 2;
/// `SHT_NOBITS`: a section without bytes in the file.
const NO_BITS: u64 = 8;

/// Whether the bytes start like a file that the driver takes without compiling.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&ELF) || bytes.starts_with(&FATBIN)
}

/// Checks that everything that the file's tables refer to lies within the file.
pub(super) fn check_whole(bytes: &[u8]) -> Result<(), &'static str> {
    let end = if bytes.starts_with(&ELF) {
        end_of_elf(bytes)
    } else if bytes.starts_with(&FATBIN) {
        end_of_fatbin(bytes)
    } else {
        return Err("it is neither a cubin nor a fatbin");
    };
    if end.is_some_and(|end| end <= bytes.len() as u64) { Ok(()) } else { Err("it is truncated or damaged") }
}

/// A number of `size` bytes, little-endian.
fn number(bytes: &[u8], at: u64, size: usize) -> Option<u64> {
    let from = usize::try_from(at).ok()?;
    let field = bytes.get(from..from.checked_add(size)?)?;
    Some(field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Returns where the last of the header, tables and sections ends.
fn end_of_elf(bytes: &[u8]) -> Option<u64> {
    if *bytes.get(4)? != ELF_64_BIT {
        return None;
    }
    let field = |at, size| number(bytes, at, size);
    let table = |offset: u64, entry: u64, count: u64| offset.checked_add(entry.checked_mul(count)?);
    let (sections, entry, count) = (field(40, 8)?, field(58, 2)?, field(60, 2)?);
    let mut end = table(field(32, 8)?, field(54, 2)?, field(56, 2)?)?.max(table(sections, entry, count)?).max(64);
    if end > bytes.len() as u64 {
        return None;
    }
    for section in 0..count {
        let at = sections + section * entry;
        if field(at + 4, 4)? != NO_BITS {
            end = end.max(field(at + 24, 8)?.checked_add(field(at + 32, 8)?)?);
        }
    }
    Some(end)
}

/// The header gives its own length and the length of what follows.
fn end_of_fatbin(bytes: &[u8]) -> Option<u64> {
    number(bytes, 6, 2)?.checked_add(number(bytes, 8, 8)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header, one section of four bytes, and the table that refers to it.
    fn elf() -> Vec<u8> {
        let mut bytes = vec![0; 64 + 4 + 64];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        bytes[40] = 68;
        bytes[58] = 64;
        bytes[60] = 1;
        let (offset, size) = (68 + 24, 68 + 32);
        bytes[68 + 4] = 1;
        bytes[offset] = 64;
        bytes[size] = 4;
        bytes
    }

    #[test]
    fn every_truncation_is_refused() {
        let whole = elf();
        assert_eq!(check_whole(&whole), Ok(()));
        for length in 0..whole.len() {
            assert!(check_whole(&whole[..length]).is_err(), "{length} bytes");
        }
        let mut fatbin = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7];
        assert_eq!(check_whole(&fatbin), Ok(()));
        fatbin.pop();
        assert_eq!(check_whole(&fatbin), Err("it is truncated or damaged"));
        assert_eq!(check_whole(b".version 7.8"), Err("it is neither a cubin nor a fatbin"));
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        for at in [32, 40, 68 + 24, 68 + 32] {
            let mut bytes = elf();
            bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
            bytes[56] = 1;
            assert!(check_whole(&bytes).is_err(), "at {at}");
        }
        // A section that takes no room in the file may have any size.
        let mut bytes = elf();
        bytes[68 + 4] = NO_BITS as u8;
        bytes[68 + 32..68 + 40].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(check_whole(&bytes), Ok(()));
    }
}
