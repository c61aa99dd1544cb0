//! An endpoint of libfabric, with all that it needs: fabric, domain, completion queue and address vector.

use crate::column::Column;
use crate::far::There;
use crate::locked::refused_for_limit;
use crate::ofi::atomics::Atomics;
use crate::ofi::library::{Info, Library, Wanted, library};
use crate::ofi::signals::with_signals_kept;
use crate::ofi::sys::*;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::offset_of;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr::null_mut;

/// Completions that are read at once.
const AT_ONCE: usize = 16;
/// The size of the completion queue, if the provider holds fewer operations than that.
const COMPLETIONS: usize = 4096;
/// How many random keys are tried, if others are in use already.
const KEYS_TO_TRY: u32 = 16;
/// The longest name of an endpoint.
const LONGEST_NAME: usize = 256;

/// The functions that start operations and look for completions.
struct Calls {
    read: Message<fi_msg_rma>,
    write: Message<fi_msg_rma>,
    completions: unsafe extern "C" fn(*mut fid_cq, *mut c_void, usize) -> isize,
    error: unsafe extern "C" fn(*mut fid_cq, *mut fi_cq_err_entry, u64) -> isize,
    atomics: Option<Atomics>,
}

/// What belongs to an endpoint, closed in the reverse order of its making.
struct Opened(Vec<*mut fid>);

/// See the module's documentation.
pub(crate) struct Endpoint {
    calls: Calls,
    fabric: *mut fid_fabric,
    domain: *mut fid_domain,
    av: *mut fid_av,
    cq: *mut fid_cq,
    /// How threads may wait for the queue.
    wait_obj: c_int,
    ep: *mut fid_ep,
    /// Memory modes.
    mr_mode: c_int,
    /// The peers' addresses, by number: by how much each differs from it. Most do not, because they are indices.
    peers: Column,
    _opened: Opened,
    pub(super) info: Info,
}

// SAFETY: the library's objects may be used from any thread (FI_THREAD_SAFE), and nothing else has these.
unsafe impl Send for Endpoint {}

/// Memory that is registered. It is closed before its endpoint.
pub(crate) struct Registered(*mut fid_mr);

// SAFETY: the library lets any thread close a registration (FI_THREAD_SAFE), and only its endpoint's owner has it.
unsafe impl Send for Registered {}

/// What memory is registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// All operations, of peers and of this process.
    Peers,
    /// The source of puts of this process.
    Source,
    /// The destination of gets of this process.
    Destination,
}

impl Purpose {
    /// How the library may use the memory. At an endpoint with atomic operations, whose operands are also results,
    /// some providers refuse less than both local rights.
    fn access(self, has_atomics: bool) -> u64 {
        match self {
            Self::Peers => FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE,
            _ if has_atomics => FI_READ | FI_WRITE,
            Self::Source => FI_WRITE,
            Self::Destination => FI_READ,
        }
    }
}

/// The local end of a transfer.
#[derive(Clone, Copy)]
pub(crate) struct Here {
    pub(crate) address: usize,
    pub(crate) bytes: usize,
    pub(crate) desc: *mut c_void,
}

/// An atomic operation on a word.
pub(crate) struct Change {
    pub(crate) datatype: c_int,
    pub(crate) op: c_int,
    /// The address of the operand, in memory with this descriptor, as for the others.
    pub(crate) operand: usize,
    /// The address of what to compare with, if anything.
    pub(crate) condition: Option<usize>,
    /// Where the old value goes.
    pub(crate) result: usize,
    pub(crate) desc: *mut c_void,
}

impl Endpoint {
    /// Opens an endpoint, and obeys these memory modes besides those that the provider needs.
    pub(crate) fn open(wanted: &Wanted<'_>, mr_mode: c_int) -> Result<Self, String> {
        let info = library(wanted.library)?.find(wanted)?;
        with_signals_kept(|| Self::open_info(info, wanted, mr_mode))
    }

    fn open_info(info: Info, wanted: &Wanted<'_>, mr_mode: c_int) -> Result<Self, String> {
        let library = info.library();
        let provider = info.provider();
        let checked = |code: c_int, what: &str| match code {
            0 => Ok(()),
            code => {
                let (address, why) = (wanted.address, library.error(code as isize));
                Err(format!("libfabric's provider {provider} on {address} cannot {what}: {why}"))
            }
        };
        let mut opened = Opened(Vec::new());
        let (mut fabric, mut domain) = (null_mut::<fid_fabric>(), null_mut::<fid_domain>());
        let (mut av, mut cq, mut ep) = (null_mut::<fid_av>(), null_mut::<fid_cq>(), null_mut::<fid_ep>());
        let mut wait_obj = FI_WAIT_NONE;
        let given = info.get();
        // SAFETY: each object is made from valid ones, of the same offer, and given to `opened`, which closes it.
        unsafe {
            checked((library.fabric)(given.fabric_attr, &mut fabric, null_mut()), "open a fabric")?;
            opened.0.push(&raw mut (*fabric).fid);
            let open = entry!((*fabric).ops, fi_ops_fabric, domain)?;
            checked(open(fabric, info.0, &mut domain, null_mut()), "open a domain")?;
            opened.0.push(&raw mut (*domain).fid);

            let mut attributes = Padded::<fi_av_attr>::zeroed();
            attributes.known.type_ = FI_AV_TABLE;
            let open = entry!((*domain).ops, fi_ops_domain, av_open)?;
            checked(open(domain, (&raw mut attributes).cast(), &mut av, null_mut()), "open an address vector")?;
            opened.0.push(&raw mut (*av).fid);

            let mut attributes = Padded::<fi_cq_attr>::zeroed();
            attributes.known.size = COMPLETIONS.max((*given.tx_attr).size);
            attributes.known.format = FI_CQ_FORMAT_CONTEXT;
            let open = entry!((*domain).ops, fi_ops_domain, cq_open)?;
            // With tcp;ofi_rxm, the provider's thread serves a target only if threads can sleep at its queue.
            let mut code = 0;
            for how in [FI_WAIT_FD, FI_WAIT_UNSPEC, FI_WAIT_NONE] {
                (wait_obj, attributes.known.wait_obj) = (how, how);
                code = open(domain, (&raw mut attributes).cast(), &mut cq, null_mut());
                if code == 0 {
                    break;
                }
            }
            checked(code, "open a completion queue")?;
            opened.0.push(&raw mut (*cq).fid);

            let open = entry!((*domain).ops, fi_ops_domain, endpoint)?;
            checked(open(domain, info.0, &mut ep, null_mut()), "open an endpoint")?;
            opened.0.push(&raw mut (*ep).fid);
            let bind = entry!((*ep).fid.ops, fi_ops, bind)?;
            checked(bind(&raw mut (*ep).fid, &raw mut (*cq).fid, FI_TRANSMIT | FI_RECV), "use a completion queue")?;
            checked(bind(&raw mut (*ep).fid, &raw mut (*av).fid, 0), "use an address vector")?;
            enable(&raw mut (*ep).fid).and_then(|code| checked(code, "start an endpoint"))?;
        }
        // SAFETY: the offer has all its parts.
        let mr_mode = mr_mode | unsafe { (*given.domain_attr).mr_mode };
        // SAFETY: the objects are there.
        let calls = unsafe {
            Calls {
                read: entry!((*ep).rma, fi_ops_rma, readmsg)?,
                write: entry!((*ep).rma, fi_ops_rma, writemsg)?,
                completions: entry!((*cq).ops, fi_ops_cq, read)?,
                error: entry!((*cq).ops, fi_ops_cq, readerr)?,
                atomics: if wanted.atomics { Some(Atomics::find(ep, &provider)?) } else { None },
            }
        };
        Ok(Self {
            calls,
            fabric,
            domain,
            av,
            cq,
            wait_obj,
            ep,
            mr_mode,
            peers: Column::default(),
            _opened: opened,
            info,
        })
    }

    pub(crate) fn info(&self) -> &fi_info {
        self.info.get()
    }

    pub(crate) fn provider(&self) -> String {
        self.info.provider()
    }

    /// What an error of the library means.
    pub(crate) fn error(&self, code: isize) -> String {
        format!("{} ({})", self.library().error(code), self.provider())
    }

    fn library(&self) -> &'static Library {
        self.info.library()
    }

    /// Whether this memory mode is to be obeyed.
    pub(crate) fn needs(&self, mode: c_int) -> bool {
        self.mr_mode & mode != 0
    }

    /// The endpoint's name.
    pub(crate) fn name(&self) -> Result<Vec<u8>, String> {
        let mut name = vec![0; LONGEST_NAME];
        let mut length = name.len();
        // SAFETY: the endpoint is there, and the buffer has the length that is given.
        let code = unsafe {
            let get = entry!((*self.ep).cm, fi_ops_cm, getname)?;
            get(&raw mut (*self.ep).fid, name.as_mut_ptr().cast(), &mut length)
        };
        if code != 0 || length > name.len() {
            let why = match code {
                0 => format!("it would have {length} bytes"),
                code => self.library().error(code as isize),
            };
            return Err(format!("libfabric's provider {} gives its endpoint no name: {why}", self.provider()));
        }
        name.truncate(length);
        Ok(name)
    }

    /// Checks that the name of a peer's endpoint has the form of this one's, because the provider may not.
    pub(crate) fn check_name(&self, name: &[u8]) -> Result<(), String> {
        let own = self.name()?;
        let expected = own.len();
        let is_text = self.info().addr_format == FI_ADDR_STR;
        if is_text && name.iter().position(|byte| *byte == 0) != Some(name.len().wrapping_sub(1)) {
            return Err(format!("the name of an endpoint has {} bytes and is not a text", name.len()));
        }
        if !is_text && name.len() != expected {
            return Err(format!("the name of an endpoint has {} bytes instead of {expected}", name.len()));
        }
        // These begin with an address family of two bytes.
        let has_family =
            matches!(self.info().addr_format, FI_SOCKADDR | FI_SOCKADDR_IN | FI_SOCKADDR_IN6 | FI_SOCKADDR_IB);
        if has_family
            && let (Some(family), Some(expected)) = (name.first_chunk().copied(), own.first_chunk().copied())
            && family != expected
        {
            let (family, expected) = (u16::from_ne_bytes(family), u16::from_ne_bytes(expected));
            return Err(format!("the name of an endpoint has the address family {family} instead of {expected}"));
        }
        Ok(())
    }

    /// Adds a peer, the next number, by its name, which was checked.
    pub(crate) fn add_peer(&mut self, name: &[u8]) -> Result<(), String> {
        let mut address = u64::MAX;
        // SAFETY: the name has the form of this provider's names.
        let added = unsafe {
            let insert = entry!((*self.av).ops, fi_ops_av, insert)?;
            with_signals_kept(|| insert(self.av, name.as_ptr().cast(), 1, &mut address, 0, null_mut()))
        };
        if added != 1 {
            let why = match added {
                0.. => "it was not added, without a reason".to_owned(),
                code => self.library().error(code as isize),
            };
            return Err(format!("libfabric's provider {} refuses the name of a peer: {why}", self.provider()));
        }
        self.peers.push(address.wrapping_sub(self.peers.count() as u64));
        Ok(())
    }

    /// The address of a peer.
    fn peer(&self, number: u32) -> fi_addr_t {
        self.peers.get(number as usize).wrapping_add(number.into())
    }

    /// Forgets all peers but the first ones.
    pub(crate) fn keep_peers(&mut self, number: usize) {
        self.peers.truncate(number);
    }

    /// Registers memory, with this key if the provider lets it be chosen.
    ///
    /// # Safety
    /// The memory is mapped until the registration is dropped, for what the purpose needs.
    pub(crate) unsafe fn register(
        &mut self,
        address: usize,
        bytes: usize,
        purpose: Purpose,
        like: Option<u64>,
    ) -> Result<Registered, String> {
        let access = purpose.access(self.calls.atomics.is_some());
        let mut mr = null_mut();
        let from = std::ptr::with_exposed_provenance(address);
        let mut code = -FI_ENOKEY;
        let mut like = like.filter(|key| *key <= self.largest_key());
        for _ in 0..KEYS_TO_TRY {
            let key = match like.take() {
                _ if self.needs(FI_MR_PROV_KEY) => 0,
                Some(key) => key,
                None => self.random_key()?,
            };
            // SAFETY: the domain is there, and the caller guarantees the memory.
            code = unsafe {
                let register = entry!((*self.domain).mr, fi_ops_mr, reg)?;
                register(&raw mut (*self.domain).fid, from, bytes, access, 0, key, 0, &mut mr, null_mut())
            };
            if code != -FI_ENOKEY {
                break;
            }
        }
        let refused = |code: c_int| {
            let why = refused_for_limit(code, bytes).unwrap_or_else(|| self.library().error(code as isize));
            format!("libfabric's provider {} refuses to register {bytes} bytes: {why}", self.provider())
        };
        if code != 0 {
            return Err(refused(code));
        }
        let registered = Registered(mr);
        let ep = self.ep;
        if self.needs(FI_MR_ENDPOINT) {
            // SAFETY: both objects are there.
            let code = unsafe {
                let bind = entry!((*mr).fid.ops, fi_ops, bind)?;
                match bind(&raw mut (*mr).fid, &raw mut (*ep).fid, 0) {
                    0 => enable(&raw mut (*mr).fid)?,
                    code => code,
                }
            };
            if code != 0 {
                return Err(refused(code));
            }
        }
        Ok(registered)
    }

    /// A key that nobody can guess, as long as the provider's keys are.
    fn random_key(&self) -> Result<u64, String> {
        let mut key = [0; 8];
        getrandom::fill(&mut key).map_err(|why| format!("no random bytes for a key: {why}"))?;
        Ok(u64::from_le_bytes(key) & self.largest_key())
    }

    fn largest_key(&self) -> u64 {
        // SAFETY: the offer has all its parts.
        let unused = 8_usize.saturating_sub(unsafe { (*self.info().domain_attr).mr_key_size });
        u64::MAX >> (8 * unused.min(7))
    }

    /// Starts a read or write; returns what the library says.
    ///
    /// # Safety
    /// The local end, and the context, which has [`CONTEXT_WORDS`] words, stay valid until the completion.
    pub(crate) unsafe fn transfer(
        &self,
        write: bool,
        here: Here,
        there: There,
        context: *mut c_void,
        flags: u64,
    ) -> isize {
        let local = iovec { base: std::ptr::with_exposed_provenance_mut(here.address), len: here.bytes };
        let remote = fi_rma_iov { addr: there.address, len: here.bytes, key: there.key };
        let mut desc = here.desc;
        let message = fi_msg_rma {
            msg_iov: &local,
            desc: &mut desc,
            iov_count: 1,
            addr: self.peer(there.peer),
            rma_iov: &remote,
            rma_iov_count: 1,
            context,
            data: 0,
        };
        let call = if write { self.calls.write } else { self.calls.read };
        // SAFETY: the caller guarantees the memory; the message is only read during the call.
        unsafe { call(self.ep, &message, flags) }
    }

    /// Starts an atomic operation; returns what the library says.
    ///
    /// # Safety
    /// The conditions of [`Endpoint::transfer`], for all addresses of the change.
    pub(crate) unsafe fn change(&self, change: &Change, there: There, context: *mut c_void) -> isize {
        let Some(calls) = &self.calls.atomics else { return -(libc::ENOSYS as isize) };
        let word = |address: usize| fi_ioc { addr: std::ptr::with_exposed_provenance_mut(address), count: 1 };
        let local = word(change.operand);
        let remote = fi_rma_ioc { addr: there.address, count: 1, key: there.key };
        let [mut desc, mut compare_desc, mut result_desc] = [change.desc; 3];
        let message = fi_msg_atomic {
            msg_iov: &local,
            desc: &mut desc,
            iov_count: 1,
            addr: self.peer(there.peer),
            rma_iov: &remote,
            rma_iov_count: 1,
            datatype: change.datatype,
            op: change.op,
            context,
            data: 0,
        };
        let mut result = word(change.result);
        let flags = FI_DELIVERY_COMPLETE;
        // SAFETY: the caller guarantees the memory; the descriptions are only read during the call.
        unsafe {
            match change.condition.map(word) {
                None => (calls.fetch)(self.ep, &message, &mut result, &mut result_desc, 1, flags),
                Some(condition) => (calls.compare)(
                    self.ep,
                    &message,
                    &condition,
                    &mut compare_desc,
                    1,
                    &mut result,
                    &mut result_desc,
                    1,
                    flags,
                ),
            }
        }
    }

    /// The descriptor of the completion queue, if it has one. It belongs to the queue.
    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        if self.wait_obj != FI_WAIT_FD {
            return None;
        }
        let mut descriptor: c_int = -1;
        // SAFETY: the queue is there. As it was opened with a descriptor, the command writes one number.
        let code = unsafe {
            entry!((*self.cq).fid.ops, fi_ops, control).ok()?(
                &raw mut (*self.cq).fid,
                FI_GETWAIT,
                (&raw mut descriptor).cast(),
            )
        };
        // SAFETY: the queue keeps it open, and stays as long as the endpoint.
        (code == 0 && descriptor >= 0).then(|| unsafe { BorrowedFd::borrow_raw(descriptor) })
    }

    /// Whether nothing is left to do before that descriptor becomes readable.
    pub(crate) fn may_sleep(&self) -> bool {
        // SAFETY: the objects are there, and the list is only read during the call.
        unsafe {
            let mut queue = &raw mut (*self.cq).fid;
            entry!((*self.fabric).ops, fi_ops_fabric, trywait).is_ok_and(|tries| tries(self.fabric, &mut queue, 1) == 0)
        }
    }

    /// Lets the provider work, and gives the contexts of some operations that are over, each with the reason if it
    /// failed. Returns whether there were any.
    pub(crate) fn completions(&self, mut over: impl FnMut(*mut c_void, Result<(), String>)) -> bool {
        let mut contexts = [null_mut::<c_void>(); AT_ONCE];
        // SAFETY: the queue's entries are contexts, and there is room for this many.
        let found = unsafe { (self.calls.completions)(self.cq, contexts.as_mut_ptr().cast(), AT_ONCE) };
        match found {
            1.. => contexts[..found as usize].iter().for_each(|context| over(*context, Ok(()))),
            _ if found == -FI_EAVAIL => {
                let mut entry = Padded::<fi_cq_err_entry>::zeroed();
                // SAFETY: the buffer is longer than the structure of any version.
                if unsafe { (self.calls.error)(self.cq, (&raw mut entry).cast(), 0) } != 1 {
                    return false;
                }
                // SAFETY: the library filled it in.
                let entry = unsafe { &entry.known };
                over(entry.op_context, Err(self.reason(entry)));
            }
            _ => return false,
        }
        true
    }

    /// Why an operation failed.
    fn reason(&self, entry: &fi_cq_err_entry) -> String {
        let general = self.library().error(entry.err as isize);
        let mut buffer = [0 as c_char; 128];
        // SAFETY: the queue is there, and the buffer has the length that is given.
        let special = unsafe {
            entry!((*self.cq).ops, fi_ops_cq, strerror).ok().and_then(|text| {
                let said = text(self.cq, entry.prov_errno, entry.err_data, buffer.as_mut_ptr(), buffer.len() - 1);
                (!said.is_null()).then(|| CStr::from_ptr(said).to_string_lossy().into_owned())
            })
        };
        match special.filter(|special| !special.is_empty() && *special != general) {
            Some(special) => format!("{general} ({}: {special})", self.provider()),
            None => format!("{general} ({})", self.provider()),
        }
    }
}

impl Registered {
    /// What peers need in order to use the memory.
    pub(crate) fn key(&self) -> u64 {
        // SAFETY: the object is there.
        unsafe { (*self.0).key }
    }

    /// What operations of this process need in order to use the memory.
    pub(crate) fn desc(&self) -> *mut c_void {
        // SAFETY: the object is there.
        unsafe { (*self.0).mem_desc }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: nobody else has the object.
        unsafe { close(&raw mut (*self.0).fid) };
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        for object in self.0.drain(..).rev() {
            // SAFETY: nobody else has the object, and those that were made from it are closed.
            unsafe { close(object) };
        }
    }
}

/// A descriptor that is readable when one of these endpoints' is, if each has one that watches its connections.
pub(crate) fn descriptor_of(endpoints: &[Endpoint]) -> Option<OwnedFd> {
    let all = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC).ok()?;
    for endpoint in endpoints {
        let descriptor = endpoint.descriptor()?;
        if watches_itself_alone(descriptor) {
            return None;
        }
        all.add(descriptor, EpollEvent::new(EpollFlags::EPOLLIN, 0)).ok()?;
    }
    Some(all.0)
}

/// Whether a completion queue's descriptor is an epoll that watches one descriptor, which is then the one by which the
/// queue wakes those who sleep at it. So it is with `tcp;ofi_rxm` from libfabric 1.18 on, unless
/// `FI_OFI_RXM_DEF_TCP_WAIT_OBJ` is `fd`: the queue below it has no descriptor that could be watched.
fn watches_itself_alone(descriptor: BorrowedFd<'_>) -> bool {
    let path = format!("/proc/self/fdinfo/{}", descriptor.as_raw_fd());
    let about = std::fs::read_to_string(path).unwrap_or_default();
    about.lines().filter(|line| line.starts_with("tfd:")).count() == 1
}

/// # Safety
/// The object is there, and is not used any more.
unsafe fn close(object: *mut fid) {
    // SAFETY: the caller guarantees the object. There is nothing to do about an error.
    unsafe {
        if let Ok(close) = entry!((*object).ops, fi_ops, close) {
            close(object);
        }
    }
}

/// # Safety
/// The object is there.
unsafe fn enable(object: *mut fid) -> Result<c_int, String> {
    // SAFETY: the caller guarantees the object; the command has no argument.
    unsafe { Ok(entry!((*object).ops, fi_ops, control)?(object, FI_ENABLE, null_mut())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source may be read-only memory, and no peer may reach memory that is not meant for it.
    #[test]
    fn memory_is_registered_for_its_purpose_alone() {
        assert_eq!(Purpose::Source.access(false), FI_WRITE);
        assert_eq!(Purpose::Destination.access(false), FI_READ);
        for purpose in [Purpose::Source, Purpose::Destination] {
            assert_eq!(purpose.access(true), FI_READ | FI_WRITE);
        }
        for has_atomics in [false, true] {
            let access = Purpose::Peers.access(has_atomics);
            assert_eq!(access, FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE);
        }
    }
}
