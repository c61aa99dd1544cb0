//! Prints what the emulated GPU's own work costs, as JSON lines.

use cushmem_abi::lane::{self, Event, WarpOp};
use cushmem_abi::{HostKernel, ModuleImage};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Function, Gpu, Grid, LaunchKind, Result, Stream};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: u32 = 1000;

fn repeat(event: Event) {
    let suspend = lane::current().suspend;
    for _ in 0..ROUNDS {
        suspend(event);
    }
}

unsafe fn empty(_: *const *const c_void) {}

unsafe fn barriers(_: *const *const c_void) {
    repeat(Event::Barrier { id: 0, count: 0 });
}

unsafe fn yields(_: *const *const c_void) {
    repeat(Event::Yield);
}

unsafe fn shuffles(_: *const *const c_void) {
    repeat(Event::Warp { mask: u32::MAX, op: WarpOp::ShuffleDown(1), value: 1 });
}

static IMAGE: ModuleImage = ModuleImage {
    name: "soft_costs",
    ptx: "",
    sm_90_ptx: "",
    far_ptx: "",
    recorded_ptx: "",
    source: 0,
    kernels: &[
        HostKernel { name: "empty", entry: empty, parameter_bytes: &[] },
        HostKernel { name: "barriers", entry: barriers, parameter_bytes: &[] },
        HostKernel { name: "yields", entry: yields, parameter_bytes: &[] },
        HostKernel { name: "shuffles", entry: shuffles, parameter_bytes: &[] },
    ],
};

fn main() -> Result<()> {
    let gpu = SoftGpu::open(0)?;
    let stream = gpu.create_stream()?;
    let module = gpu.load_module(&IMAGE, None)?;
    for (kernel, blocks, threads) in [
        ("barriers", 1, 32),
        ("barriers", 1, 256),
        ("barriers", 1, 1024),
        ("barriers", 8, 1024),
        ("shuffles", 1, 1024),
        ("yields", 1, 1024),
        ("yields", 1, 32),
    ] {
        let ns = time(&stream, &module.function(kernel)?, blocks, threads, 3, true)?;
        let switches = f64::from(ROUNDS) * f64::from(blocks) * f64::from(threads);
        print("lane_switch_ns", kernel, blocks, threads, ns / switches);
    }
    for (blocks, threads) in [(1, 1), (4, 256), (8, 1024)] {
        let function = module.function("empty")?;
        print(
            "launch_and_synchronize_us",
            "empty",
            blocks,
            threads,
            time(&stream, &function, blocks, threads, 200, true)? / 1e3,
        );
        print(
            "launch_pipelined_us",
            "empty",
            blocks,
            threads,
            time(&stream, &function, blocks, threads, 200, false)? / 1e3,
        );
    }
    Ok(())
}

/// Returns the nanoseconds of a launch: the best of several batches.
fn time(
    stream: &Arc<dyn Stream>,
    kernel: &Arc<dyn Function>,
    blocks: u32,
    threads: u32,
    launches: u32,
    wait: bool,
) -> Result<f64> {
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..launches {
            // SAFETY: the kernels have no parameters.
            unsafe { stream.launch(&**kernel, &Grid::linear(blocks, threads), LaunchKind::Plain, &[]) }?;
            if wait {
                stream.synchronize()?;
            }
        }
        stream.synchronize()?;
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(launches));
    }
    Ok(best)
}

fn print(metric: &str, kernel: &str, blocks: u32, threads: u32, value: f64) {
    println!(
        r#"{{"metric":"soft_{metric}","kernel":"{kernel}","blocks":{blocks},"threads":{threads},"value":{value:.2}}}"#
    );
}
