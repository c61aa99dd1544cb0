//! The name of a process: for each of its endpoints, the provider and the address, each behind its length in two bytes.

/// What the name of a process says of an endpoint.
#[derive(Clone, Copy)]
pub(crate) struct Named<'a> {
    /// The name of its provider.
    pub(crate) provider: &'a [u8],
    /// What the provider calls it.
    pub(crate) address: &'a [u8],
}

/// The name of a process with these endpoints.
pub(crate) fn joined(endpoints: &[Named]) -> Vec<u8> {
    let parts = endpoints.iter().flat_map(|endpoint| [endpoint.provider, endpoint.address]);
    parts.flat_map(|part| [&(part.len() as u16).to_le_bytes()[..], part].concat()).collect()
}

/// The endpoints of a process, of which there are so many. The error follows the words that say whose name it is.
pub(crate) fn endpoints(name: &[u8], number: usize) -> Result<Vec<Named<'_>>, String> {
    let (mut rest, mut parts) = (name, Vec::new());
    for _ in 0..2 * number {
        let part = rest
            .split_first_chunk::<2>()
            .and_then(|(length, after)| after.split_at_checked(u16::from_le_bytes(*length) as usize));
        let Some((part, after)) = part else { return Err(format!("is too short: {} bytes", name.len())) };
        parts.push(part);
        rest = after;
    }
    if !rest.is_empty() {
        return Err(format!("is too long: {} bytes", name.len()));
    }
    let (pairs, _) = parts.as_chunks();
    Ok(pairs.iter().map(|&[provider, address]| Named { provider, address }).collect())
}

#[cfg(test)]
mod fuzz {
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line, within};

    #[test]
    fn ofi_name() {
        let tcp = Named { provider: b"tcp", address: &[2, 0, 31, 144, 10, 0, 0, 1] };
        let shm = Named { provider: b"shm", address: b"fi_shm://1:2:3" };
        let name = joined(&[tcp, shm]);
        Parser::new("ofi_name", env!("CARGO_PKG_NAME")).sample("two", name).run(|bytes| {
            for number in 1..=2 {
                match within(512, || endpoints(bytes, number)) {
                    Ok(endpoints) => assert_eq!(joined(&endpoints), bytes),
                    Err(why) => is_one_line(&why, bytes),
                }
            }
        });
    }
}
