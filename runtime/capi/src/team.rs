//! Teams. A handle is a number that C sees as a pointer: 0 is `SHMEM_TEAM_INVALID`, and the others are the slots of
//! this PE's teams plus 1, so `SHMEM_TEAM_WORLD` is 1. Only `SHMEM_TEAM_SHARED` is 2 whatever its slot is: the team of
//! active sets, whose slot would give this handle, has none.

use crate::context;
use crate::report::{self, Call, end_argument, say};
use crate::state::job;
use cushmem::{Shmem, Team};
use std::ffi::{c_int, c_long, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// `shmem_team_t`.
pub(crate) type Handle = *const Opaque;

/// The type that handles appear to point to.
#[repr(C)]
pub(crate) struct Opaque([u8; 0]);

/// `shmem_team_config_t`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Config {
    num_contexts: c_int,
}

const INVALID: Handle = std::ptr::null();
pub(crate) const WORLD: usize = 1;
const SHARED: usize = 2;
const _: () = assert!(SHARED == Team::WITHOUT_HANDLE + 1, "another team would have the handle of SHMEM_TEAM_SHARED");
/// `SHMEM_TEAM_NUM_CONTEXTS`
const NUM_CONTEXTS: c_long = 1;
/// The return value of routines after a failure.
const FAILED: c_int = -1;

struct Entry {
    team: Team,
    config: Config,
}

static TEAMS: [AtomicPtr<Entry>; Team::MOST] = [const { AtomicPtr::new(null_mut()) }; Team::MOST];

/// The team of a handle; ends the job if there is none.
#[inline]
pub(crate) fn team(routine: &'static str, handle: Handle) -> &'static Team {
    let job = job(routine);
    if handle.addr() == WORLD { job.team_world() } else { other(routine, "team", handle) }
}

#[inline(never)]
fn other(routine: &'static str, argument: &str, handle: Handle) -> &'static Team {
    match find(job(routine), handle) {
        Some((team, _)) => team,
        None if handle == INVALID => {
            report::end(routine, &format!("argument {argument}: SHMEM_TEAM_INVALID is not a team"))
        }
        None => {
            let text = format!("argument {argument}: {handle:p} is not a team, or was destroyed");
            report::end(routine, &text)
        }
    }
}

/// The team of a handle, or `None` for `SHMEM_TEAM_INVALID`.
fn valid(routine: &'static str, argument: &str, handle: Handle) -> Option<&'static Team> {
    job(routine);
    (handle != INVALID).then(|| other(routine, argument, handle))
}

fn find(job: &'static Shmem, handle: Handle) -> Option<(&'static Team, Config)> {
    match handle.addr() {
        WORLD => Some((job.team_world(), Config::default())),
        SHARED => Some((job.team_shared(), Config::default())),
        place => {
            // SYNC(capi-team) acquire: pairs with the release in `add`.
            let entry = TEAMS.get(place.checked_sub(1)?)?.load(Ordering::Acquire);
            // SAFETY: it is null or what `add` stored, which lives until the team is destroyed; after that nobody may
            // use it.
            unsafe { entry.as_ref() }.map(|entry| (&entry.team, entry.config))
        }
    }
}

fn add(team: Team, config: Config) -> Handle {
    let place = team.slot();
    // SYNC(capi-team) release: pairs with the acquire in `find`.
    TEAMS[place].store(Box::into_raw(Box::new(Entry { team, config })), Ordering::Release);
    std::ptr::without_provenance(place + 1)
}

/// The handle of the team across nodes, or 0.
static ACROSS_NODES: AtomicUsize = AtomicUsize::new(0);

/// The team of the PEs that have this PE's place on their nodes. The library with NVSHMEM's names calls it. The first
/// call is collective. Returns `SHMEM_TEAM_INVALID` if the team cannot be made.
#[unsafe(no_mangle)]
extern "C" fn shmemx_impl_team_across_nodes() -> Handle {
    let job = job("nvshmem_init");
    // Relaxed: calls come one after the other, as those of nvshmem_init do.
    if ACROSS_NODES.load(Ordering::Relaxed) == 0
        && let Ok(Some(team)) = job.raw().team_across_nodes()
    {
        ACROSS_NODES.store(add(team, Config::default()).addr(), Ordering::Relaxed);
    }
    std::ptr::without_provenance(ACROSS_NODES.load(Ordering::Relaxed))
}

/// Removes the teams that the program has not destroyed when it leaves its job.
pub(crate) fn remove_all() {
    ACROSS_NODES.store(0, Ordering::Relaxed);
    for place in &TEAMS {
        // SYNC(capi-team) acquire: pairs with the release in `add`.
        let entry = place.swap(null_mut(), Ordering::Acquire);
        if !entry.is_null() {
            // SAFETY: `add` created it from a box, and the swap gave it to this caller alone.
            drop(unsafe { Box::from_raw(entry) });
        }
    }
}

one_form! { ("team_my_pe") ROUTINE: (team: Handle) -> c_int {
    valid(ROUTINE, "team", team).map_or(FAILED, |team| team.my_pe() as c_int)
} }

one_form! { ("team_n_pes") ROUTINE: (team: Handle) -> c_int {
    valid(ROUTINE, "team", team).map_or(FAILED, |team| team.n_pes() as c_int)
} }

one_form! { ("team_translate_pe") ROUTINE: (src_team: Handle, src_pe: c_int, dest_team: Handle) -> c_int {
    let teams = (valid(ROUTINE, "src_team", src_team), valid(ROUTINE, "dest_team", dest_team));
    let (Some(from), Some(to)) = teams else { return FAILED };
    from.translate_pe(src_pe.cast_unsigned(), to).map_or(FAILED, |pe| pe as c_int)
} }

one_form! { ("team_get_config") ROUTINE: (team: Handle, config_mask: c_long, config: *mut Config) -> c_int {
    let job = job(ROUTINE);
    let Some((_, found)) = find(job, team) else { return FAILED };
    check_mask(ROUTINE, "config_mask", config_mask);
    if config_mask & NUM_CONTEXTS != 0 {
        if config.is_null() {
            report::end(ROUTINE, "argument config: NULL is not a valid address");
        }
        // SAFETY: the caller of the routine guarantees that `config` is writable if it is not NULL.
        unsafe { config.write(found) };
    }
    0
} }

fn check_mask(routine: &'static str, argument: &str, mask: c_long) {
    if mask & !NUM_CONTEXTS != 0 {
        report::end(routine, &format!("argument {argument}: {mask:#x} is neither 0 nor SHMEM_TEAM_NUM_CONTEXTS"));
    }
}

/// # Safety
/// `config` is NULL or readable.
unsafe fn read_config(
    routine: &'static str,
    (mask_name, mask): (&str, c_long),
    (name, config): (&str, *const Config),
) -> Config {
    check_mask(routine, mask_name, mask);
    if mask == 0 {
        return Config::default();
    }
    // SAFETY: the caller guarantees that `config` is NULL or readable.
    match unsafe { config.as_ref() } {
        Some(config) => *config,
        None => report::end(routine, &format!("argument {name}: NULL, although {mask_name} says that it is used")),
    }
}

/// Where a routine writes a handle. It is a pointer and not a reference, because the program may pass the same address
/// twice.
///
/// # Safety
/// `to` is NULL or writable.
unsafe fn place(routine: &'static str, argument: &str, to: *mut Handle) -> *mut Handle {
    if to.is_null() {
        report::end(routine, &format!("argument {argument}: NULL is not a valid address"));
    }
    // SAFETY: the caller guarantees that `to` is writable if it is not NULL.
    unsafe { to.write(INVALID) };
    to
}

/// All members of the parent find the same error, so only one of them reports it.
fn refused(routine: &'static str, parent: &Team, error: &cushmem::Error) -> c_int {
    if parent.my_pe() == 0 {
        say(&format!("cushmem: PE {}: {routine}: {}", job(routine).my_pe(), error.cause()));
    }
    FAILED
}

one_form! { ("team_split_strided") ROUTINE: (
    parent_team: Handle, start: c_int, stride: c_int, size: c_int, config: *const Config, config_mask: c_long,
    new_team: *mut Handle
) -> c_int {
    // SAFETY: the caller of the routine guarantees that `new_team` is NULL or writable, and `config` NULL or readable.
    let (new_team, config) = unsafe {
        (place(ROUTINE, "new_team", new_team), read_config(ROUTINE, ("config_mask", config_mask), ("config", config)))
    };
    let Some(parent) = valid(ROUTINE, "parent_team", parent_team) else { return FAILED };
    match job(ROUTINE).team_split_strided(parent, start, stride, size) {
        Ok(team) => {
            if let Some(team) = team {
                // SAFETY: `place` found it writable.
                unsafe { new_team.write(add(team, config)) };
            }
            0
        }
        Err(error) => refused(ROUTINE, parent, &error),
    }
} }

one_form! { ("team_split_2d") ROUTINE: (
    parent_team: Handle, xrange: c_int,
    xaxis_config: *const Config, xaxis_mask: c_long, xaxis_team: *mut Handle,
    yaxis_config: *const Config, yaxis_mask: c_long, yaxis_team: *mut Handle
) -> c_int {
    // SAFETY: the caller of the routine guarantees that both teams are NULL or writable, and both configs NULL or
    // readable.
    let (x, y, configs) = unsafe {
        let x = read_config(ROUTINE, ("xaxis_mask", xaxis_mask), ("xaxis_config", xaxis_config));
        let y = read_config(ROUTINE, ("yaxis_mask", yaxis_mask), ("yaxis_config", yaxis_config));
        (place(ROUTINE, "xaxis_team", xaxis_team), place(ROUTINE, "yaxis_team", yaxis_team), (x, y))
    };
    let Some(parent) = valid(ROUTINE, "parent_team", parent_team) else { return FAILED };
    match job(ROUTINE).team_split_2d(parent, xrange) {
        Ok((row, column)) => {
            // SAFETY: `place` found both writable.
            unsafe {
                x.write(add(row, configs.0));
                y.write(add(column, configs.1));
            }
            0
        }
        Err(error) => refused(ROUTINE, parent, &error),
    }
} }

one_form! { ("team_destroy") ROUTINE: (team: Handle) {
    if valid(ROUTINE, "team", team).is_none() {
        return;
    }
    // Relaxed: a program that has the team has called what stored its handle.
    if matches!(team.addr(), WORLD | SHARED) || team.addr() == ACROSS_NODES.load(Ordering::Relaxed) {
        report::end(ROUTINE, "argument team: predefined teams cannot be destroyed");
    }
    context::remove_all_of(ROUTINE, team.addr());
    // SYNC(capi-team) acquire: pairs with the release in `add`.
    let entry = TEAMS[team.addr() - 1].swap(null_mut(), Ordering::Acquire);
    if !entry.is_null() {
        // SAFETY: `add` created it from a box, and the swap gave it to this caller alone.
        job(ROUTINE).team_destroy(unsafe { Box::from_raw(entry) }.team);
    }
} }

one_form! { ("team_ptr") ROUTINE: (team: Handle, dest: *const c_void, pe: c_int) -> *mut c_void {
    let job = job(ROUTINE);
    let Some(team) = valid(ROUTINE, "team", team) else { return null_mut() };
    let Some(in_world) = team.pes().pe(pe.cast_unsigned()) else {
        let last = team.n_pes() - 1;
        report::end(ROUTINE, &format!("argument pe: {pe} is out of range (0 to {last}, the PEs of the team)"));
    };
    match job.raw().ptr(dest.cast(), in_world) {
        Ok(found) => std::ptr::with_exposed_provenance_mut(found.unwrap_or(0) as usize),
        Err(error) => end_argument(&Call { routine: ROUTINE, pe, ..Call::default() }, &error),
    }
} }
