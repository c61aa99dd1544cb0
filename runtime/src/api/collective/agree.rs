//! Check mode before a collective: all members pass the same arguments, and source and dest do not overlap. They may be
//! identical where that is correct. OpenSHMEM 1.6 allows it for reductions and scans. It says nothing about broadcasts,
//! in which the library never overwrites anything that it has still to read. In all other collectives it would.

use super::{BadArgument, Buffers, Participants, Result};
use crate::api::allocation;
use crate::api::raw::Raw;
use crate::error::ArgumentError;
use crate::sync::call::{Argument, Call, Object};
use crate::{PeSet, Shmem};
use cushmem_collective::{Counts, Group};

/// Arguments other than the buffers that all members pass alike.
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
    // A member may pass its own block of the source.
    let common_dest = if operation == SCATTER { 0 } else { dest };
    let [a, b, c] = numbers.map(|(name, value)| Argument::Number(name, value as u64));
    let call = Call::new(operation, &[a, b, c, object("dest", common_dest), object("source", source)]);
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
    let is_good = match dest == source {
        true => (source_bytes == 0 && numbers[0].1 == 0) || works_in_place(operation, who.pes(), shmem.my_pe()),
        false => apart || dest_bytes == 0 || source_bytes == 0,
    };
    if is_good {
        return Ok(());
    }
    Err(BadArgument { argument: "source", value: source, error: ArgumentError::Overlap })
}

const SCATTER: &str = "reducescatter";

/// Whether dest may be the same as the source.
fn works_in_place(operation: &str, pes: PeSet, my_pe: u32) -> bool {
    match operation {
        "broadcast" | "reduce" | "scan" => true,
        // Its own block of the source, which nobody else reads.
        SCATTER => pes.pe(0) == Some(my_pe),
        _ => pes.size() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a collective in which a member writes what another one has still to read.
    #[test]
    fn in_place() {
        let (one, two) = (PeSet::all(1), PeSet::all(2));
        for (operation, wanted) in [
            ("reduce", [true; 2]),
            ("scan", [true; 2]),
            ("broadcast", [true; 2]),
            (SCATTER, [true, false]),
            ("alltoall", [false; 2]),
            ("alltoalls", [false; 2]),
            ("fcollect", [false; 2]),
            ("collect", [false; 2]),
        ] {
            assert_eq!([0, 1].map(|pe| works_in_place(operation, two, pe)), wanted, "{operation}");
            assert!(works_in_place(operation, one, 0), "{operation} of one PE");
        }
    }
}
