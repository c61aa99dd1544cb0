//! A file that processes map, and register with their GPUs piece by piece.

use crate::rig::{arg, place, word};
use cushmem_abi::{ABI_VERSION, HostKernel, ModuleImage};
use cushmem_gpu::{Gpu, Grid, LaunchKind, Stream};
use cushmem_numbers::mixed;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::ffi::c_void;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many pieces a file has. The first one is never registered; the next two are registered from the start.
const PIECES: u64 = 4;

pub struct Shared {
    pub gpu: Arc<dyn Gpu>,
    pub stream: Arc<dyn Stream>,
    pub file: File,
    pub base: u64,
    /// Bytes of a piece.
    pub piece: u64,
}

impl Shared {
    /// Creates a new file.
    pub fn create(gpu: &Arc<dyn Gpu>, piece: u64) -> Self {
        let file = memfd_create(c"cushmem-test", MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
        nix::unistd::ftruncate(&file, (PIECES * piece) as i64).expect("give the file a size");
        Self::open(gpu, file)
    }

    /// Maps the file, and registers the two pieces in the middle. Catches memory that is taken for GPU memory, before
    /// or after.
    pub fn open(gpu: &Arc<dyn Gpu>, file: OwnedFd) -> Self {
        let file = File::from(file);
        let bytes = file.metadata().expect("a file has a size").len();
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let raw = file.as_raw_fd();
        // SAFETY: this creates a new mapping where the operating system finds room.
        let base = unsafe { libc::mmap(ptr::null_mut(), bytes as usize, protection, libc::MAP_SHARED, raw, 0) };
        assert_ne!(base, libc::MAP_FAILED);
        let stream = gpu.create_stream().expect("create a stream");
        let shared = Self { gpu: gpu.clone(), stream, file, base: base as u64, piece: bytes / PIECES };
        shared.is_no_device_memory();
        for number in [1, 2] {
            shared.register(number);
        }
        shared.is_no_device_memory();
        shared
    }

    fn is_no_device_memory(&self) {
        for address in (0..PIECES).flat_map(|number| [self.at(number), self.at(number + 1) - 8]) {
            assert!(!self.gpu.is_device_address(address), "{:#x} in {:#x}", address - self.base, self.piece);
        }
    }

    pub fn register(&self, number: u64) {
        self.gpu.register_host(self.at(number), self.piece).expect("register a piece");
    }

    pub fn unregister(&self, number: u64) {
        self.gpu.unregister_host(self.at(number)).expect("unregister a piece");
    }

    /// Returns the address of a piece.
    pub fn at(&self, number: u64) -> u64 {
        self.base + number * self.piece
    }

    /// Returns the CPU's view of the word at this address.
    pub fn word(&self, address: u64) -> &AtomicU64 {
        assert!(address.is_multiple_of(8) && (self.base..self.at(PIECES)).contains(&address));
        // SAFETY: the word is aligned and in mapped memory, and everybody uses it only as an atomic while the CPU uses
        // it.
        unsafe { AtomicU64::from_ptr(address as *mut u64) }
    }

    /// Writes, on the CPU, what [`Self::expect`] checks.
    pub fn fill(&self, at: u64, bytes: u64, seed: u64) {
        (0..bytes).step_by(8).for_each(|offset| self.word(at + offset).store(pattern(seed, offset), Relaxed));
    }

    pub fn expect(&self, at: u64, bytes: u64, seed: u64, what: &str) {
        self.expect_more(at, bytes, seed, 0, what);
    }

    /// Expects what [`Self::fill`] wrote, with `added` added to each word.
    pub fn expect_more(&self, at: u64, bytes: u64, seed: u64, added: u64, what: &str) {
        for offset in (0..bytes).step_by(8) {
            let (found, wanted) = (self.word(at + offset).load(Relaxed), pattern(seed, offset).wrapping_add(added));
            let from = at - self.base;
            assert!(found == wanted, "{what}: {found:#x} instead of {wanted:#x} at {offset} of {bytes} from {from:#x}");
        }
    }

    pub fn copy(&self, dst: u64, src: u64, bytes: u64) {
        // SAFETY: the callers name memory of the file, of the device or of their own, and keep it until this returns.
        unsafe { self.stream.copy(dst, src, bytes) }.unwrap_or_else(|e| panic!("{e}"));
        self.stream.synchronize().unwrap_or_else(|e| panic!("{e}"));
    }

    /// Each lane of one block adds `value` to a word.
    pub fn kernel_adds(&self, at: u64, value: u64, lanes: u32) {
        let function = self.gpu.load_module(&IMAGE, None).and_then(|m| m.function("add")).expect("load the kernel");
        let args: [*const c_void; 2] = [(&raw const at).cast(), (&raw const value).cast()];
        // SAFETY: the kernel takes two words; the caller names registered words, which outlive the synchronisation.
        unsafe { self.stream.launch(&*function, &Grid::linear(1, lanes), LaunchKind::Plain, &args) }.expect("launch");
        self.stream.synchronize().expect("the kernel ends");
    }
}

pub fn pattern(seed: u64, at: u64) -> u64 {
    mixed(seed << 48 ^ at)
}

unsafe fn add(args: *const *const c_void) {
    // SAFETY: the launch passes two words.
    let (at, value) = unsafe { (arg(args, 0), arg(args, 1)) };
    let word = word(at, place().0);
    word.store(word.load(Relaxed).wrapping_add(value), Relaxed);
}

const _: () = assert!(ABI_VERSION == 18, "the number in the PTX below");

static IMAGE: ModuleImage = ModuleImage {
    name: "registered_test",
    ptx: r"
.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .u32 cushmem_abi_version = 18;
.visible .const .align 8 .u64 cushmem_source = 7;
.visible .entry add(.param .u64 at, .param .u64 value) {
    .reg .u32 %r<2>;
    .reg .u64 %d<6>;
    ld.param.u64 %d1, [at];
    ld.param.u64 %d2, [value];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d3, %r1, 8;
    add.u64 %d4, %d1, %d3;
    ld.relaxed.sys.u64 %d5, [%d4];
    add.u64 %d5, %d5, %d2;
    st.relaxed.sys.u64 [%d4], %d5;
    ret;
}
",
    sm_90_ptx: "",
    far_ptx: "",
    recorded_ptx: "",
    source: 7,
    kernels: &[HostKernel { name: "add", entry: add, parameter_bytes: &[8, 8] }],
};
