//! Tells what host memory of a GPU is worth on this machine: whether it does what the tests ask for, which system calls take it,
//! and what it costs beside registered memory. Prints JSON lines; the exit status is 1 if a test failed.
//!
//! `host_memory` measures CUDA, `host_memory soft` the emulation. Beside it nothing is needed but the driver.

#[path = "../../tests/host/mod.rs"]
mod host;
#[path = "../../tests/rig/mod.rs"]
mod rig;

mod costs;
mod probes;

use cushmem_gpu::Gpu;
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use host::{Heap, Sizes, sharing};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

/// What a process that this program starts does.
const ROLE: &str = "CUSHMEM_TEST_ROLE";

fn main() -> ExitCode {
    let soft = std::env::args().nth(1).is_some_and(|a| a == "soft");
    let gpus = if soft { Ok(2) } else { cuda::device_count() };
    let gpus = match gpus {
        Ok(gpus) => gpus,
        Err(why) => {
            println!("left out: host memory of GPUs: {why}");
            return ExitCode::SUCCESS;
        }
    };
    if let Ok(role) = std::env::var(ROLE) {
        other_process(&role, &open(soft, (gpus - 1).min(1)));
        return ExitCode::SUCCESS;
    }
    let gpu = open(soft, 0);
    describe(&gpu, gpus);
    if let Err(why) = gpu.host_granularity() {
        println!("left out: host memory of GPUs: {why}");
        return ExitCode::SUCCESS;
    }
    let passed = tests(&gpu, soft);
    for (name, run) in [
        ("probes", Box::new(|| probes::run(&gpu, again("probes"))) as Box<dyn Fn()>),
        ("costs", Box::new(|| costs::run(&gpu, again("costs")))),
    ] {
        if catch_unwind(AssertUnwindSafe(run)).is_err() {
            println!(r#"{{"metric":"incomplete","part":"{name}"}}"#);
        }
    }
    ExitCode::from(u8::from(!passed))
}

fn open(soft: bool, ordinal: u32) -> Arc<dyn Gpu> {
    match soft {
        true => SoftGpu::open(ordinal).expect("the emulated GPU opens"),
        false => CudaGpu::open(ordinal).expect("the GPU opens"),
    }
}

/// This program again, on another GPU if there is one.
fn again(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a program has a path"));
    command.args(std::env::args().skip(1)).env(ROLE, role);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

fn other_process(role: &str, gpu: &Arc<dyn Gpu>) {
    match role {
        "sharing" => sharing::other_process(&sharing::parents_heap(gpu)),
        "probes" => probes::other_process(gpu),
        "costs" => costs::other_process(gpu),
        _ => panic!("no process is called {role}"),
    }
}

fn describe(gpu: &Arc<dyn Gpu>, gpus: u32) {
    let driver = cuda::driver_version().map_or_else(|_| "none".to_owned(), |(major, minor)| format!("{major}.{minor}"));
    let properties = gpu.properties();
    let (granularity, why) = match gpu.host_granularity() {
        Ok(bytes) => (bytes, String::new()),
        Err(why) => (0, why),
    };
    println!(
        r#"{{"metric":"machine","gpu":"{}","gpus":{gpus},"driver_cuda":"{driver}","granularity":{},"host_granularity":{granularity},"why_not":{why:?}}}"#,
        properties.name, properties.granularity,
    );
}

/// Runs each test on its own, so that one that fails hides nothing.
fn tests(gpu: &Arc<dyn Gpu>, soft: bool) -> bool {
    let sizes = if soft { Sizes::small(gpu.properties().granularity) } else { Sizes::large() };
    let Ok(heap) = catch_unwind(AssertUnwindSafe(|| Heap::create(gpu, &sizes.chunks))) else {
        println!(r#"{{"metric":"test","test":"a heap of chunks","passed":false}}"#);
        return false;
    };
    let tests: [(&str, &dyn Fn()); 7] = [
        ("processes share it", &|| sharing::processes_share_it(&heap, again("sharing"))),
        ("copies of any range", &|| host::any_range_copies(&heap, &sizes.ranges)),
        ("kernels", &|| host::kernels_reach_it(&heap)),
        ("is_device_address", &|| host::it_is_no_device_memory(&heap)),
        ("unmap and map again", &|| host::chunks_come_and_go(&heap)),
        ("refusals", &|| host::refusals(&heap)),
        ("borders of registered memory", &|| host::registered_pieces_have_borders(&heap)),
    ];
    let mut all = true;
    for (name, test) in tests {
        let passed = catch_unwind(AssertUnwindSafe(test)).is_ok();
        println!(r#"{{"metric":"test","test":"{name}","passed":{passed}}}"#);
        all &= passed;
    }
    all
}
