//! The channels that connect PEs: one for all PEs of a job, and one for the PEs of a node, which also passes file
//! descriptors.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use crate::connection::{operation, system};
use crate::error::BootstrapError;
use crate::wire::MessageKind;

/// What a PE contributed.
#[derive(Debug)]
pub struct Contribution {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its file descriptor, if it passed one: a copy that this process owns, closed on exec.
    pub fd: Option<OwnedFd>,
    /// Whether it passed a descriptor for which this process had no room.
    pub lost: bool,
}

impl Contribution {
    /// The file descriptor; the error says why there is none.
    pub fn descriptor(&self) -> Result<BorrowedFd<'_>, &'static str> {
        let none = if self.lost {
            "its file descriptor did not arrive: this process cannot open more files (ulimit -n)"
        } else {
            "it passed no file descriptor"
        };
        self.fd.as_ref().map(AsFd::as_fd).ok_or(none)
    }
}

/// What happens after the wait limit if other PEs have not arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitLimit {
    /// The call fails and names them. For steps that all PEs take together, with none of the program's own code in
    /// between.
    Limited,
    /// The call names them on stderr and continues to wait. For calls that one PE may have good reason to reach much
    /// later than another.
    Unlimited,
}

/// Takes the contribution of each PE, in the order of the PEs.
pub(crate) type Each<'a> = &'a mut dyn FnMut(u32, Contribution);

/// Connects all PEs of a job, wherever they are. Rounds come in the same order on all PEs.
pub(crate) trait JobChannel: std::fmt::Debug + Send + Sync {
    /// Gives the bytes of every PE to every PE.
    fn allgather(&self, what: &str, bytes: &[u8], limit: WaitLimit, each: Each<'_>) -> Result<(), BootstrapError>;

    /// Waits until all PEs have called it.
    fn fence(&self, what: &str, limit: WaitLimit) -> Result<(), BootstrapError>;

    /// Like a fence, but the last call on the channel.
    fn finalize(&self) -> Result<(), BootstrapError>;

    /// Asks for the job to end with this status. Returns true if the request will reach the other PEs. Any thread may
    /// call it at any time.
    fn abort(&self, status: i32, message: &str) -> bool;
}

/// The bytes of every PE, by PE.
pub(crate) fn gather(channel: &dyn JobChannel, what: &str, bytes: &[u8]) -> Result<Vec<Vec<u8>>, BootstrapError> {
    let mut all = vec![];
    channel.allgather(what, bytes, WaitLimit::Limited, &mut |_, contribution| all.push(contribution.bytes))?;
    Ok(all)
}

/// Connects the PEs of one node. Rounds come in the same order on all of them.
pub(crate) trait NodeChannel: std::fmt::Debug + Send + Sync {
    /// Gives every PE of the node the bytes of each of them, and the descriptor of each that passes one.
    fn share(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        each: Each<'_>,
    ) -> Result<(), BootstrapError>;
}

/// Both channels of a job of one PE: every call returns at once.
#[derive(Debug)]
pub(crate) struct Alone;

impl JobChannel for Alone {
    fn allgather(&self, _: &str, bytes: &[u8], _: WaitLimit, each: Each<'_>) -> Result<(), BootstrapError> {
        each(0, Contribution { bytes: bytes.to_vec(), fd: None, lost: false });
        Ok(())
    }

    fn fence(&self, _: &str, _: WaitLimit) -> Result<(), BootstrapError> {
        Ok(())
    }

    fn finalize(&self) -> Result<(), BootstrapError> {
        Ok(())
    }

    fn abort(&self, _: i32, _: &str) -> bool {
        false
    }
}

impl NodeChannel for Alone {
    fn share(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        _: WaitLimit,
        each: Each<'_>,
    ) -> Result<(), BootstrapError> {
        let fd = fd.map(|fd| fd.try_clone_to_owned()).transpose();
        let fd = fd.map_err(|error| system(&operation(MessageKind::Gather, what), error))?;
        each(0, Contribution { bytes: bytes.to_vec(), fd, lost: false });
        Ok(())
    }
}
