//! Each PE writes four numbers into its neighbour's memory, and all of them count themselves on PE 0.

use cushmem::{Cmp, Result, Shmem, SignalOp};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Joins the job that shmemrun started. An error that `ring` returns is printed and ends the job on all PEs.
    cushmem::run(ring)
}

fn ring(shmem: &Shmem) -> Result<()> {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (next, previous) = ((me + 1) % n, (me + n - 1) % n);

    // Symmetric memory: all PEs allocate the same, together, and each can reach everybody's. It starts out zero.
    let inbox = shmem.malloc::<u32>(4)?;
    let arrived = shmem.malloc::<u64>(1)?;
    let count = shmem.malloc::<u64>(1)?;

    // The neighbour takes no part in the put. When it sees the signal, it sees the numbers too.
    let numbers = [10 * me, 10 * me + 1, 10 * me + 2, 10 * me + 3];
    shmem.put_signal(inbox, &numbers, arrived.at(0), 1, SignalOp::Set, next)?;
    shmem.signal_wait_until(arrived.at(0), Cmp::Eq, 1)?;
    println!("PE {me} of {n}: PE {previous} sent {:?}", inbox.to_vec()?);

    // An atomic addition to PE 0's counter. After the barrier all of them have taken place.
    shmem.fetch_add(count.at(0), 1, 0)?;
    shmem.barrier_all()?;
    if me == 0 {
        println!("PE 0 counted {} PEs", shmem.g(count.at(0), 0)?);
    }
    Ok(())
}
