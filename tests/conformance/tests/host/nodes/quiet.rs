//! What is complete after `quiet`: a PE that is told of it, in whatever way, sees everything.

use cushmem::raw::Completion;
use cushmem::{Cmp, Context, ContextOptions, PeSet, Shmem, SymSlice};
use cushmem_conformance::{expect_words, on_nodes, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::Random;
use std::fs::File;
use std::io::{PipeReader, Read, Write, pipe};
use std::os::fd::{AsRawFd, OwnedFd};

on_nodes! {
    a_pe_of_the_targets_node_sees_all: 3 on 2, 2 on 2;
    another_context_sees_all: 2 on 2, 3 on 2;
}

const LONGEST: usize = 6000;

/// A pipe between two PEs, which no network delays.
#[derive(Default)]
struct Pipe {
    reads: Option<PipeReader>,
    /// The reader has this end too.
    writes: Option<File>,
}

impl Pipe {
    /// Collective: `reader` receives what `writer` writes.
    fn between(shmem: &Shmem, writer: u32, reader: u32) -> Self {
        let place = shmem.malloc::<i32>(2).expect("malloc");
        let mut own = Self::default();
        if shmem.my_pe() == reader {
            let (reads, writes) = pipe().expect("a pipe");
            shmem.put(place, &[std::process::id() as i32, writes.as_raw_fd()], writer).expect("put");
            own = Self { reads: Some(reads), writes: Some(File::from(OwnedFd::from(writes))) };
        }
        shmem.barrier_all().expect("barrier");
        if shmem.my_pe() == writer {
            let [process, end] = place.to_vec().expect("read")[..] else { panic!("two words") };
            let path = format!("/proc/{process}/fd/{end}");
            own.writes = Some(File::options().write(true).open(path).expect("the other's end"));
        }
        shmem.barrier_all().expect("barrier");
        own
    }

    fn tell(&mut self) {
        self.writes.as_mut().expect("the PE that says something").write_all(&[1]).expect("there is room");
    }

    fn hear(&mut self) {
        self.reads.as_mut().expect("the PE that listens").read_exact(&mut [0]).expect("the other end is open");
    }
}

fn datum(round: u64, i: usize) -> u64 {
    mix(round, i as u64)
}

/// Puts a round's data in pieces of every kind.
fn put_round(shmem: &Shmem, round: u64, data: SymSlice<'_, u64>, source: SymSlice<'_, u64>, to: u32) {
    let len = data.len();
    source.copy_from(&(0..len).map(|i| datum(round, i)).collect::<Vec<_>>()).expect("write");
    let (first, second) = (len / 3, len / 3 * 2);
    shmem.put_nbi(data.slice(..first), source.slice(..first), to).expect("put_nbi");
    shmem.put(data.slice(first..second), source.slice(first..second), to).expect("put");
    shmem.put_nbi(data.slice(second..len - 1), source.slice(second..len - 1), to).expect("put_nbi");
    shmem.p(data.at(len - 1), datum(round, len - 1), to).expect("p");
}

fn any_len(random: &mut Random, round: u64) -> usize {
    3 + random.below(if round.is_multiple_of(8) { LONGEST - 3 } else { 100 })
}

/// Catches a quiet that waits until the sources have been read, but not until the bytes have arrived. The last PE puts
/// to PE 0, and tells a second PE of that node, if there is one, or the target itself.
fn a_pe_of_the_targets_node_sees_all(shmem: &Shmem) {
    let (me, writer) = (shmem.my_pe(), shmem.n_pes() - 1);
    let reader = writer - 1;
    let (data, source) = (shmem.malloc::<u64>(LONGEST).expect("malloc"), shmem.malloc(LONGEST).expect("malloc"));
    let seen = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.p(seen, 0, me).expect("p");
    let mut pipe = Pipe::between(shmem, writer, reader);
    let mut random = seeded();
    for round in 1..=250 {
        let data = data.slice(..any_len(&mut random, round));
        if me == writer {
            put_round(shmem, round, data, source.slice(..data.len()), 0);
            shmem.quiet().expect("quiet");
            pipe.tell();
            shmem.wait_until(seen, Cmp::Ge, round).expect("wait_until");
        } else if me == reader {
            pipe.hear();
            let mut words = vec![0; data.len()];
            shmem.get(&mut words, data, 0).expect("get");
            expect_words(|| format!("round {round} after the quiet"), &words, |i| datum(round, i));
            shmem.p(seen, round, writer).expect("p");
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches such a quiet as the PE itself sees it through another lane of the network, whose operations do not wait for
/// those of the first lane.
fn another_context_sees_all(shmem: &Shmem) {
    let other = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context");
    let (data, source) = (shmem.malloc::<u64>(LONGEST).expect("malloc"), shmem.malloc(LONGEST).expect("malloc"));
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == shmem.n_pes() - 1 {
        let mut random = seeded();
        for round in 1..=250 {
            let data = data.slice(..any_len(&mut random, round));
            put_round(shmem, round, data, source.slice(..data.len()), 0);
            shmem.quiet().expect("quiet");
            let words = get_on(shmem, &other, data, 0);
            expect_words(|| format!("round {round} after the quiet"), &words, |i| datum(round, i));
        }
    }
    shmem.barrier_all().expect("barrier");
}

fn get_on(shmem: &Shmem, context: &Context, data: SymSlice<'_, u64>, pe: u32) -> Vec<u64> {
    let mut words = vec![0; data.len()];
    let from = std::ptr::with_exposed_provenance(data.device_ptr().address() as usize);
    // SAFETY: the target has this many bytes.
    unsafe { shmem.raw().on(context).get(words.as_mut_ptr().cast(), from, 8 * data.len(), pe, Completion::Blocking) }
        .expect("get");
    words
}
