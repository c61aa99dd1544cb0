//! The name of a process: those of its endpoints, each behind its length in two bytes.

/// The name of a process with endpoints of these names.
pub(crate) fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    parts.iter().flat_map(|part| [&(part.len() as u16).to_le_bytes()[..], part].concat()).collect()
}

/// The names of so many endpoints. The error follows the words that say whose name it is.
pub(crate) fn parts(name: &[u8], endpoints: usize) -> Result<Vec<&[u8]>, String> {
    let (mut rest, mut parts) = (name, Vec::new());
    for _ in 0..endpoints {
        let part = rest
            .split_first_chunk::<2>()
            .and_then(|(length, after)| after.split_at_checked(u16::from_le_bytes(*length) as usize));
        let Some((part, after)) = part else { return Err(format!("is too short: {} bytes", name.len())) };
        parts.push(part);
        rest = after;
    }
    if rest.is_empty() { Ok(parts) } else { Err(format!("is too long: {} bytes", name.len())) }
}
