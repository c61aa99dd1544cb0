//! Symmetric memory of PEs on other nodes.

use cushmem::raw::Completion;
use cushmem::{ArgumentError, Shmem};
use cushmem_conformance::on_nodes;

on_nodes! { a_pe_of_another_node_has_no_address: 3 on 2, 4 on 2 by "cyclic"; }

mod checked {
    use super::{CHECK, an_overrun_to_a_far_pe_is_refused};
    cushmem_conformance::on_nodes! { with CHECK: { an_overrun_to_a_far_pe_is_refused: 3 on 2; } }
}

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];

/// Catches an address through which a PE would write its own memory, or nobody's, and an object that lies elsewhere on
/// another node. Each PE writes directly where it has an address, puts where it has none, and checks its own copy.
fn a_pe_of_another_node_has_no_address(shmem: &Shmem) {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let filler = shmem.malloc::<u8>(1000).expect("malloc");
    let object = shmem.malloc::<u32>(n as usize).expect("malloc");
    let word = object.at(me as usize);
    shmem.barrier_all().expect("barrier");
    for pe in 0..n {
        let is_near = shmem.team_world().translate_pe(pe, shmem.team_shared()).is_some();
        let address = object.ptr(pe);
        assert_eq!(!address.is_null(), is_near, "of PE {pe} on PE {me}");
        if is_near {
            // SAFETY: this is an element of the object, which nobody else uses.
            unsafe { address.add(me as usize).write(100 + me) };
        } else {
            shmem.p(word, 100 + me, pe).expect("p");
        }
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(object.to_vec().expect("read"), (0..n).map(|pe| 100 + pe).collect::<Vec<_>>());
    shmem.barrier_all().expect("barrier");
    shmem.free(filler).expect("free");
}

/// Catches a copy to a PE on another node that check mode does not check, also after one that was right.
fn an_overrun_to_a_far_pe_is_refused(shmem: &Shmem) {
    let (object, next) = (shmem.malloc::<u64>(10).expect("malloc"), shmem.malloc::<u64>(10).expect("malloc"));
    next.copy_from(&[7; 10]).expect("write");
    shmem.barrier_all().expect("barrier");
    let mut own = [1u64; 11];
    let there: *mut u8 = std::ptr::with_exposed_provenance_mut(object.device_ptr().address() as usize);
    for pe in 0..shmem.n_pes() {
        // SAFETY: both private ends have this many bytes.
        let right = unsafe {
            let raw = shmem.raw();
            let put = raw.put(there, own.as_ptr().cast(), 80, pe, Completion::Blocking);
            put.and_then(|()| raw.get(own.as_mut_ptr().cast(), there, 80, pe, Completion::Blocking))
        };
        assert_eq!(right, Ok(()), "PE {pe}");
        shmem.p(object.at(0), 1, pe).expect("p");
        for when in [Completion::Blocking, Completion::Nbi] {
            // SAFETY: both private ends have this many bytes.
            let put = unsafe { shmem.raw().put(there, own.as_ptr().cast(), 88, pe, when) };
            assert_eq!(put, Err(ArgumentError::PastObject(80)), "a put to PE {pe}");
            // SAFETY: the private end has this many bytes.
            let got = unsafe { shmem.raw().get(own.as_mut_ptr().cast(), there, 88, pe, when) };
            assert_eq!(got, Err(ArgumentError::PastObject(80)), "a get from PE {pe}");
        }
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(next.to_vec().expect("read"), [7; 10]);
    shmem.free(next).expect("free");
    let text = shmem.p(next.at(0), 1, shmem.n_pes() - 1).expect_err("it was freed").to_string();
    assert!(text.contains("was freed"), "{text}");
    shmem.barrier_all().expect("barrier");
}
