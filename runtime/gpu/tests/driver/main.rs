//! Tests how the library uses the CUDA driver that it finds, with a stand-in: a C library with the driver's name. That
//! the real driver does what it is asked to do is tested by `contexts`, on a machine with a GPU, and by other suites.

mod contexts;
mod header;

use cushmem_abi::{ABI_VERSION, HostKernel, ModuleImage};
use cushmem_gpu::cuda::{self, CudaGpu, driver};
use cushmem_gpu::{Gpu, Module};
use cushmem_scratch::Folder;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use xtask::left_out::record;

/// The role of the process that this test starts.
const ROLE: &str = "CUSHMEM_TEST_ROLE";
/// When that process starts the driver itself: `before` it joins, or `after`.
const STARTS: &str = "STAND_IN_STARTS";

fn compiler() -> String {
    std::env::var("CUSHMEM_CC").unwrap_or_else(|_| "cc".into())
}

/// Creates a folder with the stand-in, without the function `lacking`. Returns `None`, and records that, if there is no
/// C compiler.
fn stand_in(test: &str, lacking: &str) -> Option<Folder> {
    let folder = Folder::new(test).expect("room for a folder");
    let text = include_str!("stand_in.c").replace(&format!("int {lacking}("), "int lacks(");
    let missing = driver::NAMES.iter().filter(|name| !text.contains(&format!("int {name}(")) && **name != lacking);
    let missing: String = missing.map(|name| format!("int {name}(void) {{ return 0; }}\n")).collect();
    let source = folder.join("driver.c");
    fs::write(&source, format!("{text}\n{missing}")).expect("room for a file");
    let mut compile = Command::new(compiler());
    compile.args(["-shared", "-fPIC", "-o"]).arg(folder.join("libcuda.so.1")).arg(&source);
    match compile.status() {
        Ok(status) => assert!(status.success(), "the stand-in compiles"),
        Err(error) => {
            record(&format!("gpu::{test}"), &format!("no C compiler: {error}"));
            return None;
        }
    }
    Some(folder)
}

/// Runs this test in another process with that driver, and returns what it prints.
fn again(test: &str, folder: &Path, variables: &[(&str, &str)]) -> String {
    let own = std::env::current_exe().expect("a test knows its own path");
    let mut command = Command::new(own);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env("LD_LIBRARY_PATH", folder).env(ROLE, "yes");
    command.env_remove("CUDA_MODULE_LOADING");
    let out = command.envs(variables.iter().copied()).output().expect("this program starts");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{said}");
    said
}

fn is_other_process() -> bool {
    std::env::var_os(ROLE).is_some()
}

#[test]
fn every_function_is_found() {
    if is_other_process() {
        println!("{:?}", cuda::device_count());
        return;
    }
    let Some(folder) = stand_in("every_function_is_found", "") else { return };
    let said = again("every_function_is_found", &folder, &[]);
    assert!(said.contains("Ok(1)"), "{said}");
    let said = again("every_function_is_found", &folder, &[("STAND_IN_FAILS", "1")]);
    assert!(said.contains("Err(\"cuInit: CUDA_ERROR_NO_DEVICE: as the test wants\")"), "{said}");
}

/// Starts the driver as a program does that uses it beside the library.
fn start_as_a_program() {
    driver::open().expect("the stand-in is there");
    // SAFETY: the stand-in is open.
    assert_eq!(unsafe { driver::cuInit(0) }, driver::CUresult::CUDA_SUCCESS);
}

/// Catches a question that loads or starts the driver, and an old answer that is kept although it has changed.
#[test]
fn a_driver_is_in_use_once_it_is_started() {
    let test = "a_driver_is_in_use_once_it_is_started";
    if is_other_process() {
        let say = |when: &str| println!("{when}: in use {}", cuda::is_in_use());
        say("first");
        cuda::choose_eager_loading();
        say("chosen");
        driver::open().expect("the stand-in is there");
        say("opened");
        start_as_a_program();
        say("started");
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    let lines =
        ["first: in use false", "chosen: in use false", "is loaded", "opened: in use false", "started: in use true"];
    let places = lines.map(|line| said.find(line));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{said}");
}

/// Catches a library that leaves kernels to be loaded while others spin.
#[test]
fn kernels_are_loaded_eagerly_or_a_line_says_why_not() {
    let test = "kernels_are_loaded_eagerly_or_a_line_says_why_not";
    if is_other_process() {
        let starts = |when: &str| {
            if std::env::var_os(STARTS).is_some_and(|starts| starts == when) {
                start_as_a_program();
            }
        };
        starts("before");
        cuda::choose_eager_loading();
        starts("after");
        cuda::device_count().expect("the stand-in has a device");
        let mut mode = 0;
        // SAFETY: the stand-in is open; the pointer is valid.
        unsafe { driver::cuModuleGetLoadingMode(&mut mode) };
        println!("mode {mode}");
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let loading = "CUDA_MODULE_LOADING";
    for (variables, mode, line) in [
        (&[][..], "mode 1", false),
        (&[(STARTS, "before")], "mode 2", true),
        (&[(STARTS, "after")], "mode 1", false),
        (&[(STARTS, "before"), (loading, "EAGER")], "mode 1", false),
        (&[(loading, "LAZY")], "mode 2", false),
    ] {
        let said = again(test, &folder, variables);
        assert!(said.contains(mode), "{variables:?}: {said}");
        assert_eq!(said.contains("set CUDA_MODULE_LOADING=EAGER, or join first"), line, "{variables:?}: {said}");
    }
}

/// Catches a dma-buf whose range is not whole pages, an offset that is not that of the memory, an order that the GPU
/// does not keep, and memory whose copies may still be under way when a network device reads it.
#[test]
fn memory_for_a_network_device_is_exported_by_pages() {
    let test = "memory_for_a_network_device_is_exported_by_pages";
    if is_other_process() {
        let gpu = CudaGpu::open(0).expect("the stand-in has a device");
        for (address, bytes) in [(0x7000_2000, 0x2000), (0x7000_1234, 100), (0x7000_1fff, 2)] {
            match gpu.for_network(address, bytes) {
                Ok(found) => println!(
                    "{:#x}: {:?}, order {}, flush {}",
                    found.address,
                    found.dma_buf.map(|(_, offset)| offset),
                    found.keeps_order,
                    found.can_flush
                ),
                Err(error) => println!("{error}"),
            }
        }
        println!("{:?}", gpu.flush_remote_writes());
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let range = |start: &str, bytes: &str| format!("range at {start} of {bytes} bytes, kind 1, flags 0\n");
    let synced = |address: &str| format!("attribute 6 at {address}: 1\n");
    let said = again(test, &folder, &[("STAND_IN_118", "200")]);
    assert!(said.contains("flush of target 0 for 200 in context primary\nOk(())\n"), "{said}");
    for lines in [
        synced("0x70002000") + &range("0x70002000", "0x2000") + "0x70002000: Ok(0), order true, flush true\n",
        synced("0x70001234") + &range("0x70001000", "0x1000") + "0x70001234: Ok(564), order true, flush true\n",
        synced("0x70001fff") + &range("0x70001000", "0x2000") + "0x70001fff: Ok(4095), order true, flush true\n",
    ] {
        assert!(said.contains(&lines), "{said}");
    }
    // The owner alone sees an order, or nobody does.
    for (order, options, can) in [("100", "3", true), ("0", "1", true), ("0", "2", false), ("100", "0", false)] {
        let said = again(test, &folder, &[("STAND_IN_118", order), ("STAND_IN_117", options)]);
        assert!(said.contains(&format!("0x70002000: Ok(0), order false, flush {can}\n")), "{said}");
    }
    let said = again(test, &folder, &[("STAND_IN_124", "0")]);
    assert!(said.contains("0x70002000: Err(\"the driver exports no dma-buf\")") && !said.contains("range"), "{said}");
    let said = again(test, &folder, &[("STAND_IN_KEEPS", "1")]);
    assert!(said.contains("0x70002000: Err(\"export 8192 bytes of device memory as a dma-buf: "), "{said}");
    // Drivers refuse the attribute of memory that is mapped chunk by chunk, as heaps are; the stand-in took it for any.
    let said = again(test, &folder, &[("STAND_IN_SYNC", "801")]);
    assert!(said.contains("0x70002000: Ok(0), order false, flush true\n"), "{said}");
    let said = again(test, &folder, &[("STAND_IN_SYNC", "1")]);
    assert!(said.contains(" bytes of device memory at 0x70002000: ") && !said.contains("range"), "{said}");
    let said = again(test, &folder, &[("STAND_IN_124", "0"), ("STAND_IN_116", "0")]);
    assert!(said.contains(" bytes of device memory at 0x70002000: the GPU has no GPUDirect RDMA\n"), "{said}");
}

/// Catches a context that stays current in a thread of the program, forbids captures elsewhere, or is not destroyed.
#[test]
fn an_own_context_is_current_inside_calls_only() {
    let test = "an_own_context_is_current_inside_calls_only";
    if is_other_process() {
        let current = || {
            let (mut context, mut mode) = (std::ptr::null_mut(), 0);
            // SAFETY: the stand-in is open; the pointers are valid. The mode is set to the value that it had.
            unsafe {
                driver::cuCtxGetCurrent(&mut context);
                driver::cuThreadExchangeStreamCaptureMode(&mut mode);
            }
            (context, mode)
        };
        let gpu = CudaGpu::open(0).expect("the stand-in has a device");
        let primary = current();
        assert_eq!(primary.0.addr(), gpu.raw_context());
        let other = gpu.in_own_context().expect("another context");
        assert_ne!(other.raw_context(), gpu.raw_context());
        let in_this_thread = other.create_stream().expect("a stream");
        assert_eq!(current(), primary);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                drop(other.create_stream().expect("a stream"));
                assert_eq!(current(), (std::ptr::null_mut(), 0));
            });
        });
        drop(gpu.create_stream().expect("a stream"));
        assert_eq!(current(), primary);
        // A context that the program created for itself.
        let mut theirs = std::ptr::null_mut();
        // SAFETY: the stand-in is open; the pointer is valid.
        unsafe { driver::cuCtxCreate_v2(&mut theirs, 0, 0) };
        drop(other.create_stream().expect("a stream"));
        let another = gpu.in_own_context().expect("another context");
        assert_eq!(current(), (theirs, 0));
        drop((another, other));
        println!("the stream goes");
        drop(in_this_thread);
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    let (own, gone) = ("a stream in context own, mode 2\n", "destroyed a context, current: 0\n");
    let lines = format!("{own}{own}a stream in context primary, mode 2\n{own}{gone}the stream goes\n{gone}");
    assert!(said.contains(&lines), "{said}");
}

/// Catches a library that leaves the context that the program chose, makes the primary one beside it, lets it stay
/// current where it was not, or destroys it.
#[test]
fn the_context_that_the_program_chose_is_used() {
    let test = "the_context_that_the_program_chose_is_used";
    if is_other_process() {
        start_as_a_program();
        assert!(cuda::current().is_none());
        let (mut theirs, mut primary) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the stand-in is open; the pointer is valid.
        unsafe { driver::cuCtxCreate_v2(&mut theirs, 0, 0) };
        let chosen = || cuda::current().expect("a context is current");
        let is_theirs = |gpu: &CudaGpu| gpu.raw_context() == theirs.addr();
        let gpu = CudaGpu::open_chosen(chosen()).expect("the stand-in has a device");
        assert!(is_theirs(&gpu));
        drop(gpu.create_stream().expect("a stream"));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                drop(gpu.create_stream().expect("a stream"));
                assert!(cuda::current().is_none());
            });
        });
        drop(gpu);
        // The program has both, and chooses one or the other.
        // SAFETY: the stand-in is open; the pointer is valid.
        unsafe { driver::cuDevicePrimaryCtxRetain(&mut primary, 0) };
        assert!(is_theirs(&CudaGpu::open_chosen(chosen()).expect("the stand-in has a device")));
        // SAFETY: the context exists.
        unsafe { driver::cuCtxSetCurrent(primary) };
        let gpu = CudaGpu::open_chosen(chosen()).expect("the stand-in has a device");
        assert_eq!(gpu.raw_context(), primary.addr());
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    let stream = "a stream in context own, mode 2\n";
    assert!(said.contains(&format!("{stream}{stream}made the primary context\n")), "{said}");
    assert!(!said.contains("destroyed"), "{said}");
}

/// Catches a GPU that has failed and is taken for one that does not take this word, which would then be copied, and one
/// that lacks the operation, or takes the word in another context, and is taken for one that has failed.
#[test]
fn a_word_that_is_refused_differs_from_a_failure() {
    let test = "a_word_that_is_refused_differs_from_a_failure";
    if is_other_process() {
        let gpu = CudaGpu::open(0).expect("the stand-in has a device");
        let stream = gpu.create_stream().expect("a stream");
        // SAFETY: the stand-in touches no memory.
        let write = |address| unsafe { stream.set_word(address, 1, 4) };
        println!("refused: {:?}", [4, 8, 12, 16, 20].map(|address| write(address).map_err(|error| error.is_refusal())));
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    assert!(said.contains("refused: [Err(true), Err(false), Ok(()), Err(true), Err(true)]"), "{said}");
}

#[test]
fn an_old_driver_is_named() {
    if is_other_process() {
        println!("{:?}", cuda::device_count());
        return;
    }
    let Some(folder) = stand_in("an_old_driver_is_named", "cuMemRetainAllocationHandle") else { return };
    let said = again("an_old_driver_is_named", &folder, &[]);
    let why = "libcuda.so.1 lacks cuMemRetainAllocationHandle: it is older than CUDA 11.8";
    assert!(said.contains(&format!("Err(\"{why}\")")), "{said}");
}

/// What the stand-in takes for PTX made from sources with this number.
fn ptx(source: u64) -> String {
    format!("module {ABI_VERSION} {source:x} the PTX")
}

/// What the stand-in takes for a cubin with this text: a header that refers to nothing, and the text.
fn cubin(text: &str) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[..5].copy_from_slice(b"\x7fELF\x02");
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    bytes
}

/// Loads kernels as the macro `kernels!` makes them from sources with number 7.
fn load(ptx: String) -> cushmem_gpu::Result<Arc<dyn Module>> {
    let image = ModuleImage {
        name: "some-kernels",
        ptx: Box::leak(ptx.into_boxed_str()),
        sm_90_ptx: "",
        far_ptx: "",
        recorded_ptx: "",
        source: 7,
        kernels: &[HostKernel { name: "axpy", entry: |_| {}, parameter_bytes: &[] }],
    };
    CudaGpu::open(0)?.load_module(Box::leak(Box::new(image)), None)
}

/// Catches a driver's error that says nothing about a kernel which was left out of the committed PTX.
#[test]
fn kernels_that_are_not_committed_are_named() {
    let test = "kernels_that_are_not_committed_are_named";
    if is_other_process() {
        // The PTX of the stand-in has only `saxpy`.
        let module = load(ptx(7)).expect("the stand-in takes it");
        for name in ["saxpy", "axpy", "other"] {
            println!("{name}: {:?}", module.function(name).map(drop).map_err(|e| e.to_string()));
            println!("lacks {name}: {}", module.lacks(name));
        }
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    let some = "find kernel axpy in some-kernels: the program was built with the PTX of only some of these kernels: run \
                `cargo shmem-ptx -p some-kernels`";
    assert!(said.contains("saxpy: Ok(())") && said.contains(&format!("\naxpy: Err(\"{some}")), "{said}");
    assert!(said.contains("find kernel other in some-kernels: CUDA_ERROR_NOT_FOUND"), "{said}");
    // A program that loads the module and launches only `saxpy` must not fail for want of `axpy`.
    let lacks = ["lacks saxpy: false", "lacks axpy: true", "lacks other: false"];
    assert!(lacks.iter().all(|line| said.contains(line)), "{said}");
}

/// Catches a program and a GPU that run different kernels.
#[test]
fn only_ptx_of_the_same_sources_is_loaded() {
    let test = "only_ptx_of_the_same_sources_is_loaded";
    if is_other_process() {
        for (what, ptx) in [("none", String::new()), ("right", ptx(7)), ("old", ptx(6))] {
            println!("{what}: {:?}", load(ptx).map(drop).map_err(|e| e.to_string()));
        }
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    let ends = |what: &str, how: &str| said.lines().any(|l| l.contains(&format!("{what}: ")) && l.contains(how));
    let build =
        "run `cargo shmem-ptx -p some-kernels`, with `-F` for features that the program turns on, and build again";
    assert!(ends("right", "Ok(())"), "{said}");
    assert!(ends("none", &format!("the program was built without their PTX, or with an old one: {build}")), "{said}");
    assert!(ends("old", &format!("their PTX was not made from the program's sources: {build}")), "{said}");
}

/// PTX and cubins that were not made by a crate with `kernels!`.
#[test]
fn kernels_of_any_origin_are_loaded() {
    let test = "kernels_of_any_origin_are_loaded";
    if is_other_process() {
        let gpu = CudaGpu::open(0).expect("the stand-in has a device");
        for (what, bytes) in [
            ("theirs", &b"foreign PTX"[..]),
            ("nothing", b" \n"),
            ("zero", b"foreign\0"),
            ("cubin", &cubin("foreign")),
            ("cut", b"\x7fELF\0"),
        ] {
            let module = gpu.load_other("saxpy.ptx", bytes, None);
            let function = module.and_then(|module| module.function("saxpy").and(module.function("axpy")));
            println!("{what}: {:?}", function.map(drop).map_err(|e| e.to_string()));
        }
        return;
    }
    let Some(folder) = stand_in(test, "") else { return };
    let said = again(test, &folder, &[]);
    for (what, how) in [
        ("theirs", "find kernel axpy in saxpy.ptx: CUDA_ERROR_NOT_FOUND"),
        ("cubin", "find kernel axpy in saxpy.ptx: CUDA_ERROR_NOT_FOUND"),
        ("cut", "load kernels saxpy.ptx: it is truncated or damaged"),
        ("nothing", "load kernels saxpy.ptx: the PTX or cubin is empty"),
        ("zero", "load kernels saxpy.ptx: the PTX contains a NUL byte"),
    ] {
        assert!(said.lines().any(|l| l.contains(&format!("{what}: ")) && l.contains(how)), "{how} in {said}");
    }
    assert!(said.contains("loaded foreign PTX\n"), "{said}");
}

/// Catches a module of somebody else that is taken for one that knows the job, and an old driver of which a function is
/// called that it lacks.
#[test]
fn modules_and_libraries_of_the_program_are_told_or_refused() {
    let test = "modules_and_libraries_of_the_program_are_told_or_refused";
    if is_other_process() {
        let gpu = CudaGpu::open(0).expect("the stand-in has a device");
        // SAFETY: the stand-in does not use the handles, and zero is a value of each member of a context.
        unsafe {
            println!("library: {:?}", gpu.module_of_library(5).map_err(|e| e.to_string()));
            let context = std::mem::zeroed();
            println!("module: {:?}", gpu.adopt_module(5, &context).map_err(|e| e.to_string()));
        }
        return;
    }
    for (lacking, library) in [("", "library: Ok(5)"), ("cuLibraryGetModule", "older than CUDA 12")] {
        let Some(folder) = stand_in(test, lacking) else { return };
        let said = again(test, &folder, &[]);
        assert!(said.contains(library) && said.contains("find cushmem_abi_version"), "{said}");
        assert!(said.contains("nvcc needs -DSHMEMX_MODULE"), "{said}");
    }
}

/// The matching cubin is used, from the program's folder or the one that the variable names, unless others could have
/// put it there or it is damaged.
#[test]
fn cubins_are_taken_or_left() {
    if is_other_process() {
        load(ptx(7)).expect("the PTX at least is loaded");
        return;
    }
    let Some(folder) = stand_in("cubins_are_taken_or_left", "") else { return };
    let cubins = folder.join("cubins");
    fs::create_dir_all(&cubins).expect("room for a folder");
    let run = || again("cubins_are_taken_or_left", &folder, &[("CUSHMEM_CUBIN_DIR", &cubins.to_string_lossy())]);
    let (text, ptx) = (ptx(7), format!("loaded {}\n", ptx(7)));
    let said = run();
    assert!(said.contains(&ptx) && !said.contains("cushmem:"), "{said}");

    // The file's name contains the hash of the text above.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let file = cubins.join(format!("some-kernels-{hash:016x}.sm_90.cubin"));
    fs::write(&file, cubin(&text.replace("PTX", "cubin"))).expect("room for a file");
    set(&cubins, 0o755);
    set(&file, 0o644);
    let said = run();
    assert!(said.contains(&ptx.replace("PTX", "cubin")) && !said.contains(&ptx), "{said}");

    set(&cubins, 0o777);
    let said = run();
    let line = format!("cushmem: {}: others can write to its folder (mode 777); not loaded\n", file.display());
    assert!(said.contains(&line) && said.contains(&ptx), "{said}");
    set(&cubins, 0o755);

    for (bytes, why) in [
        (cubin("broken"), "CUDA_ERROR_INVALID_IMAGE: as the test wants"),
        (b"\x7fELF\x02".to_vec(), "it is truncated or damaged"),
        (vec![], "it is neither a cubin nor a fatbin"),
    ] {
        fs::write(&file, bytes).expect("room for a file");
        let said = run();
        assert!(said.contains(&format!("{why}; not loaded\n")) && said.contains(&ptx), "{said}");
    }
}

fn set(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the file is ours");
}
