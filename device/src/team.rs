//! Teams in kernels (OpenSHMEM 1.6, section 9.4). A kernel has a team as a [`DeviceTeam`], which is a parameter, or
//! which [`team`] finds by the slot of the host's team.

use crate::fail::fail;
use crate::peer::table_word;
use crate::{DevPtr, arch, my_pe, n_pes};
use core::mem::offset_of;
use cushmem_abi::{DeviceTeam, ErrorCode, TEAM_SLOTS, Tables};

/// Returns the team of this PE that occupies this slot: what `Team::slot` of the host returns. It costs a load. If this
/// PE has no team there, because none was created or because it was destroyed, the kernel ends with a message that
/// names the slot. It does so too if the numbers of the team's PEs are not evenly spaced. A slot that has got another
/// team since then cannot be told from the one that was meant.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, kernels, p, team};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Stores this PE's number in its row into `inbox` of the row's first PE, and waits for the whole row.
///     pub unsafe fn gather(inbox: DevPtr<u32>, row_slot: u32) {
///         let row = team(row_slot);
///         if Block.lane() == 0 {
///             p(inbox.add(row.my_pe as usize), row.my_pe, row.pe(0));
///         }
///         Block.team_barrier(row);
///     }
/// }
/// ```
#[inline(always)]
pub fn team(slot: u32) -> DeviceTeam {
    let entry = DevPtr::<u64>::from_address(arch::context_tables() + Tables::team(slot, n_pes()));
    let [pes, numbers] = if slot < TEAM_SLOTS as u32 || slot < n_teams() {
        // SAFETY: the tables have an entry for each slot, aligned to its size. At the same time the CPU may write
        // entries of other teams.
        unsafe { arch::ld_relaxed_sys_v2_u64(entry.cast().raw()) }
    } else {
        [0, 0]
    };
    let (start, stride) = (pes as u32, ((pes >> 32) as u32).cast_signed());
    let (n_pes, my_pe) = (numbers as u32, (numbers >> 32) as u32);
    if stride == 0 {
        no_team(slot, n_pes);
    }
    DeviceTeam { start, stride, n_pes, my_pe, slot }
}

/// How many slots there are.
#[inline(always)]
fn n_teams() -> u32 {
    table_word(offset_of!(Tables, n_teams) as u64) as u32
}

/// Returns the team of all PEs (`SHMEM_TEAM_WORLD`).
/// [`team_translate_pe`] has an example.
#[inline(always)]
pub fn team_world() -> DeviceTeam {
    DeviceTeam { start: 0, stride: 1, n_pes: n_pes(), my_pe: my_pe(), slot: 0 }
}

/// Returns this PE's number in the team (`shmem_team_my_pe`, 9.4).
/// [`team_translate_pe`] has an example.
#[inline(always)]
pub const fn team_my_pe(team: DeviceTeam) -> u32 {
    team.my_pe
}

/// Returns the number of PEs in the team (`shmem_team_n_pes`, 9.4).
/// [`team_translate_pe`] has an example.
#[inline(always)]
pub const fn team_n_pes(team: DeviceTeam) -> u32 {
    team.n_pes
}

/// Returns the number in `dest_team` of the PE whose number in `src_team` is `src_pe` (`shmem_team_translate_pe`, 9.4),
/// or `None` if that PE is not in `dest_team`. If `src_team` has no such PE, the kernel ends with a message.
///
/// ```
/// use cushmem_device::{
///     DevPtr, DeviceTeam, kernels, p, team_my_pe, team_n_pes, team_translate_pe, team_world,
/// };
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Stores a number to the next PE of the row.
///     pub unsafe fn pass_on(number: DevPtr<u32>, row: DeviceTeam) {
///         let next = (team_my_pe(row) + 1) % team_n_pes(row);
///         if let Some(pe) = team_translate_pe(row, next, team_world()) {
///             p(number, 42, pe);
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn team_translate_pe(src_team: DeviceTeam, src_pe: u32, dest_team: DeviceTeam) -> Option<u32> {
    let distance = pe_of(src_team, src_pe).wrapping_sub(dest_team.start).cast_signed();
    // A team of the host has a stride. Without this, the compiler would add a panic.
    let number = distance.checked_div(dest_team.stride).unwrap_or(0);
    let found = number.wrapping_mul(dest_team.stride) == distance && number.cast_unsigned() < dest_team.n_pes;
    found.then_some(number.cast_unsigned())
}

/// The PE of the job that has this number in a team. Ends the kernel with a message if there is none.
#[inline(always)]
pub(crate) fn pe_of(team: DeviceTeam, number: u32) -> u32 {
    if number >= team.n_pes {
        not_in_team(number, team.slot, team.n_pes);
    }
    team.pe(number)
}

#[cold]
#[inline]
pub(crate) fn not_in_team(number: u32, slot: u32, n_pes: u32) -> ! {
    fail(ErrorCode::PeOutOfTeam, number, slot.into(), n_pes.into())
}

#[cold]
#[inline]
fn no_team(slot: u32, n_pes: u32) -> ! {
    fail(ErrorCode::NoTeam, my_pe(), slot.into(), n_pes.into())
}
