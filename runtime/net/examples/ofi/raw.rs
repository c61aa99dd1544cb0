//! libfabric's functions, with nothing above them.

use crate::far::There;
use crate::ofi::endpoint::{Change, Endpoint, Here, Purpose, Registered};
use crate::ofi::library::Wanted;
use crate::ofi::sys::*;
use crate::{ADDRESS, BYTES, DATA, LONG, Memory, Pipes, Side, UNDER_WAY, WORD, library, provider};
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr::null_mut;

/// The endpoint for puts and gets, and the one for atomic operations.
const MAIN: usize = 0;
const ATOMIC: usize = 1;

/// What the library uses of an operation until its completion.
struct Context(UnsafeCell<[u64; CONTEXT_WORDS]>, UnsafeCell<u64>);

/// See the module's documentation.
pub struct Raw {
    // In this order: memory before its endpoints.
    _registered: Vec<Registered>,
    endpoints: Vec<Endpoint>,
    /// By endpoint: the other process's memory.
    far: Vec<(u64, u64)>,
    peer: u32,
    contexts: Vec<Context>,
    /// Those that no operation uses.
    free: Vec<usize>,
    under_way: usize,
    long: Vec<u8>,
}

fn open(atomics: bool) -> Result<Endpoint, String> {
    Endpoint::open(&Wanted { library: &library(), provider: &provider(), address: ADDRESS, atomics }, 0)
}

/// Whether there is what this program measures; otherwise the reason why not.
pub fn find() -> Result<(), String> {
    [false, true].into_iter().try_for_each(|atomics| open(atomics).map(drop))
}

impl Raw {
    pub fn new(memory: Memory, me: usize, pipes: &mut Pipes) -> Self {
        let mut endpoints: Vec<_> = [false, true].map(open).into_iter().collect::<Result<_, _>>().expect("libfabric");
        let (mut registered, mut far) = (Vec::new(), Vec::new());
        for endpoint in &mut endpoints {
            assert!(!endpoint.needs(FI_MR_LOCAL), "the provider needs no registration of local memory");
            let own = endpoint.name().expect("a name");
            let theirs = pipes.exchange(&own);
            let names = if me == 0 { [own, theirs] } else { [theirs, own] };
            names.iter().for_each(|name| endpoint.add_peer(name).expect("a peer"));
            // SAFETY: the memory stays until the process ends.
            let mine =
                unsafe { endpoint.register(memory.address(), BYTES, Purpose::Peers, None) }.expect("register memory");
            let start = if endpoint.needs(FI_MR_VIRT_ADDR) { memory.address() as u64 } else { 0 };
            let card = pipes.exchange(&[start.to_le_bytes(), mine.key().to_le_bytes()].concat());
            let word = |at: usize| u64::from_le_bytes(*card[at..].first_chunk().expect("a card"));
            far.push((word(0), word(8)));
            registered.push(mine);
        }
        let contexts = (0..2 * UNDER_WAY).map(|_| Context(UnsafeCell::new([0; CONTEXT_WORDS]), UnsafeCell::new(0)));
        let (contexts, free) = (contexts.collect(), (0..2 * UNDER_WAY).collect());
        let (peer, long) = (1 - me as u32, vec![1; LONG]);
        Self { _registered: registered, endpoints, far, peer, contexts, free, under_way: 0, long }
    }

    /// Looks at an endpoint's queue once.
    fn look(&mut self, which: usize) {
        let Self { endpoints, contexts, free, under_way, .. } = self;
        endpoints[which].completions(|context, outcome| {
            outcome.expect("an operation succeeds");
            let distance = context.addr() - contexts.as_ptr().addr();
            free.push(distance / size_of::<Context>());
            *under_way -= 1;
        });
    }

    fn there(&self, which: usize, at: u64) -> There {
        let (address, key) = self.far[which];
        There { peer: self.peer, address: address + at, key }
    }

    /// Calls until the library takes the operation.
    fn start(&mut self, which: usize, mut call: impl FnMut(&Self, &Context) -> isize) -> usize {
        loop {
            if let Some(&index) = self.free.last() {
                match call(self, &self.contexts[index]) {
                    0 => {
                        self.free.pop();
                        self.under_way += 1;
                        return index;
                    }
                    code => assert_eq!(code, -FI_EAGAIN, "{}", self.endpoints[which].error(code)),
                }
            }
            self.look(which);
        }
    }

    fn transfer(&mut self, write: bool, at: u64, local: Option<usize>, bytes: usize) -> usize {
        let there = self.there(MAIN, at);
        self.start(MAIN, |this, context| {
            let address = local.unwrap_or_else(|| context.1.get().expose_provenance());
            let here = Here { address, bytes, desc: null_mut() };
            let flags = if write { FI_DELIVERY_COMPLETE } else { 0 };
            // SAFETY: the memory belongs to `this`, which waits for the completion, as the context does.
            unsafe { this.endpoints[MAIN].transfer(write, here, there, context.0.get().cast::<c_void>(), flags) }
        })
    }

    fn put_word(&mut self, at: u64, value: u64, flags: u64) {
        let there = self.there(MAIN, at);
        self.start(MAIN, |this, context| {
            // SAFETY: no operation uses the context's word.
            unsafe { context.1.get().write(value) };
            let here = Here { address: context.1.get().expose_provenance(), bytes: 8, desc: null_mut() };
            let context = context.0.get().cast::<c_void>();
            // SAFETY: the context and its word stay until the completion.
            unsafe { this.endpoints[MAIN].transfer(true, here, there, context, flags) }
        });
    }

    fn finish(&mut self, which: usize) {
        while self.under_way > 0 {
            self.look(which);
        }
    }
}

impl Side for Raw {
    const BY: &'static str = "limit";

    fn put(&mut self, value: u64) {
        self.put_word(WORD, value, FI_DELIVERY_COMPLETE);
        self.finish(MAIN);
    }

    fn get(&mut self) -> u64 {
        let index = self.transfer(false, WORD, None, 8);
        self.finish(MAIN);
        // SAFETY: the operation is complete.
        unsafe { self.contexts[index].1.get().read_volatile() }
    }

    fn fetch_add(&mut self) -> u64 {
        let there = self.there(ATOMIC, WORD);
        let mut found = 0_u64;
        let result = (&raw mut found).expose_provenance();
        self.start(ATOMIC, |this, context| {
            // SAFETY: no operation uses the context's word.
            unsafe { context.1.get().write(1) };
            let operand = context.1.get().expose_provenance();
            let (datatype, op, desc) = (FI_UINT64, FI_SUM, null_mut());
            let change = Change { datatype, op, operand, condition: None, result, desc };
            // SAFETY: the words stay until the completion.
            unsafe { this.endpoints[ATOMIC].change(&change, there, context.0.get().cast::<c_void>()) }
        });
        self.finish(ATOMIC);
        // SAFETY: the operation is complete.
        unsafe { (&raw const found).read_volatile() }
    }

    fn put_long(&mut self) {
        self.transfer(true, DATA, Some(self.long.as_ptr().expose_provenance()), LONG);
        self.finish(MAIN);
    }

    fn get_long(&mut self) {
        let to = self.long.as_mut_ptr().expose_provenance();
        self.transfer(false, DATA, Some(to), LONG);
        self.finish(MAIN);
    }

    fn put_many(&mut self, puts: usize) {
        for put in 0..puts {
            while self.under_way >= UNDER_WAY {
                self.look(MAIN);
            }
            self.put_word(WORD, put as u64, FI_DELIVERY_COMPLETE);
        }
        self.finish(MAIN);
    }

    fn flag(&mut self, at: u64, value: u64) {
        self.put_word(at, value, 0);
    }

    fn poll(&mut self) {
        [MAIN, ATOMIC].into_iter().for_each(|which| self.look(which));
    }
}
