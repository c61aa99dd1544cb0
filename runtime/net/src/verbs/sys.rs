//! What is used of libibverbs, as its header `infiniband/verbs.h` declares it.
//!
//! The layouts are part of the library's interface, which has not changed since version 1.1. Structures that the
//! library allocates are declared up to the last member that is used; those that are passed to it are declared as a
//! whole.
#![allow(non_camel_case_types)]

use std::ffi::{c_int, c_void};
use std::mem::offset_of;

pub(crate) const IBV_QPS_INIT: c_int = 1;
pub(crate) const IBV_QPS_RTR: c_int = 2;
pub(crate) const IBV_QPS_RTS: c_int = 3;
pub(crate) const IBV_QPS_ERR: c_int = 6;

pub(crate) const IBV_QPT_RC: c_int = 2;

pub(crate) const IBV_QP_STATE: c_int = 1 << 0;
pub(crate) const IBV_QP_ACCESS_FLAGS: c_int = 1 << 3;
pub(crate) const IBV_QP_PKEY_INDEX: c_int = 1 << 4;
pub(crate) const IBV_QP_PORT: c_int = 1 << 5;
pub(crate) const IBV_QP_AV: c_int = 1 << 7;
pub(crate) const IBV_QP_PATH_MTU: c_int = 1 << 8;
pub(crate) const IBV_QP_TIMEOUT: c_int = 1 << 9;
pub(crate) const IBV_QP_RETRY_CNT: c_int = 1 << 10;
pub(crate) const IBV_QP_RNR_RETRY: c_int = 1 << 11;
pub(crate) const IBV_QP_RQ_PSN: c_int = 1 << 12;
pub(crate) const IBV_QP_MAX_QP_RD_ATOMIC: c_int = 1 << 13;
pub(crate) const IBV_QP_MIN_RNR_TIMER: c_int = 1 << 15;
pub(crate) const IBV_QP_SQ_PSN: c_int = 1 << 16;
pub(crate) const IBV_QP_MAX_DEST_RD_ATOMIC: c_int = 1 << 17;
pub(crate) const IBV_QP_DEST_QPN: c_int = 1 << 20;

pub(crate) const IBV_ACCESS_LOCAL_WRITE: c_int = 1 << 0;
pub(crate) const IBV_ACCESS_REMOTE_WRITE: c_int = 1 << 1;
pub(crate) const IBV_ACCESS_REMOTE_READ: c_int = 1 << 2;
pub(crate) const IBV_ACCESS_REMOTE_ATOMIC: c_int = 1 << 3;
pub(crate) const IBV_ACCESS_ON_DEMAND: c_int = 1 << 6;

pub(crate) const IBV_WR_RDMA_WRITE: c_int = 0;
pub(crate) const IBV_WR_RDMA_READ: c_int = 4;
pub(crate) const IBV_WR_ATOMIC_CMP_AND_SWP: c_int = 5;
pub(crate) const IBV_WR_ATOMIC_FETCH_AND_ADD: c_int = 6;

pub(crate) const IBV_SEND_FENCE: c_int = 1 << 0;
pub(crate) const IBV_SEND_SIGNALED: c_int = 1 << 1;
pub(crate) const IBV_SEND_INLINE: c_int = 1 << 3;

pub(crate) const IBV_WC_SUCCESS: c_int = 0;

pub(crate) const IBV_PORT_ACTIVE: c_int = 4;
pub(crate) const IBV_LINK_LAYER_ETHERNET: u8 = 2;
pub(crate) const IBV_ATOMIC_NONE: c_int = 0;
pub(crate) const IBV_ATOMIC_GLOB: c_int = 2;

pub(crate) enum ibv_device {}
pub(crate) enum ibv_pd {}
pub(crate) enum ibv_cq {}

/// Where a queue of completions reports that one has come.
#[repr(C)]
pub(crate) struct ibv_comp_channel {
    pub(crate) context: *mut ibv_context,
    pub(crate) fd: c_int,
}

/// The functions that the library calls without a symbol of its own, of which three are used.
#[repr(C)]
pub(crate) struct ibv_context_ops {
    before: [*const c_void; 11],
    pub(crate) poll_cq: Option<unsafe extern "C" fn(*mut ibv_cq, c_int, *mut ibv_wc) -> c_int>,
    pub(crate) req_notify_cq: Option<unsafe extern "C" fn(*mut ibv_cq, c_int) -> c_int>,
    between: [*const c_void; 12],
    pub(crate) post_send: Option<unsafe extern "C" fn(*mut ibv_qp, *mut ibv_send_wr, *mut *mut ibv_send_wr) -> c_int>,
}

#[repr(C)]
pub(crate) struct ibv_context {
    pub(crate) device: *mut ibv_device,
    pub(crate) ops: ibv_context_ops,
}

#[repr(C)]
pub(crate) struct ibv_qp {
    pub(crate) context: *mut ibv_context,
    others: [*mut c_void; 5],
    handle: u32,
    pub(crate) qp_num: u32,
}

#[repr(C)]
pub(crate) struct ibv_mr {
    others: [*mut c_void; 4],
    handle: u32,
    pub(crate) lkey: u32,
    pub(crate) rkey: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_sge {
    pub(crate) addr: u64,
    pub(crate) length: u32,
    pub(crate) lkey: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct rdma {
    pub(crate) remote_addr: u64,
    pub(crate) rkey: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct atomic {
    pub(crate) remote_addr: u64,
    pub(crate) compare_add: u64,
    pub(crate) swap: u64,
    pub(crate) rkey: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union wr {
    pub(crate) rdma: rdma,
    pub(crate) atomic: atomic,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_send_wr {
    pub(crate) wr_id: u64,
    pub(crate) next: *mut ibv_send_wr,
    pub(crate) sg_list: *mut ibv_sge,
    pub(crate) num_sge: c_int,
    pub(crate) opcode: c_int,
    pub(crate) send_flags: c_int,
    pub(crate) imm_data: u32,
    pub(crate) wr: wr,
    /// For other kinds of queue pairs and requests.
    pub(crate) others: [u64; 7],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct ibv_wc {
    pub(crate) wr_id: u64,
    pub(crate) status: c_int,
    pub(crate) opcode: c_int,
    pub(crate) vendor_err: u32,
    pub(crate) byte_len: u32,
    pub(crate) imm_data: u32,
    pub(crate) qp_num: u32,
    pub(crate) others: [u64; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_qp_cap {
    pub(crate) max_send_wr: u32,
    pub(crate) max_recv_wr: u32,
    pub(crate) max_send_sge: u32,
    pub(crate) max_recv_sge: u32,
    pub(crate) max_inline_data: u32,
}

#[repr(C)]
pub(crate) struct ibv_qp_init_attr {
    pub(crate) qp_context: *mut c_void,
    pub(crate) send_cq: *mut ibv_cq,
    pub(crate) recv_cq: *mut ibv_cq,
    pub(crate) srq: *mut c_void,
    pub(crate) cap: ibv_qp_cap,
    pub(crate) qp_type: c_int,
    pub(crate) sq_sig_all: c_int,
}

#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub(crate) struct ibv_gid {
    pub(crate) raw: [u8; 16],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_global_route {
    pub(crate) dgid: ibv_gid,
    pub(crate) flow_label: u32,
    pub(crate) sgid_index: u8,
    pub(crate) hop_limit: u8,
    pub(crate) traffic_class: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_ah_attr {
    pub(crate) grh: ibv_global_route,
    pub(crate) dlid: u16,
    pub(crate) sl: u8,
    pub(crate) src_path_bits: u8,
    pub(crate) static_rate: u8,
    pub(crate) is_global: u8,
    pub(crate) port_num: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_qp_attr {
    pub(crate) qp_state: c_int,
    pub(crate) cur_qp_state: c_int,
    pub(crate) path_mtu: c_int,
    pub(crate) path_mig_state: c_int,
    pub(crate) qkey: u32,
    pub(crate) rq_psn: u32,
    pub(crate) sq_psn: u32,
    pub(crate) dest_qp_num: u32,
    pub(crate) qp_access_flags: c_int,
    pub(crate) cap: ibv_qp_cap,
    pub(crate) ah_attr: ibv_ah_attr,
    pub(crate) alt_ah_attr: ibv_ah_attr,
    pub(crate) pkey_index: u16,
    pub(crate) alt_pkey_index: u16,
    pub(crate) en_sqd_async_notify: u8,
    pub(crate) sq_draining: u8,
    pub(crate) max_rd_atomic: u8,
    pub(crate) max_dest_rd_atomic: u8,
    pub(crate) min_rnr_timer: u8,
    pub(crate) port_num: u8,
    pub(crate) timeout: u8,
    pub(crate) retry_cnt: u8,
    pub(crate) rnr_retry: u8,
    pub(crate) alt_port_num: u8,
    pub(crate) alt_timeout: u8,
    pub(crate) rate_limit: u32,
}

/// The library writes up to 52 bytes of it, and later versions no more through this function.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_port_attr {
    pub(crate) state: c_int,
    pub(crate) max_mtu: c_int,
    pub(crate) active_mtu: c_int,
    pub(crate) gid_tbl_len: c_int,
    pub(crate) port_cap_flags: u32,
    pub(crate) max_msg_sz: u32,
    pub(crate) bad_pkey_cntr: u32,
    pub(crate) qkey_viol_cntr: u32,
    pub(crate) pkey_tbl_len: u16,
    pub(crate) lid: u16,
    pub(crate) sm_lid: u16,
    pub(crate) lmc: u8,
    pub(crate) max_vl_num: u8,
    pub(crate) sm_sl: u8,
    pub(crate) subnet_timeout: u8,
    pub(crate) init_type_reply: u8,
    pub(crate) active_width: u8,
    pub(crate) active_speed: u8,
    pub(crate) phys_state: u8,
    pub(crate) link_layer: u8,
    pub(crate) flags: u8,
    pub(crate) port_cap_flags2: u16,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ibv_device_attr {
    pub(crate) fw_ver: [u8; 64],
    pub(crate) node_guid: u64,
    pub(crate) sys_image_guid: u64,
    pub(crate) max_mr_size: u64,
    pub(crate) page_size_cap: u64,
    pub(crate) vendor_id: u32,
    pub(crate) vendor_part_id: u32,
    pub(crate) hw_ver: u32,
    pub(crate) max_qp: c_int,
    pub(crate) max_qp_wr: c_int,
    pub(crate) device_cap_flags: u32,
    pub(crate) max_sge: c_int,
    pub(crate) max_sge_rd: c_int,
    pub(crate) max_cq: c_int,
    pub(crate) max_cqe: c_int,
    pub(crate) max_mr: c_int,
    pub(crate) max_pd: c_int,
    pub(crate) max_qp_rd_atom: c_int,
    pub(crate) max_ee_rd_atom: c_int,
    pub(crate) max_res_rd_atom: c_int,
    pub(crate) max_qp_init_rd_atom: c_int,
    pub(crate) max_ee_init_rd_atom: c_int,
    pub(crate) atomic_cap: c_int,
    /// What is not used.
    pub(crate) others: [u8; 59],
    pub(crate) phys_port_cnt: u8,
}

// As in the header; `tests/headers.rs` has a compiler of C check these.
const _: () = assert!(offset_of!(ibv_context, device) == 0);
const _: () = assert!(offset_of!(ibv_context, ops.poll_cq) == 96);
const _: () = assert!(offset_of!(ibv_context, ops.req_notify_cq) == 104);
const _: () = assert!(offset_of!(ibv_context, ops.post_send) == 208);
const _: () = assert!(offset_of!(ibv_comp_channel, context) == 0);
const _: () = assert!(offset_of!(ibv_comp_channel, fd) == 8);
const _: () = assert!(offset_of!(ibv_qp, context) == 0);
const _: () = assert!(offset_of!(ibv_qp, qp_num) == 52);
const _: () = assert!(offset_of!(ibv_mr, lkey) == 36);
const _: () = assert!(offset_of!(ibv_mr, rkey) == 40);
const _: () = assert!(size_of::<ibv_sge>() == 16);
const _: () = assert!(offset_of!(ibv_sge, length) == 8);
const _: () = assert!(offset_of!(ibv_sge, lkey) == 12);
const _: () = assert!(size_of::<ibv_send_wr>() == 128);
const _: () = assert!(offset_of!(ibv_send_wr, next) == 8);
const _: () = assert!(offset_of!(ibv_send_wr, sg_list) == 16);
const _: () = assert!(offset_of!(ibv_send_wr, num_sge) == 24);
const _: () = assert!(offset_of!(ibv_send_wr, opcode) == 28);
const _: () = assert!(offset_of!(ibv_send_wr, send_flags) == 32);
const _: () = assert!(offset_of!(ibv_send_wr, imm_data) == 36);
const _: () = assert!(offset_of!(ibv_send_wr, wr.rdma.remote_addr) == 40);
const _: () = assert!(offset_of!(ibv_send_wr, wr.rdma.rkey) == 48);
const _: () = assert!(offset_of!(ibv_send_wr, wr.atomic.remote_addr) == 40);
const _: () = assert!(offset_of!(ibv_send_wr, wr.atomic.compare_add) == 48);
const _: () = assert!(offset_of!(ibv_send_wr, wr.atomic.swap) == 56);
const _: () = assert!(offset_of!(ibv_send_wr, wr.atomic.rkey) == 64);
const _: () = assert!(size_of::<ibv_wc>() == 48);
const _: () = assert!(offset_of!(ibv_wc, status) == 8);
const _: () = assert!(offset_of!(ibv_wc, opcode) == 12);
const _: () = assert!(offset_of!(ibv_wc, vendor_err) == 16);
const _: () = assert!(offset_of!(ibv_wc, byte_len) == 20);
const _: () = assert!(offset_of!(ibv_wc, qp_num) == 28);
const _: () = assert!(size_of::<ibv_qp_cap>() == 20);
const _: () = assert!(offset_of!(ibv_qp_cap, max_inline_data) == 16);
const _: () = assert!(size_of::<ibv_qp_init_attr>() == 64);
const _: () = assert!(offset_of!(ibv_qp_init_attr, send_cq) == 8);
const _: () = assert!(offset_of!(ibv_qp_init_attr, recv_cq) == 16);
const _: () = assert!(offset_of!(ibv_qp_init_attr, srq) == 24);
const _: () = assert!(offset_of!(ibv_qp_init_attr, cap) == 32);
const _: () = assert!(offset_of!(ibv_qp_init_attr, qp_type) == 52);
const _: () = assert!(offset_of!(ibv_qp_init_attr, sq_sig_all) == 56);
const _: () = assert!(size_of::<ibv_global_route>() == 24);
const _: () = assert!(offset_of!(ibv_global_route, sgid_index) == 20);
const _: () = assert!(offset_of!(ibv_global_route, hop_limit) == 21);
const _: () = assert!(offset_of!(ibv_global_route, traffic_class) == 22);
const _: () = assert!(size_of::<ibv_ah_attr>() == 32);
const _: () = assert!(offset_of!(ibv_ah_attr, dlid) == 24);
const _: () = assert!(offset_of!(ibv_ah_attr, sl) == 26);
const _: () = assert!(offset_of!(ibv_ah_attr, is_global) == 29);
const _: () = assert!(offset_of!(ibv_ah_attr, port_num) == 30);
const _: () = assert!(size_of::<ibv_qp_attr>() == 144);
const _: () = assert!(offset_of!(ibv_qp_attr, path_mtu) == 8);
const _: () = assert!(offset_of!(ibv_qp_attr, rq_psn) == 20);
const _: () = assert!(offset_of!(ibv_qp_attr, sq_psn) == 24);
const _: () = assert!(offset_of!(ibv_qp_attr, dest_qp_num) == 28);
const _: () = assert!(offset_of!(ibv_qp_attr, qp_access_flags) == 32);
const _: () = assert!(offset_of!(ibv_qp_attr, ah_attr) == 56);
const _: () = assert!(offset_of!(ibv_qp_attr, pkey_index) == 120);
const _: () = assert!(offset_of!(ibv_qp_attr, max_rd_atomic) == 126);
const _: () = assert!(offset_of!(ibv_qp_attr, max_dest_rd_atomic) == 127);
const _: () = assert!(offset_of!(ibv_qp_attr, min_rnr_timer) == 128);
const _: () = assert!(offset_of!(ibv_qp_attr, port_num) == 129);
const _: () = assert!(offset_of!(ibv_qp_attr, timeout) == 130);
const _: () = assert!(offset_of!(ibv_qp_attr, retry_cnt) == 131);
const _: () = assert!(offset_of!(ibv_qp_attr, rnr_retry) == 132);
const _: () = assert!(offset_of!(ibv_port_attr, active_mtu) == 8);
const _: () = assert!(offset_of!(ibv_port_attr, gid_tbl_len) == 12);
const _: () = assert!(offset_of!(ibv_port_attr, max_msg_sz) == 20);
const _: () = assert!(offset_of!(ibv_port_attr, lid) == 34);
const _: () = assert!(offset_of!(ibv_port_attr, active_width) == 43);
const _: () = assert!(offset_of!(ibv_port_attr, active_speed) == 44);
const _: () = assert!(offset_of!(ibv_port_attr, link_layer) == 46);
const _: () = assert!(size_of::<ibv_device_attr>() == 232);
const _: () = assert!(offset_of!(ibv_device_attr, max_qp_wr) == 112);
const _: () = assert!(offset_of!(ibv_device_attr, max_cqe) == 132);
const _: () = assert!(offset_of!(ibv_device_attr, max_qp_rd_atom) == 144);
const _: () = assert!(offset_of!(ibv_device_attr, max_qp_init_rd_atom) == 156);
const _: () = assert!(offset_of!(ibv_device_attr, atomic_cap) == 164);
const _: () = assert!(offset_of!(ibv_device_attr, phys_port_cnt) == 227);
