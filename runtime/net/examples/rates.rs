//! Measures the engine alone: `cargo run --release --example rates -- [verbs|tcp|efa] …`. Needs one core for the engine
//! and one for the poster.

use cushmem_net::{Lane, Loopback, MOST_UNDER_WAY, Memory, Nic, Operation, Posted, Profile, Provider, Work};
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LONG: usize = 1 << 20;

/// Spins for a while, then yields the core to the engine, which may have no other.
fn look_again(looks: &mut u32) {
    *looks = looks.wrapping_add(1);
    if looks.is_multiple_of(1000) { std::thread::yield_now() } else { std::hint::spin_loop() }
}

fn post(lane: &Lane, operation: Operation) -> u64 {
    let mut looks = 0;
    loop {
        // SAFETY: the sources of this program outlive its lanes.
        match unsafe { lane.post(Work { peer: 1, region: 0, at: 0, operation, delivery_complete: false }) } {
            Posted::Ticket(ticket) => return ticket,
            Posted::Again => look_again(&mut looks),
        }
    }
}

/// Posts `operations` operations, with at most `under_way` of them incomplete at any time; returns seconds per
/// operation.
fn time(lane: &Lane, operation: Operation, operations: u64, under_way: u64) -> f64 {
    let (start, mut looks) = (Instant::now(), 0_u32);
    for _ in 0..operations {
        let ticket = post(lane, operation);
        while lane.done() + under_way <= ticket {
            look_again(&mut looks);
        }
    }
    while lane.done() < lane.posted() {
        look_again(&mut looks);
    }
    start.elapsed().as_secs_f64() / operations as f64
}

fn main() {
    let asked: Vec<Profile> =
        std::env::args().skip(1).map(|name| name.parse().unwrap_or_else(|e| panic!("{e}"))).collect();
    let profiles = if asked.is_empty() { &Profile::ALL[..] } else { &asked };
    let source = vec![1_u8; LONG];
    let put = Operation::Put { from: source.as_ptr().expose_provenance(), bytes: LONG, ordered: false };
    let word = Operation::Inline { from: source.as_ptr().expose_provenance(), bytes: 8, ordered: false };
    for &profile in profiles {
        let file = memfd_create(c"rates", MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
        nix::unistd::ftruncate(&file, LONG as i64).expect("size it");
        let settings = profile.to_string().parse().expect("a profile");
        let provider = Provider::Loopback(Loopback::new(settings, 0));
        let nic = Nic::over(provider, Duration::from_millis(1)).expect("start a NIC");
        let memory = Memory { file: Arc::new(file), offset: 0, bytes: LONG as u64 };
        nic.learn(1, 0, 0, &memory.card()).expect("a card");
        let lane = nic.lane();
        time(&lane, put, 100, 1);
        let rate = 1e-6 / time(&lane, word, 1_000_000, MOST_UNDER_WAY);
        let latency = 1e6 * time(&lane, word, 100_000, 1);
        let bandwidth = 1e-9 * LONG as f64 / time(&lane, put, 2_000, 4);
        println!("{profile:5}  8 bytes: {rate:.2} M/s, {latency:.2} us blocking;  1 MiB: {bandwidth:.2} GB/s");
    }
}
