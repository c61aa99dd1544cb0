//! A lane of a NIC over libfabric.

use crate::{ADDRESS, BYTES, DATA, LONG, Memory, Pipes, Side, UNDER_WAY, WORD, WordOp, library, provider};
use cushmem_net::{Fabric, Lane, Local, Nic, Ofi, OfiSettings, Operation, Posted, Provider, Work};
use std::time::Duration;

/// How long the library's NIC polls for work before it sleeps.
const SPIN: Duration = Duration::from_micros(50);

/// See the module's documentation.
pub struct OfNic {
    // Dropped before the NIC, which waits for everything that was posted.
    lane: Lane,
    _nic: Nic,
    peer: u32,
    long: Vec<u8>,
}

impl OfNic {
    pub fn new(memory: Memory, me: usize, pipes: &mut Pipes) -> Self {
        let (library, provider, address) = (library(), provider(), ADDRESS.to_owned());
        let settings = OfiSettings { library, provider, address, atomics: true };
        let mut ofi = Ofi::open(&settings).expect("libfabric");
        let theirs = pipes.exchange(&ofi.name());
        let names = if me == 0 { [ofi.name(), theirs] } else { [theirs, ofi.name()] };
        ofi.peers(&names).expect("names");
        let local = Local { at: 0, address: memory.address(), bytes: BYTES, file: None };
        // SAFETY: the memory stays until the process ends.
        let card = unsafe { ofi.register(0, 0, local) }.expect("register memory");
        let peer = 1 - me as u32;
        ofi.learn(peer, 0, 0, &pipes.exchange(&card)).expect("a card");
        let nic = Nic::over(Provider::Ofi(ofi), SPIN).expect("start a NIC");
        Self { lane: nic.lane(), _nic: nic, peer, long: vec![1; LONG] }
    }

    /// Posts an operation and returns its ticket. The addresses in `operation` are valid until the operation is
    /// complete.
    fn post(&mut self, at: u64, operation: Operation, delivery_complete: bool) -> u64 {
        let work = Work { peer: self.peer, region: 0, at, operation, delivery_complete };
        loop {
            // SAFETY: the callers wait for operations that use memory.
            match unsafe { self.lane.post(work) } {
                Posted::Ticket(ticket) => return ticket,
                Posted::Again => self.poll(),
            }
        }
    }

    fn wait(&mut self, ticket: u64) {
        while self.lane.done() < ticket {
            self.poll();
        }
        assert_eq!(self.lane.failure(), None);
    }

    fn run(&mut self, at: u64, operation: Operation) {
        let ticket = self.post(at, operation, true);
        self.wait(ticket);
    }

    fn put_word(&mut self, value: u64) -> u64 {
        let from = (&raw const value).expose_provenance();
        self.post(WORD, Operation::Inline { from, bytes: 8, ordered: false }, true)
    }
}

impl Side for OfNic {
    const BY: &'static str = "cushmem";

    fn put(&mut self, value: u64) {
        let ticket = self.put_word(value);
        self.wait(ticket);
    }

    fn get(&mut self) -> u64 {
        let mut found = 0_u64;
        self.run(WORD, Operation::Get { to: (&raw mut found).expose_provenance(), bytes: 8 });
        // SAFETY: the operation is complete.
        unsafe { (&raw const found).read_volatile() }
    }

    fn fetch_add(&mut self) -> u64 {
        let mut found = 0_u64;
        let to = (&raw mut found).expose_provenance();
        self.run(WORD, Operation::Amo { op: WordOp::Add, width: 8, operand: 1, condition: 0, to });
        // SAFETY: the operation is complete.
        unsafe { (&raw const found).read_volatile() }
    }

    fn put_long(&mut self) {
        self.run(DATA, Operation::Put { from: self.long.as_ptr().expose_provenance(), bytes: LONG, ordered: false });
    }

    fn get_long(&mut self) {
        let to = self.long.as_mut_ptr().expose_provenance();
        self.run(DATA, Operation::Get { to, bytes: LONG });
    }

    fn put_many(&mut self, puts: usize) {
        for put in 0..puts {
            let ticket = self.put_word(put as u64);
            self.wait(ticket.saturating_sub(UNDER_WAY as u64 - 1));
        }
        self.wait(self.lane.posted());
    }

    fn flag(&mut self, at: u64, value: u64) {
        let from = (&raw const value).expose_provenance();
        self.post(at, Operation::Inline { from, bytes: 8, ordered: true }, false);
    }

    fn poll(&mut self) {
        // Without a yield, as with libfabric alone: each process has a core.
        self.lane.poll();
    }
}
