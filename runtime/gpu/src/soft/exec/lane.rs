//! One lane: a coroutine on a pooled stack, and the two functions through which a kernel reaches the emulation.
//!
//! A lane always resumes on the thread that started it, because the worker of one stream runs a whole kernel. So the
//! compiler may keep the address of a thread-local across a suspension.

use super::stack::Stack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use cushmem_abi::lane::{self, Dim3, Event, Lane};
use cushmem_abi::{DeviceContext, KernelEntry};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic;
use std::ptr;
use std::sync::Once;

/// What a lane asks for when it gives up the processor: a pointer to an event on its stack, or null for a trap. Passing
/// the event itself would copy it twice, with loads wider than the stores that wrote it, and such a load waits until
/// all earlier stores have reached the cache.
type Request = *const Event;
type LaneYielder = Yielder<u64, Request>;

thread_local! {
    /// The yielder of the running lane, which leads back to the scheduler; null while the scheduler itself runs.
    static YIELDER: Cell<*const LaneYielder> = const { Cell::new(ptr::null()) };
    /// Where the last panic of a lane on this thread happened.
    static PANIC_PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Why a lane gave up the processor.
pub(super) enum Outcome<'a> {
    Event(&'a Event),
    Trap,
    /// The lane returned from the kernel.
    End,
}

/// A lane that has been set up.
pub(super) struct LaneRun {
    coroutine: Coroutine<u64, Request, (), Stack>,
    /// Null until the lane has run for the first time.
    yielder: *const LaneYielder,
    lane: Lane,
}

impl LaneRun {
    /// # Safety
    /// The arguments match the kernel's parameters and satisfy its contract until the lane has ended or is taken apart.
    pub unsafe fn new(stack: Stack, entry: KernelEntry, arguments: *const *const c_void, lane: Lane) -> Self {
        let coroutine = Coroutine::with_stack(stack, move |yielder: &LaneYielder, _| {
            YIELDER.set(yielder);
            // SAFETY: the caller of `new` guarantees that the arguments are valid until the lane has ended.
            unsafe { entry(arguments) }
        });
        Self { coroutine, yielder: ptr::null(), lane }
    }

    /// Runs the lane until it asks for something or returns from the kernel. `value` is the result of its last request.
    ///
    /// # Panics
    /// If the lane panics, with the same payload.
    pub fn resume(&mut self, value: u64) -> Outcome<'_> {
        lane::set_current(Some(self.lane));
        YIELDER.set(self.yielder);
        let result = self.coroutine.resume(value);
        self.yielder = YIELDER.replace(ptr::null());
        match result {
            // SAFETY: the event lies in a frame of the lane, which does not change while `self` is borrowed.
            CoroutineResult::Yield(request) => unsafe { request.as_ref() }.map_or(Outcome::Trap, Outcome::Event),
            CoroutineResult::Return(()) => Outcome::End,
        }
    }

    /// Returns the stack for the next lane. A lane that did not return is cut off where it waits, as on a GPU. Its
    /// destructors do not run: they might call the device library again, or the frames might not allow unwinding.
    pub fn into_stack(mut self) -> Stack {
        // SAFETY: nothing can return to the frames that are left behind: the yielder's pointer goes with `self`. Values
        // on the stack are leaked, as they are when a kernel traps on a GPU.
        unsafe { self.coroutine.force_reset() };
        self.coroutine.into_stack()
    }
}

/// Creates the description of a lane, without its indices.
pub(super) fn template(
    kernel: &'static str,
    grid_dim: Dim3,
    block_dim: Dim3,
    shared_bytes: u32,
    context: Option<&'static DeviceContext>,
) -> Lane {
    let (thread_idx, block_idx) = ([0; 3], [0; 3]);
    Lane { thread_idx, block_idx, block_dim, grid_dim, shared_bytes, kernel, context, suspend, trap }
}

/// Called after a kernel: device functions called on this thread are outside of a kernel again.
pub(super) fn leave() {
    lane::set_current(None);
    YIELDER.set(ptr::null());
}

fn request(request: Request) -> u64 {
    let yielder = YIELDER.get();
    assert!(!yielder.is_null(), "a device function was called outside a kernel");
    // SAFETY: it points to the running lane's own yielder, which lives at the base of the stack that this runs on.
    unsafe { &*yielder }.suspend(request)
}

fn suspend(event: Event) -> u64 {
    request(&raw const event)
}

fn trap() -> ! {
    request(ptr::null());
    unreachable!("a lane ran on after a trap")
}

/// Silences the default hook's report and backtrace for panics of lanes, which become errors of the kernel. All other
/// panics go to the hook that was installed before.
pub(in super::super) fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if YIELDER.get().is_null() {
                previous(info);
            } else {
                PANIC_PLACE.set(info.location().map(ToString::to_string));
            }
        }));
    });
}

/// Returns the message of a lane's panic, and where it happened.
pub(super) fn panic_text(payload: &(dyn Any + Send)) -> String {
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    match PANIC_PLACE.take() {
        Some(place) => format!("{message} at {place}"),
        None => message.to_owned(),
    }
}
