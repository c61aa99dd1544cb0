//! Functions that run when a put brings a task for them.

use crate::mix;
use cushmem_device::{
    Block, Ctx, DevPtr, DeviceArray, Scope, TaskFunction, Thread, Word, atomic_add, globaltimer, my_pe, n_pes,
    signal_fetch, tasks,
};

tasks! {
    /// Adds the numbers that came to those of a buffer, from element `first` on.
    pub unsafe fn add(task: Task, sums: u32, first: u64) {
        let (sums, numbers) = (task.buffer::<u64>(sums).add(first as usize), task.data::<u64>());
        let mut i = Block.lane();
        while i < task.len::<u64>() {
            atomic_add(sums.add(i), numbers.add(i).read(), my_pe());
            i += Block.lanes();
        }
    }

    /// Counts the words that are not those of [`datum`](super::datum), and itself, in words 0 and 1 of a buffer.
    pub unsafe fn verify(task: Task, counts: u32, who: u64, round: u64) {
        let (counts, words) = (task.buffer::<u64>(counts), task.data::<u64>());
        let mut i = Block.lane();
        // From the other end: not the lane that may have stored a word looks at it.
        while i < task.len::<u64>() {
            let at = task.len::<u64>() - 1 - i;
            if words.add(at).read() != super::datum(who, round, at as u64) {
                atomic_add(counts, 1, my_pe());
            }
            i += Block.lanes();
        }
        if Block.lane() == 0 {
            atomic_add(counts.add(1), 1, my_pe());
        }
    }

    /// Stores its arguments, what it knows of the task, and the first word of the data into a buffer of words.
    pub unsafe fn note(task: Task, notes: u32, a: u8, b: i32, c: f64, d: i64, e: u64) {
        if Block.lane() == 0 {
            let notes = task.buffer::<u64>(notes);
            let data = if task.is_empty() { 0 } else { task.data::<u64>().read() };
            let words = [a.into(), i64::from(b).cast_unsigned(), c.to_bits(), d.cast_unsigned(), e, task.pe().into(), data];
            let mut i = 0;
            while i < words.len() {
                notes.add(i).write(words[i]);
                i += 1;
            }
        }
    }

    /// Puts each word plus 1 back to the PE that sent it, into a buffer.
    pub unsafe fn answer(task: Task, answers: u32, first: u64) {
        let (answers, words) = (task.buffer::<u64>(answers).add(first as usize), task.data::<u64>());
        let mut i = Block.lane();
        while i < task.len::<u64>() {
            words.add(i).write(words.add(i).read() + 1);
            i += Block.lanes();
        }
        Block.sync();
        Block.put(answers, words, task.len::<u64>(), task.pe());
    }

    /// Goes on to the next PE so many times, and counts on the PE where it ends.
    pub unsafe fn pass_on(task: Task, counts: u32, hops: u64) {
        if hops == 0 {
            if Block.lane() == 0 {
                atomic_add(task.buffer::<u64>(counts).add(1), 1, my_pe());
            }
            return;
        }
        let call = super::pass_on.call((counts, hops - 1));
        Block.put_task(task.queue(), call, nothing(), 0, (my_pe() + 1) % n_pes());
    }

    /// Takes so many nanoseconds.
    pub unsafe fn wait_for(task: Task, ns: u64) {
        let start = globaltimer();
        while globaltimer().wrapping_sub(start) < ns {
            cushmem_device::arch::pause();
        }
        let _ = task;
    }

    /// Takes until a word is not 0, but at most so many nanoseconds.
    pub unsafe fn wait_for_word(task: Task, words: u32, ns: u64) {
        let start = globaltimer();
        while signal_fetch(task.buffer(words)) == 0 && globaltimer().wrapping_sub(start) < ns {
            cushmem_device::arch::pause();
        }
    }

    /// Has one lane put `n` pieces of `bytes` bytes of one buffer to another one of a PE, and leave them to a context.
    pub unsafe fn leave(task: Task, to: u32, from: u32, n: u64, bytes: u64, pe: u32) {
        let (to, from) = (task.buffer::<u8>(to), task.buffer::<u8>(from));
        let mut i = 0;
        while i < n && Block.lane() == 0 {
            let at = (i * bytes) as usize;
            Ctx::new().put_nbi(Thread, to.add(at), from.add(at), bytes as usize, pe);
            i += 1;
        }
    }

    /// Ends the kernel.
    pub unsafe fn give_up(task: Task) {
        if task.is_empty() {
            cushmem_device::arch::trap();
        }
    }

    /// Reads elements of an array to a buffer of words, writes them from there, or adds those, for programs in C. The
    /// data are a `shmemx_device_array_t`. Only the emulated GPU does it: the executor of a real one would need more
    /// registers.
    pub unsafe fn array_elements(task: Task, words: u32, how: u32, first: u64, n: u64) {
        if cfg!(not(target_arch = "nvptx64")) {
            let (words, array) = (task.buffer::<u64>(words), task.data::<u64>());
            match array.add(size_of::<DeviceArray<u64>>() / 8).read() {
                2 => elements(array_of::<u16>(array), words, how, first, n),
                _ if how < ADD => elements(array_of::<u64>(array), words, how, first, n),
                _ => add_elements(array_of(array), words, first, n),
            }
        }
    }
}

/// What [`array_elements`] does.
const WRITE: u32 = 1;
const ADD: u32 = 2;

/// # Safety
/// There are as many words, those of an array.
unsafe fn array_of<T: Word>(words: DevPtr<u64>) -> DeviceArray<T> {
    // SAFETY: the caller guarantees the words.
    DeviceArray::of_words(core::array::from_fn(|i| unsafe { words.add(i).read() }))
}

/// # Safety
/// The array exists, and there are `n` words.
unsafe fn elements<T: Word>(array: DeviceArray<T>, words: DevPtr<u64>, how: u32, first: u64, n: u64) {
    let mut i = Block.lane();
    while (i as u64) < n {
        // SAFETY: the caller guarantees the array and the words.
        unsafe {
            if how == WRITE {
                array.write(first + i as u64, T::of_command(words.add(i).read()));
            } else {
                words.add(i).write(array.read(first + i as u64).to_command());
            }
        }
        i += Block.lanes();
    }
}

/// # Safety
/// The array exists, and there are `n` words.
unsafe fn add_elements(array: DeviceArray<u64>, words: DevPtr<u64>, first: u64, n: u64) {
    let mut i = Block.lane();
    while (i as u64) < n {
        // SAFETY: the caller guarantees the array and the words.
        unsafe { array.add(first + i as u64, words.add(i).read()) };
        i += Block.lanes();
    }
    Block.quiet();
}

/// Word `i` of what `who` puts in a round.
pub const fn datum(who: u64, round: u64, i: u64) -> u64 {
    mix(who << 32 | round, i)
}

const fn nothing() -> DevPtr<u64> {
    DevPtr::from_address(0)
}

/// A function that no queue has.
#[derive(Clone, Copy, Debug)]
pub struct Beyond;

impl TaskFunction for Beyond {
    type Args = ();
    const NUMBER: u32 = 1000;
}
