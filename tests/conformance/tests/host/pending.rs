//! Pending operations are complete where the specification says so: what PE 0 has put before the call, PE 1 finds after
//! it. The data comes last in a long queue of copies.

use cushmem::raw::Completion;
use cushmem::{Context, ContextOptions, PeSet, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words};
use cushmem_conformance_kernels::mix;

conformance! { soft, cuda => {
    collective_calls_complete_copies: 2;
    a_lock_is_cleared_after_copies: 2;
    a_context_that_ends_completes_copies: 2;
} }

/// The number of words of data.
const FEW: usize = 500;
/// The number of words that are copied before, and how often.
const MANY: usize = 2 << 20;
const TIMES: usize = 12;

/// PE 0's copies to PE 1, from GPU memory to GPU memory.
struct Copies<'a> {
    shmem: &'a Shmem,
    /// Its first words are the data.
    source: SymSlice<'a, u64>,
    large: SymSlice<'a, u64>,
    target: SymSlice<'a, u64>,
}

impl<'a> Copies<'a> {
    fn new(shmem: &'a Shmem) -> Self {
        let new = |n| shmem.malloc_gpu::<u64>(n).expect("malloc_gpu");
        Self { shmem, source: new(MANY), large: new(MANY), target: new(FEW) }
    }

    /// Collective: prepares a round, in which PE 0 posts its copies.
    fn post(&self, on: Option<&Context>, round: u64) {
        let words: Vec<u64> = (0..FEW).map(|i| mix(round, i as u64)).collect();
        self.source.slice(..FEW).copy_from(&words).expect("write");
        self.shmem.barrier_all().expect("barrier");
        if self.shmem.my_pe() != 0 {
            return;
        }
        let raw = on.map_or(self.shmem.raw(), |context| self.shmem.raw().on(context));
        let put = |to: SymSlice<'_, u64>| {
            let (bytes, from) = (8 * to.len(), self.source.device_ptr().address() as usize);
            let to = std::ptr::with_exposed_provenance_mut(to.device_ptr().address() as usize);
            // SAFETY: the source is as long as the longest object, and does not change until the barrier of the next
            // round.
            unsafe { raw.put(to, std::ptr::with_exposed_provenance(from), bytes, 1, Completion::Nbi) }.expect("put");
        };
        (0..TIMES).for_each(|_| put(self.large));
        put(self.target);
    }

    /// On PE 1: the copies of this round are complete.
    fn expect(&self, after: &str, round: u64) {
        if self.shmem.my_pe() == 1 {
            let seen = self.target.to_vec().expect("read");
            expect_words(|| format!("put before {after}"), &seen, |i| mix(round, i as u64));
        }
    }
}

fn context(shmem: &Shmem) -> Context {
    shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context")
}

/// Catches a barrier, an allocation or a free that lets PEs go on before copies are complete. An allocation or free
/// completes copies on all contexts, because memory changes hands.
fn collective_calls_complete_copies(shmem: &Shmem) {
    let copies = Copies::new(shmem);
    let (other, mut round) = (context(shmem), 0);
    let old = [(); 8].map(|()| shmem.malloc::<u8>(64).expect("malloc"));
    let mut old = old.into_iter();
    let mut next = || old.next().expect("there are enough");
    let mut check = |name: &str, on: Option<&Context>, call: &mut dyn FnMut()| {
        round += 1;
        copies.post(on, round);
        call();
        copies.expect(name, round);
    };
    check("barrier_all", None, &mut || shmem.barrier_all().expect("barrier"));
    for on in [None, Some(&other)] {
        check("malloc", on, &mut || assert!(shmem.malloc::<u8>(1).is_ok()));
        check("malloc_gpu", on, &mut || assert!(shmem.malloc_gpu::<u8>(1).is_ok()));
        check("free", on, &mut || shmem.free(next()).expect("free"));
        let object = next();
        let at = std::ptr::with_exposed_provenance_mut(object.device_ptr().address() as usize);
        check("realloc", on, &mut || assert!(shmem.raw().realloc("test", at, 32).is_ok()));
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a lock that is passed on before what its holder has put.
fn a_lock_is_cleared_after_copies(shmem: &Shmem) {
    let copies = Copies::new(shmem);
    let lock = shmem.malloc::<i64>(1).expect("malloc").at(0);
    let address = std::ptr::with_exposed_provenance_mut(lock.as_slice().device_ptr().address() as usize);
    shmem.p(lock, 0, shmem.my_pe()).expect("p");
    for (round, typed) in [(1, true), (2, false)] {
        shmem.barrier_all().expect("barrier");
        if shmem.my_pe() == 0 {
            shmem.set_lock(lock).expect("set_lock");
        }
        copies.post(None, round);
        if shmem.my_pe() == 1 {
            shmem.set_lock(lock).expect("set_lock");
        }
        copies.expect(if typed { "clear_lock" } else { "clear_lock by address" }, round);
        if typed {
            shmem.clear_lock(lock).expect("clear_lock");
        } else {
            shmem.raw().clear_lock(address).expect("clear_lock");
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a context whose copies go on, or are forgotten, after it is destroyed.
pub fn a_context_that_ends_completes_copies(shmem: &Shmem) {
    let copies = Copies::new(shmem);
    for round in 1..=3 {
        let context = context(shmem);
        copies.post(Some(&context), round);
        drop(context);
        // This completes nothing.
        shmem.sync_all().expect("sync");
        copies.expect("the end of its context", round);
    }
    shmem.barrier_all().expect("barrier");
}
