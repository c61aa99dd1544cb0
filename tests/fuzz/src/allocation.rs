//! Counts what a thread allocates, to find a parser that believes a length before it has seen as many bytes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with counters.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// How many bytes this thread has allocated and not freed, and the most since the last [`within`]. What another
    /// thread frees counts as kept, so the first may be wrong, by the same amount before and after.
    static COUNT: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: isize) {
    // A thread that ends has no counters any more.
    let _ = COUNT.try_with(|count| {
        let (now, most) = count.get();
        let now = now.wrapping_add(bytes);
        count.set((now, most.max(now)));
    });
}

// SAFETY: each call is passed on to the system's allocator as it is; the counters allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller guarantees what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: `at` is what the system's allocator has returned for this layout, through one of these functions.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller guarantees a layout that is not empty, which is all that the system's allocator asks for.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // The old and the new range may exist at the same time.
        count(bytes.cast_signed());
        count(-layout.size().cast_signed());
        // SAFETY: `at` is what the system's allocator has returned for this layout; the caller guarantees the size.
        unsafe { System.realloc(at, layout, bytes) }
    }
}

/// Calls the function, and panics if it has had more than this many bytes allocated at a time in this thread.
pub fn within<T>(most_bytes: usize, call: impl FnOnce() -> T) -> T {
    let before = COUNT.with(|count| {
        let (now, _) = count.get();
        count.set((now, now));
        now
    });
    let result = call();
    let used = COUNT.with(Cell::get).1 - before;
    assert!(used <= most_bytes.cast_signed(), "{used} bytes were allocated, and at most {most_bytes} should be");
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allocated_at_a_time_counts() {
        let is_within = |most: usize, call: fn()| std::panic::catch_unwind(|| within(most, call)).is_ok();
        let one_after_the_other = || {
            drop(vec![0_u8; 1000]);
            drop(vec![1_u8; 1000]);
        };
        let both = || drop((vec![0_u8; 1000], vec![1_u8; 1000]));
        assert!(is_within(1000, one_after_the_other) && !is_within(999, one_after_the_other));
        assert!(is_within(2000, both) && !is_within(1999, both));
        let grown = || {
            let mut bytes = vec![0_u8; 1000];
            bytes.reserve_exact(1000);
        };
        assert!(is_within(3000, grown) && !is_within(2500, grown), "while it grows, both exist");
    }
}
