//! Check mode before a collective: all members give the same arguments, and source and dest do not overlap by a part.

use super::{ActiveSet, BadArgument, Buffers, Result, Who};
use crate::active_set::Pairs;
use crate::agreement::{Argument, Call, OUTSIDE};
use crate::members::Members;
use crate::raw::Raw;
use crate::sym::Kind;
use crate::{Misuse, Shmem};
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
        who: Who<'_>,
        operation: &'static str,
        buffers: Buffers,
        bytes: (usize, usize),
        numbers: Numbers,
    ) -> Result<()> {
        if self.shmem().check { agree(self.shmem(), who, operation, buffers, bytes, numbers) } else { Ok(()) }
    }
}

#[cold]
#[inline(never)]
fn agree(
    shmem: &Shmem,
    who: Who<'_>,
    operation: &'static str,
    buffers: Buffers,
    (dest_bytes, source_bytes): (usize, usize),
    numbers: Numbers,
) -> Result<()> {
    let (dest, source) = (buffers.dest.addr(), buffers.source.addr());
    let place = |address| shmem.locate(address, 1).unwrap_or((Kind::Host, OUTSIDE));
    let object = |name, address| Argument::Object(name, (address != 0).then(|| place(address)));
    let [a, b, c] = numbers.map(|(name, value)| Argument::Number(name, value as u64));
    let call = Call::new(operation, &[a, b, c, object("dest", dest), object("source", source)]);
    match who {
        Who::Team(team) => shmem.agree(team, || call),
        Who::Active(ActiveSet { pes, me }) => {
            let (source, dest) = Default::default();
            let members = &mut Members { shmem, operation, pes, me, source, dest, meeting: Pairs, accumulator: () };
            let own = call.digest() as usize;
            let (_, all) = members.sums(own);
            if all != own * pes.size() as usize {
                shmem.end_misused(operation, "the PEs of the active set do not all give the same arguments");
            }
            members.sync();
        }
    }
    let apart = dest.saturating_add(dest_bytes) <= source || source.saturating_add(source_bytes) <= dest;
    if dest == source || apart || dest_bytes == 0 || source_bytes == 0 {
        return Ok(());
    }
    Err(BadArgument { argument: "source", value: source, misuse: Misuse::Overlap })
}
