// Long because it has a function for each that is used of the library.
//! A device for tests, behind the functions of libibverbs and with its layouts: queue pairs within one process, which
//! execute requests on memory of that process. It takes the liberty that a reliable connection has: a write or an
//! atomic operation without a fence overtakes the reads and atomic operations in front of it. A test may stop it, have
//! it take a part of a row of requests, have it fail, and see what it was asked to do.

use super::library::Library;
use super::sys::*;
use nix::errno::Errno;
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::ptr::{null_mut, with_exposed_provenance};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name by which [`super::library::library`] knows it.
pub(crate) const NAME: &str = "mock";
/// What the library says of a request that a queue pair in the error state gives back.
const FLUSHED: c_int = 5;
/// What it says of a key or an address of the initiator's memory that the device does not know, or may not write.
const LOCAL_PROTECTION: c_int = 4;
/// What it says of a key or an address that the target does not know.
const REMOTE_ACCESS: c_int = 10;

/// A machine with devices.
#[derive(Clone)]
pub(crate) struct Machine(Arc<Mutex<State>>);

/// Its state, and what a test may ask of it.
pub(crate) struct State {
    pub(crate) devices: Vec<CString>,
    /// Where what the system says of them is, such as where they are.
    pub(crate) sys: PathBuf,
    /// The numbers of devices whose ports are of InfiniBand.
    pub(crate) infiniband: Vec<usize>,
    /// While it is stopped, the device executes nothing and gives nothing back.
    pub(crate) is_stopped: bool,
    /// How many requests of each row the device takes.
    pub(crate) takes: usize,
    /// How many requests it reports with an error; it keeps the others.
    pub(crate) gives_back: usize,
    /// How many it has reported so.
    pub(crate) given_back: usize,
    /// Whether the queue of completions fails.
    pub(crate) is_broken: bool,
    /// Whether it starts again just before it is asked to report the next completion.
    pub(crate) works_before_arming: bool,
    /// The longest transfer that a port takes.
    pub(crate) longest: u32,
    /// Whether it takes dma-bufs, and addresses of GPU memory.
    pub(crate) takes_dma_buf: bool,
    pub(crate) takes_gpu_addresses: bool,
    /// Whether it pages on demand, for all memory of a process.
    pub(crate) pages_on_demand: bool,
    /// Where GPU memory lies, all of which is in one dma-buf.
    pub(crate) gpu: std::ops::Range<usize>,
    /// Whether writes stay on the bus until something reads from their destination: host memory, and the GPU.
    pub(crate) is_slow: [bool; 2],
    /// Writes on the bus, by destination: where they go, and what they write.
    bus: [VecDeque<(usize, Vec<u8>)>; 2],
    /// All requests that were posted, in order.
    pub(crate) posted: Vec<Posted>,
    /// The calls of interest, in order.
    pub(crate) calls: Vec<String>,
    pairs: HashMap<u32, Pair>,
    keys: HashMap<u32, Range>,
    completions: HashMap<usize, VecDeque<ibv_wc>>,
    channels: HashMap<usize, Arc<EventFd>>,
    /// The contexts whose next completion is to be reported.
    armed: HashSet<usize>,
    unacknowledged: usize,
    next: u32,
}

/// A request that was posted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posted {
    pub(crate) opcode: c_int,
    pub(crate) flags: c_int,
    pub(crate) there: u64,
    pub(crate) local: u64,
    pub(crate) bytes: usize,
    id: u64,
    key: u32,
    local_key: u32,
    inline: [u8; 64],
    compare_add: u64,
    swap: u64,
    is_executed: bool,
}

/// Registered memory: whose it is, where, and for what.
struct Range {
    context: usize,
    start: usize,
    bytes: usize,
    access: c_int,
}

struct Pair {
    state: c_int,
    dest: u32,
    context: usize,
    pending: VecDeque<Posted>,
}

#[repr(C)]
struct Context {
    table: ibv_context,
    machine: Machine,
}

#[repr(C)]
struct Made {
    pair: ibv_qp,
    machine: Machine,
}

#[repr(C)]
struct Memory {
    memory: ibv_mr,
    machine: Machine,
}

thread_local! {
    static HERE: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

impl Machine {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            devices: vec![c"mock0".to_owned()],
            sys: PathBuf::from("/nowhere"),
            infiniband: Vec::new(),
            is_stopped: false,
            takes: usize::MAX,
            gives_back: usize::MAX,
            given_back: 0,
            is_broken: false,
            works_before_arming: false,
            longest: 1 << 31,
            takes_dma_buf: true,
            takes_gpu_addresses: true,
            pages_on_demand: false,
            gpu: 0..0,
            is_slow: [false; 2],
            bus: Default::default(),
            posted: Vec::new(),
            calls: Vec::new(),
            pairs: HashMap::new(),
            keys: HashMap::new(),
            completions: HashMap::new(),
            channels: HashMap::new(),
            armed: HashSet::new(),
            unacknowledged: 0,
            next: 1,
        })))
    }

    /// One that this thread's devices belong to from now on.
    pub(crate) fn here() -> Self {
        let machine = Self::new();
        HERE.set(Some(machine.clone()));
        machine
    }

    /// That of this thread, or one of its own for a thread that has none.
    pub(crate) fn of_thread() -> Self {
        HERE.with_borrow_mut(|here| here.get_or_insert_with(Self::new).clone())
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Starts it again: it does at once what it can.
    pub(crate) fn start(&mut self) {
        self.is_stopped = false;
        let contexts: HashSet<usize> = self.pairs.values().map(|pair| pair.context).collect();
        contexts.into_iter().for_each(|context| self.run(context));
    }

    /// Lets one of the devices that have something to do work, though it is stopped; returns whether there is one.
    pub(crate) fn run_one(&mut self) -> bool {
        let busy = self.pairs.values().filter(|pair| !pair.pending.is_empty()).map(|pair| pair.context).min();
        busy.into_iter().for_each(|context| self.run(context));
        busy.is_some()
    }

    /// How many queue pairs may send.
    pub(crate) fn connected(&self) -> usize {
        self.pairs.values().filter(|pair| pair.state == IBV_QPS_RTS).count()
    }

    /// How many devices were asked to report their next completion, of which none has come since.
    pub(crate) fn armed(&self) -> usize {
        self.armed.len()
    }

    /// The destination on the bus of an address.
    fn destination(&self, address: usize) -> usize {
        usize::from(self.gpu.contains(&address))
    }

    /// Lets all writes arrive that are on their way to a destination.
    fn arrive(&mut self, destination: usize) {
        while let Some((to, bytes)) = self.bus[destination].pop_front() {
            copy(bytes.as_ptr().expose_provenance(), to, bytes.len());
        }
    }

    /// Lets the last write to a destination arrive before all others, which only a GPU without order may.
    pub(crate) fn arrive_last(&mut self, destination: usize) {
        if let Some((to, bytes)) = self.bus[destination].pop_back() {
            copy(bytes.as_ptr().expose_provenance(), to, bytes.len());
        }
    }

    /// Lets the first write to a destination arrive.
    pub(crate) fn arrive_first(&mut self, destination: usize) {
        if let Some((to, bytes)) = self.bus[destination].pop_front() {
            copy(bytes.as_ptr().expose_provenance(), to, bytes.len());
        }
    }

    /// Writes by the bus.
    fn write(&mut self, from: usize, to: usize, bytes: usize) {
        let destination = self.destination(to);
        if !self.is_slow[destination] {
            copy(from, to, bytes);
            return;
        }
        let mut data = vec![0; bytes];
        copy(from, data.as_mut_ptr().expose_provenance(), bytes);
        self.bus[destination].push_back((to, data));
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Lets the queue pairs of a context work.
    fn run(&mut self, context: usize) {
        let mut numbers: Vec<u32> =
            self.pairs.iter().filter(|(_, pair)| pair.context == context).map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        for number in numbers {
            while let Some(status) = self.step(number) {
                if status != IBV_WC_SUCCESS {
                    if self.given_back >= self.gives_back {
                        break;
                    }
                    self.given_back += 1;
                }
                let Some(pair) = self.pairs.get_mut(&number) else { break };
                let Some(over) = pair.pending.pop_front() else { break };
                if status != IBV_WC_SUCCESS {
                    pair.state = IBV_QPS_ERR;
                }
                if status != IBV_WC_SUCCESS || over.flags & IBV_SEND_SIGNALED != 0 {
                    // SAFETY: all members are numbers.
                    let nothing: ibv_wc = unsafe { std::mem::zeroed() };
                    let wc = ibv_wc { wr_id: over.id, status, qp_num: number, ..nothing };
                    self.completions.entry(context).or_default().push_back(wc);
                    if self.armed.remove(&context)
                        && let Some(events) = self.channels.get(&context)
                    {
                        events.write(1).expect("there is room");
                    }
                }
            }
        }
    }

    /// Executes the first request of a queue pair, behind those that may overtake it; returns its status.
    fn step(&mut self, number: u32) -> Option<c_int> {
        let pair = self.pairs.get(&number)?;
        let first = *pair.pending.front()?;
        if pair.state == IBV_QPS_ERR {
            return Some(FLUSHED);
        }
        if self.pairs.get(&pair.dest).is_none_or(|other| other.state < IBV_QPS_RTR) {
            // Nobody acknowledges.
            return Some(12);
        }
        if first.is_executed {
            return Some(IBV_WC_SUCCESS);
        }
        if first.opcode != IBV_WR_RDMA_WRITE {
            let is_fenced = |posted: &&Posted| posted.flags & IBV_SEND_FENCE == 0;
            let others: Vec<Posted> = pair.pending.iter().skip(1).take_while(is_fenced).copied().collect();
            for (at, other) in others.iter().enumerate() {
                if other.opcode != IBV_WR_RDMA_READ && !other.is_executed && self.execute(number, other).is_ok() {
                    self.pairs.get_mut(&number)?.pending[at + 1].is_executed = true;
                }
            }
        }
        Some(self.execute(number, &first).err().unwrap_or(IBV_WC_SUCCESS))
    }

    /// Whether the key of a request's local end allows to write there.
    pub(crate) fn may_write(&self, request: &Posted) -> bool {
        self.keys.get(&request.local_key).is_some_and(|known| known.access & IBV_ACCESS_LOCAL_WRITE != 0)
    }

    /// Whether memory may be used so by a context.
    fn allows(&self, key: u32, context: usize, range: (usize, usize), access: c_int) -> bool {
        let (start, bytes) = range;
        self.keys.get(&key).is_some_and(|known| {
            let end = start.checked_add(bytes).is_some_and(|end| end <= known.start + known.bytes);
            known.context == context && known.access & access == access && start >= known.start && end
        })
    }

    /// Executes a request of a queue pair on the memory of both ends, if it may.
    fn execute(&mut self, number: u32, request: &Posted) -> Result<(), c_int> {
        let (there, local, bytes) = (request.there as usize, request.local as usize, request.bytes);
        let pair = self.pairs.get(&number).ok_or(FLUSHED)?;
        let target = self.pairs.get(&pair.dest).ok_or(REMOTE_ACCESS)?;
        let (here, remote) = match request.opcode {
            IBV_WR_RDMA_READ => (IBV_ACCESS_LOCAL_WRITE, IBV_ACCESS_REMOTE_READ),
            IBV_WR_RDMA_WRITE => (0, IBV_ACCESS_REMOTE_WRITE),
            _ => (IBV_ACCESS_LOCAL_WRITE, IBV_ACCESS_REMOTE_ATOMIC),
        };
        let is_inline = request.flags & IBV_SEND_INLINE != 0;
        if !is_inline && !self.allows(request.local_key, pair.context, (local, bytes), here) {
            return Err(LOCAL_PROTECTION);
        }
        if !self.allows(request.key, target.context, (there, bytes), remote) {
            return Err(REMOTE_ACCESS);
        }
        if request.opcode != IBV_WR_RDMA_WRITE {
            // A read passes no write on its way.
            self.arrive(self.destination(there));
        }
        match request.opcode {
            IBV_WR_RDMA_READ => copy(there, local, bytes),
            IBV_WR_RDMA_WRITE if is_inline => {
                self.write(request.inline.as_ptr().expose_provenance(), there, bytes);
            }
            IBV_WR_RDMA_WRITE => self.write(local, there, bytes),
            _ if !there.is_multiple_of(8) || bytes != 8 => return Err(REMOTE_ACCESS),
            opcode => {
                // SAFETY: the memory is registered, and the word is aligned.
                let word = unsafe { &*with_exposed_provenance::<AtomicU64>(there) };
                let old = if opcode == IBV_WR_ATOMIC_FETCH_AND_ADD {
                    // SYNC(mock-word) acquire and release: as below.
                    word.fetch_add(request.compare_add, Ordering::AcqRel)
                } else {
                    // SYNC(mock-word) acquire and release: as below.
                    let swapped =
                        word.compare_exchange(request.compare_add, request.swap, Ordering::AcqRel, Ordering::Acquire);
                    swapped.unwrap_or_else(|found| found)
                };
                copy((&raw const old).expose_provenance(), local, 8);
            }
        }
        Ok(())
    }
}

/// Copies bytes; an aligned word of the destination is stored as a whole.
fn copy(from: usize, to: usize, bytes: usize) {
    let mut at = 0;
    while at < bytes {
        // SAFETY: source and destination were registered by the provider, or are objects of this module; the word is
        // aligned at the destination.
        unsafe {
            let (from, to) = (with_exposed_provenance::<u8>(from + at), (to + at) as *mut u8);
            if to.addr().is_multiple_of(8) && bytes - at >= 8 {
                let word = from.cast::<u64>().read_unaligned();
                // SYNC(mock-word) release: pairs with whoever acquires the word at the target.
                (*to.cast::<AtomicU64>()).store(word, Ordering::Release);
                at += 8;
            } else {
                to.write_volatile(from.read_volatile());
                at += 1;
            }
        }
    }
}

/// Where the system describes the machine of this thread.
pub(super) fn sys() -> PathBuf {
    Machine::of_thread().lock().sys.clone()
}

/// The functions.
pub(super) fn library() -> &'static Library {
    static LIBRARY: Library = Library {
        fork_init,
        get_device_list,
        free_device_list,
        get_device_name,
        open_device,
        close_device,
        query_device,
        query_port,
        query_gid,
        alloc_pd,
        dealloc_pd: nothing_to_free,
        create_comp_channel,
        destroy_comp_channel,
        get_cq_event,
        ack_cq_events,
        create_cq,
        destroy_cq,
        create_qp,
        modify_qp,
        destroy_qp,
        reg_mr,
        reg_dmabuf_mr: Some(reg_dmabuf_mr),
        dereg_mr,
        wc_status_str,
    };
    &LIBRARY
}

unsafe extern "C" fn fork_init() -> c_int {
    Machine::of_thread().lock().calls.push("fork_init".to_owned());
    0
}

struct MockDevice {
    name: CString,
    machine: Machine,
}

unsafe extern "C" fn get_device_list(count: *mut c_int) -> *mut *mut ibv_device {
    let machine = Machine::of_thread();
    machine.lock().calls.push("get_device_list".to_owned());
    let names = machine.lock().devices.clone();
    // SAFETY: the caller gives a place.
    unsafe { count.write(names.len() as c_int) };
    let device = |name| Box::into_raw(Box::new(MockDevice { name, machine: machine.clone() })).cast::<ibv_device>();
    let mut list: Vec<*mut ibv_device> = names.into_iter().map(device).collect();
    list.push(null_mut());
    Box::leak(list.into_boxed_slice()).as_mut_ptr()
}

/// The list of a test stays.
unsafe extern "C" fn free_device_list(_: *mut *mut ibv_device) {}

unsafe extern "C" fn get_device_name(device: *mut ibv_device) -> *const c_char {
    // SAFETY: it is from the list, which stays.
    unsafe { (*device.cast::<MockDevice>()).name.as_ptr() }
}

unsafe extern "C" fn open_device(device: *mut ibv_device) -> *mut ibv_context {
    // SAFETY: as above; zeroes are a table without functions.
    let (machine, mut table) =
        unsafe { ((*device.cast::<MockDevice>()).machine.clone(), std::mem::zeroed::<ibv_context>()) };
    table.device = device;
    table.ops.poll_cq = Some(poll_cq);
    table.ops.req_notify_cq = Some(req_notify_cq);
    table.ops.post_send = Some(post_send);
    Box::into_raw(Box::new(Context { table, machine })).cast()
}

unsafe extern "C" fn close_device(context: *mut ibv_context) -> c_int {
    // SAFETY: `open_device` made it.
    drop(unsafe { Box::from_raw(context.cast::<Context>()) });
    0
}

unsafe extern "C" fn query_device(_: *mut ibv_context, attributes: *mut ibv_device_attr) -> c_int {
    // SAFETY: the caller gives a place.
    let attributes = unsafe { &mut *attributes };
    attributes.atomic_cap = 1;
    attributes.fw_ver[..4].copy_from_slice(b"1.\n2");
    attributes.phys_port_cnt = 1;
    (attributes.max_qp_wr, attributes.max_cqe) = (1024, 4096);
    (attributes.max_qp_rd_atom, attributes.max_qp_init_rd_atom) = (16, 16);
    0
}

unsafe extern "C" fn query_port(context: *mut ibv_context, _: u8, attributes: *mut c_void) -> c_int {
    // SAFETY: `open_device` made the context, and the caller gives a place.
    let (attributes, context) = unsafe { (&mut *attributes.cast::<ibv_port_attr>(), &*context.cast::<Context>()) };
    // SAFETY: the device is from the list, which stays.
    let name = unsafe { &(*context.table.device.cast::<MockDevice>()).name };
    let state = context.machine.lock();
    attributes.state = IBV_PORT_ACTIVE;
    (attributes.active_mtu, attributes.gid_tbl_len) = (5, 1);
    attributes.max_msg_sz = state.longest;
    // Four lanes of 50 Gbit/s.
    (attributes.active_width, attributes.active_speed) = (2, 64);
    let is_infiniband = state.infiniband.iter().any(|at| state.devices[*at] == *name);
    attributes.link_layer = if is_infiniband { 1 } else { IBV_LINK_LAYER_ETHERNET };
    0
}

unsafe extern "C" fn query_gid(_: *mut ibv_context, _: u8, _: c_int, gid: *mut ibv_gid) -> c_int {
    // SAFETY: the caller gives a place.
    unsafe { (*gid).raw = [7; 16] };
    0
}

unsafe extern "C" fn alloc_pd(context: *mut ibv_context) -> *mut ibv_pd {
    context.cast()
}

unsafe extern "C" fn nothing_to_free<T>(_: *mut T) -> c_int {
    0
}

/// A channel, and what writes to its descriptor.
#[repr(C)]
struct Channel {
    table: ibv_comp_channel,
    events: Arc<EventFd>,
}

unsafe extern "C" fn create_comp_channel(context: *mut ibv_context) -> *mut ibv_comp_channel {
    let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_SEMAPHORE;
    let events = Arc::new(EventFd::from_flags(flags).expect("make an eventfd"));
    let table = ibv_comp_channel { context, fd: events.as_raw_fd() };
    // SAFETY: `open_device` made the context.
    let mut state = unsafe { (*context.cast::<Context>()).machine.lock() };
    state.channels.insert(context.addr(), events.clone());
    Box::into_raw(Box::new(Channel { table, events })).cast()
}

unsafe extern "C" fn destroy_comp_channel(channel: *mut ibv_comp_channel) -> c_int {
    // SAFETY: `create_comp_channel` made it.
    let channel = unsafe { Box::from_raw(channel.cast::<Channel>()) };
    // SAFETY: `open_device` made the context.
    unsafe { (*channel.table.context.cast::<Context>()).machine.lock().channels.remove(&channel.table.context.addr()) };
    0
}

unsafe extern "C" fn get_cq_event(
    channel: *mut ibv_comp_channel,
    queue: *mut *mut ibv_cq,
    _: *mut *mut c_void,
) -> c_int {
    // SAFETY: `create_comp_channel` made it; the queue is its context, and the caller gives a place.
    let (channel, machine) = unsafe {
        let channel = &*channel.cast::<Channel>();
        queue.write(channel.table.context.cast());
        (channel, &(*channel.table.context.cast::<Context>()).machine)
    };
    match channel.events.read() {
        Ok(_) => {
            machine.lock().unacknowledged += 1;
            0
        }
        Err(_) => -1,
    }
}

unsafe extern "C" fn ack_cq_events(queue: *mut ibv_cq, count: c_uint) {
    // SAFETY: the queue is its context.
    unsafe { (*queue.cast::<Context>()).machine.lock().unacknowledged -= count as usize };
}

unsafe extern "C" fn req_notify_cq(queue: *mut ibv_cq, _: c_int) -> c_int {
    // SAFETY: the queue is its context.
    let mut state = unsafe { (*queue.cast::<Context>()).machine.lock() };
    if std::mem::take(&mut state.works_before_arming) {
        state.is_stopped = false;
        state.run(queue.addr());
    }
    state.armed.insert(queue.addr());
    0
}

unsafe extern "C" fn create_cq(
    context: *mut ibv_context,
    _: c_int,
    _: *mut c_void,
    _: *mut ibv_comp_channel,
    _: c_int,
) -> *mut ibv_cq {
    context.cast()
}

unsafe extern "C" fn destroy_cq(queue: *mut ibv_cq) -> c_int {
    // SAFETY: the queue is its context.
    let state = unsafe { (*queue.cast::<Context>()).machine.lock() };
    // The library waits for them.
    assert_eq!(state.unacknowledged, 0, "events that were not acknowledged");
    0
}

unsafe extern "C" fn create_qp(domain: *mut ibv_pd, attributes: *mut ibv_qp_init_attr) -> *mut ibv_qp {
    // SAFETY: the domain is its context, and zeroes are a valid pair.
    let (context, mut pair) = unsafe { (&*domain.cast::<Context>(), std::mem::zeroed::<ibv_qp>()) };
    let mut state = context.machine.lock();
    pair.context = domain.cast();
    pair.qp_num = state.number();
    let made = Pair { state: 0, dest: 0, context: domain.addr(), pending: VecDeque::new() };
    state.pairs.insert(pair.qp_num, made);
    // SAFETY: the caller gives the attributes.
    unsafe { (*attributes).cap.max_inline_data = 64 };
    Box::into_raw(Box::new(Made { pair, machine: context.machine.clone() })).cast()
}

unsafe extern "C" fn modify_qp(pair: *mut ibv_qp, attributes: *mut ibv_qp_attr, _: c_int) -> c_int {
    // SAFETY: `create_qp` made it, and the caller gives attributes.
    let (made, attributes) = unsafe { (&*pair.cast::<Made>(), &*attributes) };
    let mut state = made.machine.lock();
    let Some(pair) = state.pairs.get_mut(&made.pair.qp_num) else { return libc::EINVAL };
    pair.state = attributes.qp_state;
    if attributes.qp_state == IBV_QPS_RTR {
        pair.dest = attributes.dest_qp_num;
    }
    0
}

unsafe extern "C" fn destroy_qp(pair: *mut ibv_qp) -> c_int {
    // SAFETY: `create_qp` made it.
    let made = unsafe { Box::from_raw(pair.cast::<Made>()) };
    let mut state = made.machine.lock();
    let number = made.pair.qp_num;
    let context = state.pairs.remove(&number).map_or(0, |pair| pair.context);
    if let Some(completions) = state.completions.get_mut(&context) {
        completions.retain(|wc| wc.qp_num != number);
    }
    state.calls.push(format!("destroy_qp {number}"));
    0
}

unsafe extern "C" fn reg_mr(domain: *mut ibv_pd, address: *mut c_void, bytes: usize, access: c_int) -> *mut ibv_mr {
    // SAFETY: the domain is its context, and zeroes are a valid object.
    let (context, mut memory) = unsafe { (&*domain.cast::<Context>(), std::mem::zeroed::<ibv_mr>()) };
    let mut state = context.machine.lock();
    if state.gpu.contains(&address.addr()) && !state.takes_gpu_addresses {
        // As without nvidia-peermem.
        return refuse(libc::EFAULT);
    }
    if access & IBV_ACCESS_ON_DEMAND != 0 && !state.pages_on_demand {
        return refuse(libc::EINVAL);
    }
    let key = state.number();
    (memory.lkey, memory.rkey) = (key, key);
    let range = Range { context: domain.addr(), start: address.expose_provenance(), bytes, access };
    state.keys.insert(key, range);
    state.calls.push(format!("reg_mr {:#x} {bytes} {access}", address.addr()));
    Box::into_raw(Box::new(Memory { memory, machine: context.machine.clone() })).cast()
}

fn refuse(error: c_int) -> *mut ibv_mr {
    Errno::from_raw(error).set();
    null_mut()
}

unsafe extern "C" fn reg_dmabuf_mr(
    domain: *mut ibv_pd,
    offset: u64,
    bytes: usize,
    address: u64,
    buffer: c_int,
    access: c_int,
) -> *mut ibv_mr {
    const PAGE: u64 = 4096;
    // SAFETY: the domain is its context, and zeroes are a valid object.
    let (context, mut memory) = unsafe { (&*domain.cast::<Context>(), std::mem::zeroed::<ibv_mr>()) };
    let mut state = context.machine.lock();
    // As the system does.
    if offset % PAGE != address % PAGE {
        return refuse(libc::EINVAL);
    }
    // SAFETY: the caller has the descriptor open; the system says if not.
    if nix::unistd::dup(unsafe { std::os::fd::BorrowedFd::borrow_raw(buffer) }).is_err() || !state.takes_dma_buf {
        return refuse(libc::EOPNOTSUPP);
    }
    let (key, start) = (state.number(), state.gpu.start + offset as usize);
    if start + bytes > state.gpu.end {
        return refuse(libc::EINVAL);
    }
    (memory.lkey, memory.rkey) = (key, key);
    // Peers name what lies in the buffer at this offset by other addresses then.
    assert_eq!(start, address as usize, "the offset in the dma-buf is wrong");
    let range = Range { context: domain.addr(), start, bytes, access };
    state.keys.insert(key, range);
    state.calls.push(format!("reg_dmabuf_mr {offset:#x} {bytes} {access}"));
    Box::into_raw(Box::new(Memory { memory, machine: context.machine.clone() })).cast()
}

unsafe extern "C" fn dereg_mr(memory: *mut ibv_mr) -> c_int {
    // SAFETY: `reg_mr` made it.
    let memory = unsafe { Box::from_raw(memory.cast::<Memory>()) };
    let mut state = memory.machine.lock();
    state.keys.remove(&memory.memory.lkey);
    state.calls.push("dereg_mr".to_owned());
    0
}

unsafe extern "C" fn wc_status_str(status: c_int) -> *const c_char {
    match status {
        LOCAL_PROTECTION => c"local protection error".as_ptr(),
        REMOTE_ACCESS => c"remote access error".as_ptr(),
        FLUSHED => c"Work Request Flushed Error".as_ptr(),
        _ => c"transport retry counter exceeded".as_ptr(),
    }
}

unsafe extern "C" fn post_send(pair: *mut ibv_qp, first: *mut ibv_send_wr, bad: *mut *mut ibv_send_wr) -> c_int {
    // SAFETY: `create_qp` made it.
    let made = unsafe { &*pair.cast::<Made>() };
    let mut state = made.machine.lock();
    let (mut next, mut taken) = (first, 0);
    while !next.is_null() {
        if taken == state.takes {
            // SAFETY: the caller gives a place.
            unsafe { bad.write(next) };
            return libc::ENOMEM;
        }
        // SAFETY: the caller links requests of which each has one part.
        let (wr, part) = unsafe { (*next, *(*next).sg_list) };
        let is_atomic = matches!(wr.opcode, IBV_WR_ATOMIC_CMP_AND_SWP | IBV_WR_ATOMIC_FETCH_AND_ADD);
        // SAFETY: the caller has set the member that belongs to the opcode.
        let (there, key, compare_add, swap) = unsafe {
            if is_atomic {
                (wr.wr.atomic.remote_addr, wr.wr.atomic.rkey, wr.wr.atomic.compare_add, wr.wr.atomic.swap)
            } else {
                (wr.wr.rdma.remote_addr, wr.wr.rdma.rkey, 0, 0)
            }
        };
        let mut inline = [0; 64];
        if wr.send_flags & IBV_SEND_INLINE != 0 {
            copy(part.addr as usize, inline.as_mut_ptr().expose_provenance(), part.length as usize);
        }
        let posted = Posted {
            opcode: wr.opcode,
            flags: wr.send_flags,
            there,
            local: part.addr,
            bytes: part.length as usize,
            id: wr.wr_id,
            key,
            local_key: part.lkey,
            inline,
            compare_add,
            swap,
            is_executed: false,
        };
        state.posted.push(posted);
        if let Some(pair) = state.pairs.get_mut(&made.pair.qp_num) {
            pair.pending.push_back(posted);
        }
        (next, taken) = (wr.next, taken + 1);
    }
    0
}

unsafe extern "C" fn poll_cq(queue: *mut ibv_cq, count: c_int, found: *mut ibv_wc) -> c_int {
    // SAFETY: the queue is its context.
    let context = unsafe { &*queue.cast::<Context>() };
    let mut state = context.machine.lock();
    if state.is_broken {
        return -1;
    }
    if !state.is_stopped {
        state.run(queue.addr());
    }
    let completions = state.completions.entry(queue.addr()).or_default();
    let count = completions.len().min(count as usize);
    for (at, wc) in completions.drain(..count).enumerate() {
        // SAFETY: the caller has room for so many.
        unsafe { found.add(at).write(wc) };
    }
    count as c_int
}

#[cfg(test)]
#[path = "mock_tests.rs"]
mod tests;
