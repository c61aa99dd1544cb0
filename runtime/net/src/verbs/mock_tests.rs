//! Whether the device of tests finds mistakes.

use super::super::choice::{Place, Seat};
use super::super::device::{Device, Purpose, Registered};
use super::super::ports::Found;
use super::super::queue::Queue;
use super::*;

fn device() -> Arc<Device> {
    let found = Found::new(NAME, "", None, Place::default(), None).expect("find");
    let seats = [Seat::default()];
    found.open(&seats, &seats, 0).expect("open").swap_remove(0)
}

/// The status with which a device ends a request of this kind: `local` and `remote` are keys, `at` is where the
/// local end is and `bytes` how long it is.
fn status(
    device: &Arc<Device>,
    queue: &Queue,
    opcode: c_int,
    keys: (u32, u32),
    at: (usize, u32),
    there: usize,
) -> c_int {
    let mut part = ibv_sge { addr: at.0 as u64, length: at.1, lkey: keys.0 };
    let rdma = rdma { remote_addr: there as u64, rkey: keys.1 };
    let mut row = [ibv_send_wr {
        wr_id: 1,
        next: null_mut(),
        sg_list: &mut part,
        num_sge: 1,
        opcode,
        send_flags: IBV_SEND_SIGNALED,
        imm_data: 0,
        wr: wr { rdma },
        others: [0; 7],
    }];
    // SAFETY: the memory of the test outlives its requests, and the device checks what they name.
    unsafe { queue.post(&mut row) }.expect("post");
    // SAFETY: all members are numbers.
    let mut found: [ibv_wc; 1] = unsafe { std::mem::zeroed() };
    assert_eq!(device.poll(&mut found), Ok(1));
    found[0].status
}

/// A device of tests that took any key, of either end, would find no mistake of the provider.
#[test]
fn keys_and_lengths_of_both_ends_are_checked() {
    let _machine = Machine::here();
    let [here, there] = [device(), device()];
    let memory: [Box<[u64]>; 2] = [(); 2].map(|()| vec![7; 16].into());
    let [local, remote] = memory.each_ref().map(|memory| memory.as_ptr().expose_provenance());
    let register = |device, start, purpose| {
        // SAFETY: the memory outlives the registration.
        unsafe { Registered::new(device, start, 64, purpose) }.expect("register")
    };
    let (own, source) = (register(&here, local, Purpose::Destination), register(&here, local, Purpose::Source));
    let (theirs, hidden) = (register(&there, remote, Purpose::Peers), register(&there, remote, Purpose::Destination));
    let (read, write, ok) = (IBV_WR_RDMA_READ, IBV_WR_RDMA_WRITE, IBV_WC_SUCCESS);
    let (own, source, theirs, hidden) = (own.local_key(), source.local_key(), theirs.key(), hidden.key());
    for (opcode, keys, at, to, expected) in [
        (write, (own, theirs), (local, 64), remote, ok),
        (write, (source, theirs), (local + 56, 8), remote + 56, ok),
        (read, (own, theirs), (local, 64), remote, ok),
        (read, (source, theirs), (local, 8), remote, LOCAL_PROTECTION),
        (write, (theirs, theirs), (local, 8), remote, LOCAL_PROTECTION),
        (write, (12345, theirs), (local, 8), remote, LOCAL_PROTECTION),
        (write, (own, theirs), (local + 60, 8), remote, LOCAL_PROTECTION),
        (write, (own, theirs), (local - 8, 8), remote, LOCAL_PROTECTION),
        (write, (own, theirs), (local, 65), remote, LOCAL_PROTECTION),
        (write, (own, theirs), (local, 16), remote + 56, REMOTE_ACCESS),
        (write, (own, hidden), (local, 8), remote, REMOTE_ACCESS),
        (write, (own, own), (local, 8), remote, REMOTE_ACCESS),
    ] {
        let asking = Queue::asking(&here).expect("a queue");
        let (answering, end) = Queue::answering(&there, &asking.end(1)).expect("a queue");
        asking.start(&end).expect("start");
        assert_eq!(status(&here, &asking, opcode, keys, at, to), expected, "{opcode} {keys:?} {at:?} {to}");
        drop(answering);
    }
}
