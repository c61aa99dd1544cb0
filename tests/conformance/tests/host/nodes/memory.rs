//! Symmetric memory of PEs on other nodes.

use cushmem::raw::Completion;
use cushmem::{ArgumentError, Cmp, Shmem, SignalOp};
use cushmem_conformance::{conformance, on_nodes};

on_nodes! {
    a_pe_of_another_node_has_no_address: 3 on 2, 4 on 2 by "cyclic";
    objects_lie_across_the_borders_of_pieces: 3 on 2;
}

// On the nodes and the network of the test run.
conformance! { host => { objects_lie_across_the_borders_of_pieces: 2, 3; } }

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

/// Catches a piece by which the heap grew that not all PEs know, and an operation that goes wrong at the border between
/// two. Wherever the borders are, they lie between pages and here also at a multiple of 1 MiB: the objects are
/// allocated one after the other, and the second and the third need more than the pieces so far.
fn objects_lie_across_the_borders_of_pieces(shmem: &Shmem) {
    const WORDS: usize = (1 << 20) / 8;
    // In MiB. With the first one comes a piece of at least as much.
    const OBJECTS: [usize; 4] = [1, 20, 30, 1];
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (next, before) = ((me + 1) % n, (me + n - 1) % n);
    let [_, second, third, flags] = OBJECTS.map(|mib| shmem.malloc::<u64>(mib * WORDS).expect("malloc"));
    flags.slice(..2).copy_from(&[0; 2]).expect("write");
    shmem.barrier_all().expect("barrier");
    for (number, object) in [second, third].into_iter().enumerate() {
        let words = object.len();
        let of = |pe: u32| (0..words as u64).map(move |at| at ^ u64::from(pe + 1) << 32);
        // All of it, and a signal behind it.
        let own: Vec<u64> = of(me).collect();
        shmem.put_signal(object, &own, flags.at(number), 1, SignalOp::Set, next).expect("put_signal");
        shmem.signal_wait_until(flags.at(number), Cmp::Eq, 1).expect("wait");
        let wrong = object.to_vec().expect("read").iter().zip(of(before)).position(|(found, sent)| *found != sent);
        assert_eq!(wrong, None, "the first word that is wrong of object {number} on PE {me}");
        let mut back = vec![0; words];
        shmem.get(&mut back, object, next).expect("get");
        assert!(back == own, "object {number} of PE {next}");
        shmem.barrier_all().expect("barrier");
        for middle in (WORDS..words).step_by(WORDS) {
            let what = || format!("around word {middle} of object {number} on PE {me}");
            // Few words, single ones on both sides, and a signal behind what is in front of it.
            let data = [u64::from(me) + 7; 16];
            shmem.put(object.slice(middle - 8..middle + 8), &data, next).expect("put");
            shmem.fence().expect("fence");
            (middle - 1..middle + 2).for_each(|word| shmem.p(object.at(word), 0, next).expect("p"));
            shmem.barrier_all().expect("barrier");
            for pe in 0..n {
                for word in [middle - 1, middle] {
                    shmem.fetch_add(object.at(word), 1, pe).expect("fetch_add");
                }
            }
            let (front, signal) = (object.slice(middle - 4..middle - 1), object.at(middle + 1));
            shmem.put_signal(front, &[9; 3], signal, 100, SignalOp::Add, next).expect("put_signal");
            shmem.signal_wait_until(signal, Cmp::Eq, 100).expect("wait");
            assert_eq!(front.to_vec().expect("read"), [9; 3], "{}", what());
            shmem.barrier_all().expect("barrier");
            let old = u64::from(before) + 7;
            let expected = [[old; 4], [9, 9, 9, n.into()], [n.into(), 100, old, old], [old; 4]].concat();
            assert_eq!(object.slice(middle - 8..middle + 8).to_vec().expect("read"), expected, "{}", what());
        }
    }
    shmem.barrier_all().expect("barrier");
}
