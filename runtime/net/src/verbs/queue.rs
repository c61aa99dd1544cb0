//! A queue pair with a reliable connection. Each of them is for one direction: the process that made the connection
//! posts to its end, and the other end answers.

use crate::MOST_INLINE;
use crate::verbs::choice::Layer;
use crate::verbs::device::{Device, failed};
use crate::verbs::name::End;
use crate::verbs::sys::*;
use std::ffi::c_int;
use std::io;
use std::ptr::null_mut;
use std::sync::Arc;

/// How long the device waits for an acknowledgement before it sends again, and how often it does: 0.5 s and 6 times, so
/// a cable may be out for some three seconds. Devices may take up to four times as long. Soft-RoCE takes 7 for ever.
const TIMEOUT: u8 = 17;
const RETRIES: u8 = 6;
/// The routers that a packet may pass.
const HOPS: u8 = 64;

/// A queue pair.
pub(super) struct Queue {
    pair: *mut ibv_qp,
    /// The bytes that an operation may carry itself.
    pub(super) inline: usize,
    /// The number of the first packet that it sends.
    first: u32,
    device: Arc<Device>,
}

// SAFETY: the object belongs to no thread.
unsafe impl Send for Queue {}

impl Queue {
    /// One to which up to `depth` operations can be posted.
    pub(super) fn new(device: &Arc<Device>, depth: usize) -> Result<Self, String> {
        let mut first = [0; 4];
        getrandom::fill(&mut first).map_err(|error| format!("random numbers: {error}"))?;
        let first = u32::from_le_bytes(first) & 0xff_ffff;
        let mut inline = MOST_INLINE as u32;
        loop {
            let mut wanted = ibv_qp_init_attr {
                qp_context: null_mut(),
                send_cq: device.completions,
                recv_cq: device.completions,
                srq: null_mut(),
                cap: ibv_qp_cap {
                    max_send_wr: depth as u32,
                    max_recv_wr: 0,
                    max_send_sge: 1,
                    max_recv_sge: 0,
                    max_inline_data: inline,
                },
                qp_type: IBV_QPT_RC,
                sq_sig_all: 0,
            };
            // SAFETY: the device is open, and its objects are there as long as `device`.
            let pair = unsafe { (device.library.create_qp)(device.domain, &mut wanted) };
            if !pair.is_null() {
                let inline = wanted.cap.max_inline_data as usize;
                return Ok(Self { pair, inline, first, device: device.clone() });
            }
            let why = failed(&format!("make a queue pair of {depth} operations on {}", device.about.name));
            // Some devices have no operations that carry their bytes.
            if inline == 0 {
                return Err(why);
            }
            inline = 0;
        }
    }

    /// This end, for the other one. `reads` is how many reads and atomic operations may be under way.
    pub(super) fn end(&self, reads: u8) -> End {
        let about = &self.device.about;
        End { number: self.number(), first: self.first, gid: about.gid, lid: about.lid, mtu: about.mtu, reads }
    }

    /// Its number, which no other queue pair of the device has.
    pub(super) fn number(&self) -> u32 {
        // SAFETY: the library made it, and it is there until this is dropped.
        unsafe { (*self.pair).qp_num }
    }

    /// Prepares it. `is_used` says whether the other end is the one that posts.
    fn prepare(&self, is_used: bool) -> Result<(), String> {
        let access = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
        let attributes = ibv_qp_attr {
            qp_state: IBV_QPS_INIT,
            qp_access_flags: if is_used { access } else { 0 },
            port_num: self.device.about.port,
            ..nothing()
        };
        self.modify(attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)
    }

    /// Connects it to the other end, which may then send.
    fn connect(&self, other: &End, answers: u8) -> Result<(), String> {
        let about = &self.device.about;
        let attributes = ibv_qp_attr {
            qp_state: IBV_QPS_RTR,
            path_mtu: other.mtu.min(about.mtu).into(),
            dest_qp_num: other.number,
            rq_psn: other.first,
            max_dest_rd_atomic: answers,
            // For messages that need a buffer at the receiver, which are not used.
            min_rnr_timer: 12,
            ah_attr: ibv_ah_attr {
                grh: ibv_global_route {
                    dgid: ibv_gid { raw: other.gid },
                    flow_label: 0,
                    sgid_index: about.gid_index,
                    hop_limit: HOPS,
                    traffic_class: 0,
                },
                dlid: other.lid,
                sl: 0,
                src_path_bits: 0,
                static_rate: 0,
                // Within a subnet of InfiniBand, the short address is enough.
                is_global: (about.layer == Layer::Ethernet || about.gid[..8] != other.gid[..8]).into(),
                port_num: about.port,
            },
            ..nothing()
        };
        let what = IBV_QP_STATE
            | IBV_QP_AV
            | IBV_QP_PATH_MTU
            | IBV_QP_DEST_QPN
            | IBV_QP_RQ_PSN
            | IBV_QP_MAX_DEST_RD_ATOMIC
            | IBV_QP_MIN_RNR_TIMER;
        self.modify(attributes, what)
    }

    /// The end that answers, for one that asked. It may be sent to when this returns; returns what the other end has to
    /// know.
    pub(super) fn answering(device: &Arc<Device>, other: &End) -> Result<(Self, End), String> {
        // Nothing is posted to it.
        let queue = Self::new(device, 1)?;
        let answers = device.about.answers.min(other.reads.max(1));
        queue.prepare(true)?;
        queue.connect(other, answers)?;
        let end = queue.end(answers);
        Ok((queue, end))
    }

    /// The end to which operations are posted, once it is connected.
    pub(super) fn asking(device: &Arc<Device>) -> Result<Self, String> {
        let queue = Self::new(device, device.about.depth)?;
        queue.prepare(false)?;
        Ok(queue)
    }

    /// Connects it to the end that answers. Operations may be posted then.
    pub(super) fn start(&self, other: &End) -> Result<(), String> {
        self.connect(other, 1)?;
        let attributes = ibv_qp_attr {
            qp_state: IBV_QPS_RTS,
            sq_psn: self.first,
            timeout: TIMEOUT,
            retry_cnt: RETRIES,
            rnr_retry: RETRIES,
            max_rd_atomic: other.reads.clamp(1, self.device.about.reads),
            ..nothing()
        };
        let what = IBV_QP_STATE
            | IBV_QP_SQ_PSN
            | IBV_QP_TIMEOUT
            | IBV_QP_RETRY_CNT
            | IBV_QP_RNR_RETRY
            | IBV_QP_MAX_QP_RD_ATOMIC;
        self.modify(attributes, what)
    }

    /// Ends all its operations, with a completion for each.
    pub(super) fn abandon(&self) {
        // If it fails, the device still ends the operations when nobody acknowledges them.
        let _ = self.modify(ibv_qp_attr { qp_state: IBV_QPS_ERR, ..nothing() }, IBV_QP_STATE);
    }

    fn modify(&self, mut attributes: ibv_qp_attr, what: c_int) -> Result<(), String> {
        // SAFETY: the library made the queue pair, and the attributes outlive the call.
        match unsafe { (self.device.library.modify_qp)(self.pair, &mut attributes, what) } {
            0 => Ok(()),
            code => {
                let (name, state) = (&self.device.about.name, attributes.qp_state);
                let error = error_of(code);
                Err(format!("bring a queue pair of {name} into state {state}: {error}"))
            }
        }
    }

    /// Posts requests, which are linked; returns how many the device has taken, and an error if it takes no more now or
    /// ever.
    ///
    /// # Safety
    /// The memory of the requests is valid until their completion.
    pub(super) unsafe fn post(&self, requests: &mut [ibv_send_wr]) -> Result<usize, (usize, io::Error)> {
        let Some(first) = requests.first_mut() else { return Ok(0) };
        let (first, mut bad): (*mut ibv_send_wr, _) = (first, null_mut());
        // SAFETY: the library made the queue pair and its context, and filled the table.
        let post = unsafe { (*(*self.pair).context).ops.post_send };
        let Some(post) = post else { return Err((0, io::Error::from_raw_os_error(libc::ENOSYS))) };
        // SAFETY: the requests are linked within the slice, and the caller guarantees their memory.
        match unsafe { post(self.pair, first, &mut bad) } {
            0 => Ok(requests.len()),
            code => {
                let error = error_of(code);
                let taken = bad.addr().saturating_sub(first.addr()) / size_of::<ibv_send_wr>();
                Err((if bad.is_null() { 0 } else { taken.min(requests.len()) }, error))
            }
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: the library made it. The device uses the memory of its operations no more afterwards.
        unsafe { (self.device.library.destroy_qp)(self.pair) };
    }
}

/// What a function of the library means that has not returned 0. Some drivers return a negative number, or -1 and set
/// the system's.
fn error_of(code: c_int) -> io::Error {
    match code {
        -1 => io::Error::last_os_error(),
        code => io::Error::from_raw_os_error(code.abs()),
    }
}

/// Attributes of which none is set.
fn nothing() -> ibv_qp_attr {
    // SAFETY: all members are numbers.
    unsafe { std::mem::zeroed() }
}
