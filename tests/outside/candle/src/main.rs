//! Each PE makes a tensor on its GPU with candle and puts it into the memory of the next PE's GPU, without a copy in
//! between.

use candle_core::{Device, Storage, Tensor};
use cushmem::{Cmp, Reduction, Shmem, SignalOp};
use std::error::Error;
use std::process::ExitCode;

const N: usize = 1000;

fn main() -> ExitCode {
    cushmem::run(exchange)
}

fn exchange(shmem: &Shmem) -> Result<(), Box<dyn Error>> {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let gpu = shmem.gpu().filter(|gpu| !gpu.emulated).ok_or("this example needs an NVIDIA GPU")?;
    // The same device, and so the same context.
    let device = Device::new_cuda(gpu.ordinal as usize)?;
    let inbox = shmem.malloc_gpu::<f32>(N)?;
    let tensor = Tensor::full(me as f32, N, &device)?;

    let (storage, _layout) = tensor.storage_and_layout();
    let Storage::Cuda(storage) = &*storage else { return Err("the tensor is not on the GPU".into()) };
    // SAFETY: the tensor lives on this PE's GPU until after the put, and nobody changes it.
    let source = unsafe { cushmem_cudarc::slice(shmem, storage.as_cuda_slice::<f32>()?)? };
    shmem.put(inbox, source, (me + 1) % n)?;
    shmem.barrier_all()?;
    println!("PE {me} of {n}: {} from the previous PE", inbox.to_vec()?[0]);

    // A stream of cushmem for cudarc, and a stream of cudarc for cushmem.
    let stream = shmem.stream()?;
    let context = cushmem_cudarc::context(shmem)?.ok_or("this example needs an NVIDIA GPU")?;
    // SAFETY: context and stream belong to this PE's GPU, and the stream outlives its second name.
    let theirs = unsafe { cushmem_cudarc::stream(&context, &stream) };
    theirs.synchronize()?;
    let made_there = context.new_stream()?;
    // SAFETY: the stream belongs to this PE's context and outlives its second name.
    let ours = unsafe { cushmem_cudarc::adopt(shmem, &made_there)? };
    // cushmem's operations on it, after what cudarc enqueued: the sum of all tensors, and a signal to the next PE.
    let (sum, arrived) = (shmem.malloc_gpu::<f32>(N)?, shmem.malloc_gpu::<u64>(1)?);
    // SAFETY: the tensor lives on this PE's GPU until the stream has been synchronised, and nobody changes it.
    let source = unsafe { cushmem_cudarc::slice(shmem, storage.as_cuda_slice::<f32>()?)? };
    ours.put(inbox, source, me)?;
    ours.reduce(shmem.team_world(), Reduction::Sum, sum, inbox)?;
    ours.signal_op(arrived.at(0), 1, SignalOp::Set, (me + 1) % n)?;
    ours.signal_wait_until(arrived.at(0), Cmp::Eq, 1)?;
    ours.barrier_all()?;
    made_there.synchronize()?;
    let expected = (n * (n - 1) / 2) as f32;
    if sum.to_vec()? != [expected; N] {
        return Err(format!("PE {me} has another sum than {expected}").into());
    }
    Ok(())
}
