//! Check mode before a collective: all members give the same arguments, and source and dest do not overlap by a part.

use super::{BadArgument, Buffers, Participants, Result};
use crate::Shmem;
use crate::api::allocation;
use crate::api::raw::Raw;
use crate::error::ArgumentError;
use crate::sync::agreement::{Argument, Call, Object};
use cushmem_collective::{Counts, Group};

/// Arguments beside the buffers that all members give alike.
pub(super) type Numbers = [(&'static str, usize); 3];

/// No further argument.
pub(super) const NONE: (&str, usize) = ("", 0);

impl Raw<'_> {
    /// In check mode: ends the job unless all members make the same call. `bytes` are those of dest and source.
    #[inline(always)]
    pub(super) fn agree(
        self,
        who: Participants<'_>,
        operation: &'static str,
        buffers: Buffers,
        bytes: (usize, usize),
        numbers: Numbers,
    ) -> Result<()> {
        if self.shmem().memory().checks() {
            agree(self.shmem(), who, operation, buffers, bytes, numbers)
        } else {
            Ok(())
        }
    }
}

#[cold]
#[inline(never)]
fn agree(
    shmem: &Shmem,
    who: Participants<'_>,
    operation: &'static str,
    buffers: Buffers,
    (dest_bytes, source_bytes): (usize, usize),
    numbers: Numbers,
) -> Result<()> {
    let (dest, source) = (buffers.dest.addr(), buffers.source.addr());
    let place = |address: usize| match address {
        0 => Object::Null,
        _ => shmem.memory().locate(address, 1).map_or(Object::Outside, allocation::object),
    };
    let object = |name, address| Argument::Object(name, place(address));
    let [a, b, c] = numbers.map(|(name, value)| Argument::Number(name, value as u64));
    let call = Call::new(operation, &[a, b, c, object("dest", dest), object("source", source)]);
    match who {
        Participants::Team(team) => shmem.sync().agree(team, || call),
        Participants::Active(set) => {
            let mut point = shmem.sync().active_point(operation, set);
            let own = call.digest() as usize;
            let (_, all) = point.sums(own);
            if all != own * point.size() as usize {
                let text = "the PEs of the active set do not all give the same arguments";
                shmem.sync().end_wrong_call(operation, text);
            }
            point.sync();
        }
    }
    let apart = dest.saturating_add(dest_bytes) <= source || source.saturating_add(source_bytes) <= dest;
    if dest == source || apart || dest_bytes == 0 || source_bytes == 0 {
        return Ok(());
    }
    Err(BadArgument { argument: "source", value: source, error: ArgumentError::Overlap })
}
