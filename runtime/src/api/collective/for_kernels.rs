//! Collectives that kernels ask the CPU for, because not all PEs are mapped. The team's deputy carries them out as it
//! does those of streams ([`crate::service::deputy`]).

use super::reduction::{Reducer, reducer_of_code};
use super::typed::of_all;
use super::unequal::Unequal;
use super::{Collective, Participants, by_copies, locate};
use crate::Team;
use crate::error::ArgumentError;
use crate::service::KernelCollective;
use crate::service::deputy::{Maker, Work};
use crate::transfer::Transfers;
use crate::transfer::context::Context;
use cushmem_abi::{CollectiveKind, Rows};
use std::sync::Arc;

/// What makes the collectives of a team.
pub(crate) fn maker(team: &Team) -> Maker {
    let team = team.of_deputies().clone();
    Arc::new(move |transfers, asked| {
        make(transfers, team.team(transfers.job()), asked).map_err(|why| format!("{}: {why}", name(asked)))
    })
}

/// The collective's name in OpenSHMEM.
fn name(asked: KernelCollective) -> &'static str {
    match asked.what.kind {
        CollectiveKind::Broadcast => "broadcast",
        CollectiveKind::Fcollect => "fcollect",
        CollectiveKind::Alltoall => "alltoall",
        CollectiveKind::Alltoalls => "alltoalls",
        CollectiveKind::Reduce => "reduce",
        CollectiveKind::ReduceScatter => "reducescatter",
        CollectiveKind::Inscan => "inscan",
        CollectiveKind::Exscan => "exscan",
        CollectiveKind::Alltoallv => "alltoallv",
    }
}

fn make(transfers: &Transfers, team: &Arc<Team>, asked: KernelCollective) -> Result<Work, String> {
    let KernelCollective { dest, source, elements, what } = asked;
    let (operation, size) = (name(asked), usize::from(what.width));
    if size == 0 && what.kind != CollectiveKind::Alltoallv {
        return Err("an element has 0 bytes".to_owned());
    }
    let bytes = elements.saturating_mul(size);
    let all = of_all(bytes, team);
    let found = |argument, address, bytes| {
        locate(transfers, team.pes(), argument, address, bytes)
            .map_err(|bad| format!("{argument} {address:#x}: {}", bad.error))
    };
    let reducer = || -> Result<Reducer, String> {
        let none = || format!("there is no operation {:#x} on elements of {size} bytes", what.code);
        reducer_of_code(what.code, size).ok_or_else(none)
    };
    let (collective, dest_bytes, source_bytes) = match what.kind {
        CollectiveKind::Broadcast if what.root >= team.n_pes() => {
            return Err(format!("PE_root {} is out of range (0 to {})", what.root, team.n_pes() - 1));
        }
        CollectiveKind::Broadcast => (Collective::Broadcast { bytes, root: what.root, root_too: true }, bytes, bytes),
        CollectiveKind::Fcollect => (Collective::Fcollect { bytes }, all, bytes),
        CollectiveKind::Alltoall => (Collective::Alltoall { bytes }, all, all),
        CollectiveKind::Alltoalls => {
            let [dst, sst] = what.strides.map(|stride| stride as usize);
            if let Some((name, stride)) = [("dst", dst), ("sst", sst)].into_iter().find(|(_, stride)| *stride == 0) {
                return Err(format!("{name} {stride} is not between 1 and {}", u32::MAX));
            }
            // From the first element to the end of the last one, if there are any.
            let reach = |stride: usize| match of_all(elements, team).checked_sub(1) {
                Some(last) => last.saturating_mul(stride).saturating_add(1).saturating_mul(size),
                None => 0,
            };
            (Collective::Alltoalls { bytes: size, elements, strides: (dst, sst) }, reach(dst), reach(sst))
        }
        CollectiveKind::Alltoallv => {
            let Rows { row, room, dest_splits } = what.rows();
            if row == 0 {
                return Err(format!("a row does not have 1 to {} bytes", u32::MAX));
            }
            let (row, room) = (row as usize, room as usize);
            let found_words = |argument, address: usize| match address.is_multiple_of(8) {
                true => found(argument, address, of_all(16, team)),
                false => Err(format!("{argument} {address:#x}: {}", ArgumentError::Misaligned(8))),
            };
            let source_splits = found_words("source_splits", elements)?;
            let splits = (found_words("dest_splits", dest_splits as usize)?, source_splits);
            let what = Unequal { splits, room, given: usize::MAX, row };
            // Which rows of the source are sent is known only later.
            (Collective::Alltoallv(what), room.saturating_mul(row), 1)
        }
        CollectiveKind::Reduce => (Collective::Reduce { elements, reducer: reducer()? }, bytes, bytes),
        CollectiveKind::ReduceScatter => (Collective::ReduceScatter { elements, reducer: reducer()? }, bytes, all),
        CollectiveKind::Inscan => (Collective::Scan { elements, sum: reducer()?, inclusive: true }, bytes, bytes),
        CollectiveKind::Exscan => (Collective::Scan { elements, sum: reducer()?, inclusive: false }, bytes, bytes),
    };
    let (source, dest) = (found("source", source, source_bytes)?, found("dest", dest, dest_bytes)?);
    let team = team.clone();
    Ok(Arc::new(move |transfers: &Transfers, context: &Context| {
        let member = by_copies::Member { transfers, context, operation, who: Participants::Team(&team), source, dest };
        member.run_or_end(collective);
    }))
}
