//! Globals that a peer does not share, and host memory that it registered. No load or store reaches them from here, but
//! the operating system copies between the processes.

use crate::error::ArgumentError;
use libc::{c_int, pid_t};

/// What a program can do to share its globals.
pub(super) const REMEDY: &str = "link the program with shmemcc";
/// What a program whose process was forked can do to share its globals.
pub(super) const REMEDY_FORKED: &str = "its process was forked: start the program with exec";

/// A peer whose globals are still where the loader put them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attached {
    /// Its process.
    pub(crate) pid: pid_t,
    /// The address of its globals, or of the range, in that process.
    pub(crate) start: usize,
    /// Why they are not mapped here.
    pub(super) reason: Reason,
}

/// Why a PE does not share its globals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The executable is not marked.
    NotShared,
    /// It is marked, but the process was forked after the program had started.
    Forked,
    /// It is marked, but the operating system refused, with this error.
    Refused(c_int),
    /// It is not a global: the program registered it.
    Registered,
}

impl Attached {
    /// A range that the program registered.
    pub(in crate::memory) fn registered(pid: pid_t, start: usize) -> Self {
        Self { pid, start, reason: Reason::Registered }
    }

    /// The error for loading, storing or atomically changing what cannot be mapped.
    pub(crate) fn only_copied(&self, pe: u32) -> ArgumentError {
        if self.reason == Reason::Registered {
            return Self::only_registered(pe);
        }
        ArgumentError::Global(format!(
            "is a global that PE {pe} does not share{}: only put and get reach it; {}",
            self.why(),
            self.remedy()
        ))
    }

    /// The error for loading, storing or atomically changing registered memory that cannot be mapped.
    pub(crate) fn only_registered(pe: u32) -> ArgumentError {
        ArgumentError::Global(format!("is memory that PE {pe} registered: only put and get reach it"))
    }

    /// The error for a put or get that the operating system refused, with this error number.
    pub(crate) fn unreachable(&self, pe: u32, error: i32) -> ArgumentError {
        let error = std::io::Error::from_raw_os_error(error);
        if self.reason == Reason::Registered {
            let what = format!("is memory that PE {pe} registered");
            return ArgumentError::Global(format!("{what}, and this system does not copy between processes ({error})"));
        }
        let what = format!("is a global that PE {pe} does not share{}", self.why());
        let remedy = self.remedy();
        ArgumentError::Global(format!("{what}, and this system does not copy between processes ({error}); {remedy}"))
    }

    fn remedy(&self) -> &'static str {
        if self.reason == Reason::Forked { REMEDY_FORKED } else { REMEDY }
    }

    fn why(&self) -> String {
        match self.reason {
            Reason::NotShared | Reason::Forked | Reason::Registered => String::new(),
            Reason::Refused(error) => format!(" ({})", std::io::Error::from_raw_os_error(error)),
        }
    }
}

/// Lets other processes of this user copy from and to this one, even if the system only lets parents attach: peers are
/// siblings.
pub(in crate::memory) fn allow_peers() {
    // SAFETY: sets a property of this process. It fails where there is no such restriction, and then it is not needed.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}
