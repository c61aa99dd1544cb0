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

#[cfg(test)]
mod fuzz {
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line, within};

    #[test]
    fn ofi_name() {
        let name = joined(&[vec![2, 0, 31, 144, 10, 0, 0, 1], b"fi_sockaddr_in://10.0.0.1".to_vec()]);
        Parser::new("ofi_name", env!("CARGO_PKG_NAME")).sample("two", name).run(|bytes| {
            for endpoints in 1..=2 {
                match within(256, || parts(bytes, endpoints)) {
                    Ok(parts) => assert_eq!(joined(&parts.iter().map(|part| part.to_vec()).collect::<Vec<_>>()), bytes),
                    Err(why) => is_one_line(&why, bytes),
                }
            }
        });
    }
}
