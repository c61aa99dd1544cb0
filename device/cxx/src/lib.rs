//! The functions of which `cargo xtask cxx` makes the header for kernels in CUDA C++. It takes the bodies from the PTX
//! and puts each into an inline function, so that no operation is written a second time in C++.
//!
//! A function that returns a `bool` does nothing if it returns false: this GPU has no way to do it alone. The header
//! then calls one of the functions that end the kernel or ask the CPU.
//!
//! A function `wide_…` takes the place of the one without these letters in units that define `SHMEMX_WIDE`.
#![cfg_attr(target_arch = "nvptx64", no_std)]

use cushmem_abi::SignalOp;
use cushmem_device::{Atomic, AtomicNumber, Block, Cmp, DevPtr, Scope, Thread, Warp, Wide, Word, cxx};

/// A word, and whether it is the one that was asked for.
#[repr(C)]
#[derive(Debug)]
pub struct Looked {
    /// The word, with zeros above.
    pub word: u64,
    /// 1 if it is.
    pub found: u64,
}

macro_rules! exports { ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $t:ty),* $(,)?) $(-> $r:ty)? $body:block)*) => {$(
    $(#[$doc])*
    ///
    /// # Safety
    /// What the device API requires of the operation.
    #[cfg_attr(target_arch = "nvptx64", unsafe(no_mangle))]
    pub unsafe extern "C" fn $name($($argument: $t),*) $(-> $r)? {
        // SAFETY: the caller guarantees what the operation requires.
        #[allow(unused_unsafe)]
        unsafe { $body }
    }
)*} }

pub mod arrays;
pub mod cached_arrays;
pub mod collectives;
pub mod contexts;
pub mod extensions;
pub mod far;
pub mod recorded;
pub mod tasks;

/// The comparison with this number. OpenSHMEM defines no other numbers; they count as the last one.
#[inline(always)]
fn cmp_of(number: u32) -> Cmp {
    match number {
        0 => Cmp::Eq,
        1 => Cmp::Ne,
        2 => Cmp::Gt,
        3 => Cmp::Le,
        4 => Cmp::Lt,
        _ => Cmp::Ge,
    }
}

#[inline(always)]
fn at<T>(address: u64) -> DevPtr<T> {
    DevPtr::from_address(address)
}

exports! {
    /// The address of an object on another PE for loads and stores, or 0.
    fn reach(object: u64, pe: u32) -> u64 {
        cxx::reach(object, pe)
    }
    /// The address of an object on another PE for atomics, or 0.
    fn reach_atomics(object: u64, pe: u32) -> u64 {
        cxx::reach_atomics(object, pe)
    }
}

macro_rules! words { ($($t:ty as $r:ty: $load:ident $store:ident $acquire:ident;)*) => { exports! {$(
    /// Loads a word that a peer may write.
    fn $load(from: u64) -> $r { <$t>::load_relaxed_sys(at(from)) as $r }
    /// Stores a word that a peer may read.
    fn $store(to: u64, value: $r) { <$t>::store_relaxed_sys(at(to), value as $t) }
    /// Loads a word for which others wait.
    fn $acquire(from: u64) -> $r { <$t>::load_acquire_sys(at(from)) as $r }
)*} } }
words! {
    u8 as u32: load_8 store_8 acquire_8;
    u16 as u32: load_16 store_16 acquire_16;
    u32 as u32: load_32 store_32 acquire_32;
    u64 as u64: load_64 store_64 acquire_64;
}

macro_rules! waits { ($($t:ty: $look:ident $wait:ident;)*) => { exports! {$(
    /// Waits for a word for a short time.
    fn $look(ivar: u64, cmp: u32, value: $t) -> Looked {
        let (word, found) = cxx::look(at::<$t>(ivar), cmp_of(cmp), value);
        Looked { word: word.to_command(), found: found.into() }
    }
    /// Waits for a word.
    fn $wait(ivar: u64, cmp: u32, value: $t) -> u64 {
        cxx::wait_long(at::<$t>(ivar), cmp_of(cmp), value).to_command()
    }
)*} } }
waits! {
    u16: look_u16 wait_u16;
    i16: look_i16 wait_i16;
    u32: look_u32 wait_u32;
    i32: look_i32 wait_i32;
    u64: look_u64 wait_u64;
    i64: look_i64 wait_i64;
}

macro_rules! atomics { ($($t:ty: $swap:ident $compare_swap:ident $fetch_add:ident $fetch_and:ident $fetch_or:ident $fetch_xor:ident $add:ident $and:ident $or:ident $xor:ident;)*) => { exports! {$(
    /// Stores a value and returns the old one.
    fn $swap(to: u64, value: $t) -> $t { <$t>::swap_relaxed_sys(at(to), value) }
    /// Stores a value if the word equals another one, and returns the old one.
    fn $compare_swap(to: u64, condition: $t, value: $t) -> $t { <$t>::compare_swap_relaxed_sys(at(to), condition, value) }
    /// Adds, and returns the old value.
    fn $fetch_add(to: u64, value: $t) -> $t { <$t>::fetch_add_relaxed_sys(at(to), value) }
    /// Applies AND, and returns the old value.
    fn $fetch_and(to: u64, value: $t) -> $t { <$t>::fetch_and_relaxed_sys(at(to), value) }
    /// Applies OR, and returns the old value.
    fn $fetch_or(to: u64, value: $t) -> $t { <$t>::fetch_or_relaxed_sys(at(to), value) }
    /// Applies XOR, and returns the old value.
    fn $fetch_xor(to: u64, value: $t) -> $t { <$t>::fetch_xor_relaxed_sys(at(to), value) }
    /// Adds.
    fn $add(to: u64, value: $t) { <$t>::add_relaxed_sys(at(to), value) }
    /// Applies AND.
    fn $and(to: u64, value: $t) { <$t>::and_relaxed_sys(at(to), value) }
    /// Applies OR.
    fn $or(to: u64, value: $t) { <$t>::or_relaxed_sys(at(to), value) }
    /// Applies XOR.
    fn $xor(to: u64, value: $t) { <$t>::xor_relaxed_sys(at(to), value) }
)*} } }
atomics! {
    u32: swap_32 compare_swap_32 fetch_add_32 fetch_and_32 fetch_or_32 fetch_xor_32 add_32 and_32 or_32 xor_32;
    u64: swap_64 compare_swap_64 fetch_add_64 fetch_and_64 fetch_or_64 fetch_xor_64 add_64 and_64 or_64 xor_64;
}

exports! {
    /// Orders the stores of this lane.
    fn fence() { Thread.fence() }
    /// Completes the stores of this lane.
    fn quiet() { Thread.quiet() }
    /// Sets a signal behind what was stored.
    fn signal_set(sig: u64, value: u64, pe: u32) -> bool { cxx::signal_behind(sig, value, SignalOp::Set, pe) }
    /// Adds to a signal behind what was stored.
    fn signal_add(sig: u64, value: u64, pe: u32) -> bool { cxx::signal_behind(sig, value, SignalOp::Add, pe) }
    /// Ends the kernel because nothing that happens to a signal has this number.
    fn refuse_signal_op(number: u32) { cxx::refuse_signal_op(number) }
}

macro_rules! copies { ($($scope:expr, $put:ident $get:ident $put_nbi:ident $get_nbi:ident;)*) => { exports! {$(
    /// Copies bytes to another PE.
    fn $put(dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
        let reached = cxx::reach(dst, pe) != 0;
        if reached {
            $scope.put(at::<u8>(dst), at(src), bytes as usize, pe);
        }
        reached
    }
    /// Copies bytes from another PE.
    fn $get(dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
        let reached = cxx::reach(src, pe) != 0;
        if reached {
            $scope.get(at::<u8>(dst), at(src), bytes as usize, pe);
        }
        reached
    }
    /// Begins to copy bytes to another PE.
    fn $put_nbi(dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
        let reached = cxx::reach(dst, pe) != 0;
        if reached {
            $scope.put_nbi(at::<u8>(dst), at(src), bytes as usize, pe);
        }
        reached
    }
    /// Begins to copy bytes from another PE.
    fn $get_nbi(dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
        let reached = cxx::reach(src, pe) != 0;
        if reached {
            $scope.get_nbi(at::<u8>(dst), at(src), bytes as usize, pe);
        }
        reached
    }
)*} } }
copies! {
    Thread, copy_to_thread copy_from_thread copy_to_nbi_thread copy_from_nbi_thread;
    Warp, copy_to_warp copy_from_warp copy_to_nbi_warp copy_from_nbi_warp;
    Block, copy_to_block copy_from_block copy_to_nbi_block copy_from_nbi_block;
    // With more bytes in flight.
    Wide(Thread), wide_copy_to_thread wide_copy_from_thread wide_copy_to_nbi_thread wide_copy_from_nbi_thread;
    Wide(Warp), wide_copy_to_warp wide_copy_from_warp wide_copy_to_nbi_warp wide_copy_from_nbi_warp;
    Wide(Block), wide_copy_to_block wide_copy_from_block wide_copy_to_nbi_block wide_copy_from_nbi_block;
}

macro_rules! scopes { ($($scope:ident: $in_chunks:ident $meet:ident $lane:ident $barrier_all:ident $sync_all:ident;)*) => { exports! {$(
    /// Whether the lanes bring the bytes where the CPU copies.
    fn $in_chunks(how: u32, here: u64, bytes: u64) -> bool { cxx::is_in_chunks($scope, how, here, bytes) }
    /// Waits for all lanes of the scope.
    fn $meet() { $scope.sync() }
    /// This lane's number in the scope.
    fn $lane() -> u64 { $scope.lane() as u64 }
    /// The barrier of all PEs.
    fn $barrier_all() { $scope.barrier_all() }
    /// The synchronisation of all PEs.
    fn $sync_all() { $scope.sync_all() }
)*} } }
scopes! {
    Thread: in_chunks_thread meet_thread lane_thread barrier_thread sync_thread;
    Warp: in_chunks_warp meet_warp lane_warp barrier_warp sync_warp;
    Block: in_chunks_block meet_block lane_block barrier_block sync_block;
}
