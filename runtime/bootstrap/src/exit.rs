//! What this process has to say to the process manager that started it before it exits, and whether MPI says it.

use std::ffi::c_int;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread::Builder;
use std::time::Duration;

use libloading::os::unix::{Library, RTLD_LAZY};

/// How long a process that ends without its exit handlers waits for them.
const LIMIT: Duration = Duration::from_secs(1);
/// The file names of MPI's libraries that speak PMI begin so. That of Open MPI, which does not, is `libmpi.so` too.
const MPICH: [&str; 2] = ["libmpich.so", "libmpi.so"];

static AT_EXIT: Mutex<Option<AtExit>> = Mutex::new(None);

/// What is to be run when a process exits.
struct AtExit {
    function: fn(),
    /// A forked child has copies of its parent's connections.
    process: u32,
}

/// Runs a function when the process exits: by `exit`, by returning from `main`, or by [`run_within_limit`]. There is
/// one: a process has one manager.
pub(crate) fn at_exit(function: fn()) {
    extern "C" fn exits() {
        run();
    }
    if let Ok(mut at_exit) = AT_EXIT.lock() {
        *at_exit = Some(AtExit { function, process: std::process::id() });
    }
    // SAFETY: the handler takes no arguments, and stays where it is: the shared library is linked with `-z nodelete`.
    // If there is no room for it, the manager takes the process for one that has failed.
    let _ = unsafe { libc::atexit(exits) };
}

/// Runs the function, once.
fn run() {
    // Nobody holds the lock for long, but the thread that does may have been ended by the process's end.
    let Ok(mut at_exit) = AT_EXIT.try_lock() else { return };
    if let Some(own) = at_exit.take().filter(|at_exit| at_exit.process == std::process::id()) {
        (own.function)();
    }
}

/// Runs the function before a process ends without its exit handlers. It may be kept waiting, by the manager or by a
/// lock that a thread of the program holds.
pub(crate) fn run_within_limit() {
    if matches!(AT_EXIT.try_lock().as_deref(), Ok(None)) {
        return;
    }
    let (done, end) = mpsc::channel();
    let thread = Builder::new().name("cushmem-exit".into());
    let started = cushmem_thread::start(thread, move || {
        run();
        let _ = done.send(());
    });
    if started.is_ok() {
        let _ = end.recv_timeout(LIMIT);
    }
}

/// Whether the program has an MPI that speaks PMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mpi {
    NotStarted,
    Runs,
    Finalized,
}

/// Asks the MPI of this process, which may have been loaded by an extension module.
pub(crate) fn mpi() -> Mpi {
    let maps = fs::read("/proc/self/maps").unwrap_or_default();
    let maps = String::from_utf8_lossy(&maps);
    let mut paths: Vec<&str> = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..])).collect();
    paths.dedup();
    let is_mpich = |path: &&str| {
        let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        MPICH.iter().any(|library| name.starts_with(library))
    };
    let found = paths.into_iter().filter(is_mpich).map(state_of);
    found.fold(Mpi::NotStarted, |one, other| if other == Mpi::NotStarted { one } else { other })
}

fn state_of(path: &str) -> Mpi {
    // SAFETY: the library is loaded already, so nothing is run.
    let Ok(library) = (unsafe { Library::open(Some(path), RTLD_LAZY | libc::RTLD_NOLOAD) }) else {
        return Mpi::NotStarted;
    };
    // SAFETY: only its presence counts.
    let is_open_mpi = unsafe { library.get::<*const ()>(b"ompi_mpi_comm_world\0") }.is_ok();
    let is = |name: &[u8]| {
        // SAFETY: the MPI standard gives both functions this type.
        let function = unsafe { library.get::<unsafe extern "C" fn(*mut c_int) -> c_int>(name) };
        let mut flag = 0;
        // SAFETY: MPI allows these calls before MPI_Init and after MPI_Finalize. Since MPI 3.1 any thread may make
        // them, and the libraries before do no more than read a flag either.
        function.is_ok_and(|function| unsafe { function(&mut flag) } == 0 && flag != 0)
    };
    match (is_open_mpi, is(b"MPI_Initialized\0"), is(b"MPI_Finalized\0")) {
        (false, true, false) => Mpi::Runs,
        (false, true, true) => Mpi::Finalized,
        _ => Mpi::NotStarted,
    }
}
