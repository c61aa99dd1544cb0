//! What is used of libfabric, as its headers `rdma/*.h` declare it.
//!
//! Of each structure only the first members are declared here, up to the last that is used. Later versions of libfabric
//! add members at the end. So the library allocates these structures itself, or is given a zeroed buffer that is longer
//! than any version needs; nothing here takes their size. A table of functions begins with its size, which says whether
//! a function is in it.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// The version of the interface that is asked for, `FI_VERSION(1, 17)`.
pub(crate) const API: u32 = 1 << 16 | 17;

pub(crate) const FI_RMA: u64 = 1 << 2;
pub(crate) const FI_ATOMIC: u64 = 1 << 4;
pub(crate) const FI_READ: u64 = 1 << 8;
pub(crate) const FI_WRITE: u64 = 1 << 9;
pub(crate) const FI_RECV: u64 = 1 << 10;
pub(crate) const FI_TRANSMIT: u64 = 1 << 11;
pub(crate) const FI_REMOTE_READ: u64 = 1 << 12;
pub(crate) const FI_REMOTE_WRITE: u64 = 1 << 13;
pub(crate) const FI_DELIVERY_COMPLETE: u64 = 1 << 28;
pub(crate) const FI_SOURCE: u64 = 1 << 57;

/// Modes: the provider keeps its own data in the context of an operation, of up to [`CONTEXT_WORDS`] words.
pub(crate) const FI_CONTEXT: u64 = 1 << 59;
pub(crate) const FI_CONTEXT2: u64 = 1 << 52;
/// The size of `struct fi_context2`.
pub(crate) const CONTEXT_WORDS: usize = 8;

pub(crate) const FI_ORDER_RAW: u64 = 1 << 1;
pub(crate) const FI_ORDER_WAR: u64 = 1 << 3;
pub(crate) const FI_ORDER_WAW: u64 = 1 << 4;

pub(crate) const FI_SOCKADDR: u32 = 1;
pub(crate) const FI_SOCKADDR_IN: u32 = 2;
pub(crate) const FI_SOCKADDR_IN6: u32 = 3;
pub(crate) const FI_SOCKADDR_IB: u32 = 4;
pub(crate) const FI_ADDR_STR: u32 = 9;
pub(crate) const FI_EP_RDM: c_int = 3;
pub(crate) const FI_AV_TABLE: c_int = 2;
pub(crate) const FI_PROGRESS_AUTO: c_int = 1;
pub(crate) const FI_PROGRESS_MANUAL: c_int = 2;
pub(crate) const FI_THREAD_SAFE: c_int = 1;
pub(crate) const FI_CQ_FORMAT_CONTEXT: c_int = 1;
pub(crate) const FI_WAIT_NONE: c_int = 0;
pub(crate) const FI_WAIT_UNSPEC: c_int = 1;
pub(crate) const FI_WAIT_FD: c_int = 3;

pub(crate) const FI_MR_LOCAL: c_int = 1 << 2;
pub(crate) const FI_MR_VIRT_ADDR: c_int = 1 << 4;
pub(crate) const FI_MR_ALLOCATED: c_int = 1 << 5;
pub(crate) const FI_MR_PROV_KEY: c_int = 1 << 6;
pub(crate) const FI_MR_ENDPOINT: c_int = 1 << 9;

/// Commands of `control`.
pub(crate) const FI_GETWAIT: c_int = 5;
pub(crate) const FI_ENABLE: c_int = 6;

pub(crate) const FI_UINT16: c_int = 3;
pub(crate) const FI_INT32: c_int = 4;
pub(crate) const FI_UINT32: c_int = 5;
pub(crate) const FI_INT64: c_int = 6;
pub(crate) const FI_UINT64: c_int = 7;
pub(crate) const FI_FLOAT: c_int = 8;
pub(crate) const FI_DOUBLE: c_int = 9;

pub(crate) const FI_MIN: c_int = 0;
pub(crate) const FI_MAX: c_int = 1;
pub(crate) const FI_SUM: c_int = 2;
pub(crate) const FI_BOR: c_int = 6;
pub(crate) const FI_BAND: c_int = 7;
pub(crate) const FI_BXOR: c_int = 9;
pub(crate) const FI_ATOMIC_READ: c_int = 10;
pub(crate) const FI_ATOMIC_WRITE: c_int = 11;
pub(crate) const FI_CSWAP: c_int = 12;

pub(crate) const FI_EAGAIN: isize = 11;
pub(crate) const FI_ENODATA: c_int = 61;
pub(crate) const FI_ENOKEY: c_int = 266;
pub(crate) const FI_EAVAIL: isize = 259;

/// An address in an address vector.
pub(crate) type fi_addr_t = u64;

#[repr(C)]
pub(crate) struct fi_tx_attr {
    pub(crate) caps: u64,
    pub(crate) mode: u64,
    pub(crate) op_flags: u64,
    pub(crate) msg_order: u64,
    pub(crate) comp_order: u64,
    pub(crate) inject_size: usize,
    pub(crate) size: usize,
}

#[repr(C)]
pub(crate) struct fi_rx_attr {
    pub(crate) caps: u64,
    pub(crate) mode: u64,
    pub(crate) op_flags: u64,
    pub(crate) msg_order: u64,
}

#[repr(C)]
pub(crate) struct fi_ep_attr {
    pub(crate) type_: c_int,
    pub(crate) protocol: u32,
    pub(crate) protocol_version: u32,
    pub(crate) max_msg_size: usize,
    pub(crate) msg_prefix_size: usize,
    pub(crate) max_order_raw_size: usize,
    pub(crate) max_order_war_size: usize,
    pub(crate) max_order_waw_size: usize,
}

#[repr(C)]
pub(crate) struct fi_domain_attr {
    pub(crate) domain: *mut c_void,
    pub(crate) name: *mut c_char,
    pub(crate) threading: c_int,
    pub(crate) control_progress: c_int,
    pub(crate) data_progress: c_int,
    pub(crate) resource_mgmt: c_int,
    pub(crate) av_type: c_int,
    pub(crate) mr_mode: c_int,
    pub(crate) mr_key_size: usize,
}

#[repr(C)]
pub(crate) struct fi_fabric_attr {
    pub(crate) fabric: *mut c_void,
    pub(crate) name: *mut c_char,
    pub(crate) prov_name: *mut c_char,
    pub(crate) prov_version: u32,
    pub(crate) api_version: u32,
}

#[repr(C)]
pub(crate) struct fi_info {
    pub(crate) next: *mut fi_info,
    pub(crate) caps: u64,
    pub(crate) mode: u64,
    pub(crate) addr_format: u32,
    pub(crate) src_addrlen: usize,
    pub(crate) dest_addrlen: usize,
    pub(crate) src_addr: *mut c_void,
    pub(crate) dest_addr: *mut c_void,
    pub(crate) handle: *mut c_void,
    pub(crate) tx_attr: *mut fi_tx_attr,
    pub(crate) rx_attr: *mut fi_rx_attr,
    pub(crate) ep_attr: *mut fi_ep_attr,
    pub(crate) domain_attr: *mut fi_domain_attr,
    pub(crate) fabric_attr: *mut fi_fabric_attr,
}

#[repr(C)]
pub(crate) struct fid {
    pub(crate) fclass: usize,
    pub(crate) context: *mut c_void,
    pub(crate) ops: *const fi_ops,
}

#[repr(C)]
pub(crate) struct fi_ops {
    pub(crate) size: usize,
    pub(crate) close: Option<unsafe extern "C" fn(*mut fid) -> c_int>,
    pub(crate) bind: Option<unsafe extern "C" fn(*mut fid, *mut fid, u64) -> c_int>,
    pub(crate) control: Option<unsafe extern "C" fn(*mut fid, c_int, *mut c_void) -> c_int>,
}

#[repr(C)]
pub(crate) struct fid_fabric {
    pub(crate) fid: fid,
    pub(crate) ops: *const fi_ops_fabric,
}

#[repr(C)]
pub(crate) struct fi_ops_fabric {
    pub(crate) size: usize,
    pub(crate) domain:
        Option<unsafe extern "C" fn(*mut fid_fabric, *mut fi_info, *mut *mut fid_domain, *mut c_void) -> c_int>,
    pub(crate) others: [*const c_void; 3],
    pub(crate) trywait: Option<unsafe extern "C" fn(*mut fid_fabric, *mut *mut fid, c_int) -> c_int>,
}

#[repr(C)]
pub(crate) struct fid_domain {
    pub(crate) fid: fid,
    pub(crate) ops: *const fi_ops_domain,
    pub(crate) mr: *const fi_ops_mr,
}

#[repr(C)]
pub(crate) struct fi_ops_domain {
    pub(crate) size: usize,
    pub(crate) av_open:
        Option<unsafe extern "C" fn(*mut fid_domain, *mut fi_av_attr, *mut *mut fid_av, *mut c_void) -> c_int>,
    pub(crate) cq_open:
        Option<unsafe extern "C" fn(*mut fid_domain, *mut fi_cq_attr, *mut *mut fid_cq, *mut c_void) -> c_int>,
    pub(crate) endpoint:
        Option<unsafe extern "C" fn(*mut fid_domain, *mut fi_info, *mut *mut fid_ep, *mut c_void) -> c_int>,
}

#[repr(C)]
pub(crate) struct fi_ops_mr {
    pub(crate) size: usize,
    #[allow(clippy::type_complexity, reason = "as the header declares it")]
    pub(crate) reg: Option<
        unsafe extern "C" fn(
            domain: *mut fid,
            address: *const c_void,
            bytes: usize,
            access: u64,
            offset: u64,
            requested_key: u64,
            flags: u64,
            mr: *mut *mut fid_mr,
            context: *mut c_void,
        ) -> c_int,
    >,
}

#[repr(C)]
pub(crate) struct fid_mr {
    pub(crate) fid: fid,
    pub(crate) mem_desc: *mut c_void,
    pub(crate) key: u64,
}

/// Given to the library, which reads members that older versions do not have too: see [`Padded`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct fi_av_attr {
    pub(crate) type_: c_int,
    pub(crate) rx_ctx_bits: c_int,
    pub(crate) count: usize,
}

/// Given to the library: see [`Padded`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct fi_cq_attr {
    pub(crate) size: usize,
    pub(crate) flags: u64,
    pub(crate) format: c_int,
    pub(crate) wait_obj: c_int,
}

#[repr(C)]
pub(crate) struct fid_av {
    pub(crate) fid: fid,
    pub(crate) ops: *const fi_ops_av,
}

#[repr(C)]
pub(crate) struct fi_ops_av {
    pub(crate) size: usize,
    #[allow(clippy::type_complexity, reason = "as the header declares it")]
    pub(crate) insert:
        Option<unsafe extern "C" fn(*mut fid_av, *const c_void, usize, *mut fi_addr_t, u64, *mut c_void) -> c_int>,
}

#[repr(C)]
pub(crate) struct fid_cq {
    pub(crate) fid: fid,
    pub(crate) ops: *const fi_ops_cq,
}

#[repr(C)]
pub(crate) struct fi_ops_cq {
    pub(crate) size: usize,
    pub(crate) read: Option<unsafe extern "C" fn(*mut fid_cq, *mut c_void, usize) -> isize>,
    readfrom: *const c_void,
    pub(crate) readerr: Option<unsafe extern "C" fn(*mut fid_cq, *mut fi_cq_err_entry, u64) -> isize>,
    sread: *const c_void,
    sreadfrom: *const c_void,
    signal: *const c_void,
    #[allow(clippy::type_complexity, reason = "as the header declares it")]
    pub(crate) strerror:
        Option<unsafe extern "C" fn(*mut fid_cq, c_int, *const c_void, *mut c_char, usize) -> *const c_char>,
}

/// Filled in by the library: see [`Padded`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct fi_cq_err_entry {
    pub(crate) op_context: *mut c_void,
    pub(crate) flags: u64,
    pub(crate) len: usize,
    pub(crate) buf: *mut c_void,
    pub(crate) data: u64,
    pub(crate) tag: u64,
    pub(crate) olen: usize,
    pub(crate) err: c_int,
    pub(crate) prov_errno: c_int,
    pub(crate) err_data: *mut c_void,
    pub(crate) err_data_size: usize,
}

#[repr(C)]
pub(crate) struct fid_ep {
    pub(crate) fid: fid,
    ops: *const c_void,
    pub(crate) cm: *const fi_ops_cm,
    msg: *const c_void,
    pub(crate) rma: *const fi_ops_rma,
    tagged: *const c_void,
    pub(crate) atomic: *const fi_ops_atomic,
}

#[repr(C)]
pub(crate) struct fi_ops_cm {
    pub(crate) size: usize,
    setname: *const c_void,
    pub(crate) getname: Option<unsafe extern "C" fn(*mut fid, *mut c_void, *mut usize) -> c_int>,
}

#[repr(C)]
pub(crate) struct iovec {
    pub(crate) base: *mut c_void,
    pub(crate) len: usize,
}

#[repr(C)]
pub(crate) struct fi_rma_iov {
    pub(crate) addr: u64,
    pub(crate) len: usize,
    pub(crate) key: u64,
}

#[repr(C)]
pub(crate) struct fi_msg_rma {
    pub(crate) msg_iov: *const iovec,
    pub(crate) desc: *mut *mut c_void,
    pub(crate) iov_count: usize,
    pub(crate) addr: fi_addr_t,
    pub(crate) rma_iov: *const fi_rma_iov,
    pub(crate) rma_iov_count: usize,
    pub(crate) context: *mut c_void,
    pub(crate) data: u64,
}

#[repr(C)]
pub(crate) struct fi_ops_rma {
    pub(crate) size: usize,
    read: *const c_void,
    readv: *const c_void,
    pub(crate) readmsg: Option<unsafe extern "C" fn(*mut fid_ep, *const fi_msg_rma, u64) -> isize>,
    write: *const c_void,
    writev: *const c_void,
    pub(crate) writemsg: Option<unsafe extern "C" fn(*mut fid_ep, *const fi_msg_rma, u64) -> isize>,
}

/// `struct fi_ioc`.
#[repr(C)]
pub(crate) struct fi_ioc {
    pub(crate) addr: *mut c_void,
    pub(crate) count: usize,
}

#[repr(C)]
pub(crate) struct fi_rma_ioc {
    pub(crate) addr: u64,
    pub(crate) count: usize,
    pub(crate) key: u64,
}

#[repr(C)]
pub(crate) struct fi_msg_atomic {
    pub(crate) msg_iov: *const fi_ioc,
    pub(crate) desc: *mut *mut c_void,
    pub(crate) iov_count: usize,
    pub(crate) addr: fi_addr_t,
    pub(crate) rma_iov: *const fi_rma_ioc,
    pub(crate) rma_iov_count: usize,
    pub(crate) datatype: c_int,
    pub(crate) op: c_int,
    pub(crate) context: *mut c_void,
    pub(crate) data: u64,
}

/// Whether the endpoint has an operation, and on how many words at once.
type Valid = Option<unsafe extern "C" fn(*mut fid_ep, c_int, c_int, *mut usize) -> c_int>;

#[repr(C)]
pub(crate) struct fi_ops_atomic {
    pub(crate) size: usize,
    write: *const c_void,
    writev: *const c_void,
    writemsg: *const c_void,
    inject: *const c_void,
    readwrite: *const c_void,
    readwritev: *const c_void,
    #[allow(clippy::type_complexity, reason = "as the header declares it")]
    pub(crate) readwritemsg: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            *const fi_msg_atomic,
            result: *mut fi_ioc,
            result_desc: *mut *mut c_void,
            result_count: usize,
            flags: u64,
        ) -> isize,
    >,
    compwrite: *const c_void,
    compwritev: *const c_void,
    #[allow(clippy::type_complexity, reason = "as the header declares it")]
    pub(crate) compwritemsg: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            *const fi_msg_atomic,
            compare: *const fi_ioc,
            compare_desc: *mut *mut c_void,
            compare_count: usize,
            result: *mut fi_ioc,
            result_desc: *mut *mut c_void,
            result_count: usize,
            flags: u64,
        ) -> isize,
    >,
    writevalid: *const c_void,
    pub(crate) readwritevalid: Valid,
    pub(crate) compwritevalid: Valid,
}

/// A structure at the beginning of a zeroed buffer that is longer than any version of libfabric needs.
#[repr(C)]
pub(crate) union Padded<T: Copy> {
    pub(crate) known: T,
    pub(crate) whole: [u64; 32],
}

impl<T: Copy> Padded<T> {
    /// All members zero.
    pub(crate) fn zeroed() -> Self {
        const { assert!(size_of::<T>() <= 256) };
        Self { whole: [0; 32] }
    }
}

// The offsets of the headers, for processors of 64 bits.
const _: () = assert!(offset_of!(fi_tx_attr, size) == 48);
const _: () = assert!(offset_of!(fi_rx_attr, msg_order) == 24);
const _: () = assert!(offset_of!(fi_ep_attr, max_msg_size) == 16 && offset_of!(fi_ep_attr, max_order_waw_size) == 48);
const _: () = assert!(offset_of!(fi_domain_attr, mr_mode) == 36 && offset_of!(fi_domain_attr, mr_key_size) == 40);
const _: () = assert!(offset_of!(fi_fabric_attr, prov_name) == 16 && offset_of!(fi_fabric_attr, api_version) == 28);
const _: () = assert!(offset_of!(fi_info, tx_attr) == 72 && offset_of!(fi_info, fabric_attr) == 104);
const _: () = assert!(offset_of!(fid, ops) == 16 && offset_of!(fi_ops, control) == 24);
const _: () = assert!(offset_of!(fid_fabric, ops) == 24 && offset_of!(fi_ops_fabric, domain) == 8);
const _: () = assert!(offset_of!(fi_ops_fabric, trywait) == 40);
const _: () = assert!(offset_of!(fid_domain, mr) == 32 && offset_of!(fi_ops_domain, endpoint) == 24);
const _: () = assert!(offset_of!(fi_ops_mr, reg) == 8 && offset_of!(fid_mr, mem_desc) == 24);
const _: () = assert!(offset_of!(fid_mr, key) == 32 && offset_of!(fi_ops_av, insert) == 8);
const _: () = assert!(offset_of!(fi_av_attr, count) == 8 && offset_of!(fi_cq_attr, wait_obj) == 20);
const _: () = assert!(offset_of!(fid_av, ops) == 24 && offset_of!(fid_cq, ops) == 24);
const _: () = assert!(offset_of!(fi_ops_cq, readerr) == 24 && offset_of!(fi_ops_cq, strerror) == 56);
const _: () = assert!(offset_of!(fi_cq_err_entry, err) == 56 && offset_of!(fi_cq_err_entry, err_data_size) == 72);
const _: () = assert!(offset_of!(fid_ep, cm) == 32 && offset_of!(fid_ep, rma) == 48);
const _: () = assert!(offset_of!(fid_ep, atomic) == 64 && offset_of!(fi_ops_cm, getname) == 16);
const _: () = assert!(size_of::<iovec>() == 16 && size_of::<fi_rma_iov>() == 24 && size_of::<fi_msg_rma>() == 64);
const _: () = assert!(offset_of!(fi_ops_rma, readmsg) == 24 && offset_of!(fi_ops_rma, writemsg) == 48);
const _: () = assert!(size_of::<fi_ioc>() == 16 && size_of::<fi_rma_ioc>() == 24 && size_of::<fi_msg_atomic>() == 72);
const _: () = assert!(offset_of!(fi_ops_atomic, writemsg) == 24 && offset_of!(fi_ops_atomic, readwritemsg) == 56);
const _: () =
    assert!(offset_of!(fi_ops_atomic, compwritemsg) == 80 && offset_of!(fi_ops_atomic, compwritevalid) == 104);

/// A function that starts an operation.
pub(crate) type Message<T> = unsafe extern "C" fn(*mut fid_ep, *const T, u64) -> isize;

/// A function of a table, if the table of this version of the library is long enough to have it. Unsafe: the table,
/// which begins with its size, is one that the library made.
macro_rules! entry {
    ($table:expr, $type:ident, $name:ident) => {{
        let table: *const $type = $table;
        let there = !table.is_null() && (*table).size > offset_of!($type, $name);
        let function = if there { (*table).$name } else { None };
        function.ok_or_else(|| concat!("libfabric has no function `", stringify!($name), "` here").to_owned())
    }};
}
pub(crate) use entry;
