//! Teams, and what completes or ends more than one operation. A team's handle is its slot plus 1, except
//! `SHMEM_TEAM_SHARED`.

use crate::{at, exports};
use cushmem_abi::{DeviceTeam, SHARED_TEAM_SLOT};
use cushmem_device::{Block, Scope, Thread, Warp, any, team_translate_pe};

/// `SHMEM_TEAM_INVALID`
const INVALID: u64 = 0;
/// `SHMEM_TEAM_SHARED`
const SHARED: u64 = 2;

/// The team of a handle.
#[inline(always)]
pub(crate) fn team_of(handle: u64) -> DeviceTeam {
    any::team_of(if handle == SHARED { SHARED_TEAM_SLOT } else { handle as u32 - 1 })
}

exports! {
    "shmem_team_my_pe" => fn my_pe(team: u64) -> i32 { if team == INVALID { -1 } else { team_of(team).my_pe as i32 } }
    "shmem_team_n_pes" => fn n_pes(team: u64) -> i32 { if team == INVALID { -1 } else { team_of(team).n_pes as i32 } }
    "shmem_team_translate_pe" => fn translate_pe(src_team: u64, src_pe: i32, dest_team: u64) -> i32 {
        if src_team == INVALID || dest_team == INVALID {
            return -1;
        }
        let (from, to) = (team_of(src_team), team_of(dest_team));
        if src_pe as u32 >= from.n_pes {
            return -1;
        }
        team_translate_pe(from, src_pe as u32, to).map_or(-1, |pe| pe as i32)
    }
    "shmem_pe_quiet" => fn pe_quiet(target_pes: u64, npes: u64) { cushmem_device::pe_quiet(at(target_pes), npes as usize) }
    "shmem_global_exit" => fn global_exit(status: i32) { cushmem_device::global_exit(status) }
}

macro_rules! scopes { ($($module:ident $scope:ident $before:literal $after:literal;)*) => {$(
    mod $module {
        use crate::teams::*;
        exports! {
            concat!($before, "team_sync", $after) => fn team_sync(team: u64) -> i32 {
                $scope.team_sync(team_of(team));
                0
            }
            concat!("shmemx_barrier", $after) => fn barrier(team: u64) -> i32 {
                $scope.team_barrier(team_of(team));
                0
            }
        }
    }
)*} }
scopes! {
    by_thread Thread "shmem_" "";
    by_warp Warp "shmemx_" "_warp";
    by_block Block "shmemx_" "_block";
}
