use crate::Units;

/// What kernels of a PE need to know about a queue of tasks, in GPU memory of this PE. Behind it are a
/// [`TaskSender`] for each PE, and [`TASK_BUFFERS`] times a [`TaskBuffer`]. The CPU writes all but the senders, and no
/// number changes once it is not 0.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskArea {
    /// Address of the slots, which are symmetric: for each row [`TaskArea::per_row`] times a [`TaskSlot`]. They are in
    /// GPU memory if the executor stays, and in host memory if the CPU launches it for what has come.
    pub slots: u64,
    /// Address of the [`TaskCounter`] of each row, which is symmetric.
    pub taken: u64,
    /// Slots of a row: a power of two.
    pub per_row: u64,
    /// The number of functions.
    pub functions: u64,
    /// Address of the [`TaskReports`], in host memory of this PE.
    pub reports: u64,
    /// Address of the [`TaskInline`] of each slot of the rows of kernels, one row after the other, in the same
    /// symmetric object as the slots; 0 if the CPU launches the executor.
    pub inline: u64,
    /// 0.
    pub reserved: [u64; 10],
}

/// Buffers that a queue can have.
pub const TASK_BUFFERS: usize = 256;
/// Blocks that an executor can have.
pub const TASK_BLOCKS: usize = 64;
/// Words of arguments that a task can have.
pub const TASK_ARGUMENTS: usize = 6;

impl TaskArea {
    /// In the time that a launch of an executor may take: it also ends as soon as there are no tasks.
    pub const UNTIL_NONE: u64 = 1 << 63;

    /// The row of the tasks that kernels of this PE put; the next one is that of its CPU.
    pub const fn row(pe: u32) -> u64 {
        2 * pe as u64
    }

    /// The offset of the sender for tasks to this PE.
    pub const fn sender(pe: u32) -> u64 {
        (size_of::<Self>() + pe as usize * size_of::<TaskSender>()) as u64
    }

    /// The offset of a buffer, in a job of so many PEs.
    pub const fn buffer(n_pes: u32, buffer: u32) -> u64 {
        Self::sender(n_pes) + (buffer as usize * size_of::<TaskBuffer>()) as u64
    }

    /// The size of all together.
    pub const fn bytes(n_pes: u32) -> u64 {
        Self::buffer(n_pes, TASK_BUFFERS as u32)
    }
}

/// Tickets of the tasks that this PE's kernels put to one PE.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskSender {
    /// The next ticket.
    pub tickets: u64,
    /// What a lane has seen of the row's [`TaskCounter`].
    pub taken_seen: u64,
}

/// A range of symmetric memory that tasks name by its number.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskBuffer {
    /// Where it is on this PE.
    pub address: u64,
    /// Its size. 0 as long as the number has no buffer.
    pub bytes: u64,
}

/// Which tasks of a row the executor has taken.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskCounter {
    /// Tickets below it are taken, and their slots are free.
    pub taken: u64,
}

/// A task on its way.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskSlot {
    /// Its ticket plus 1, once the slot and the task's data are complete. With bit 63, they are in the [`TaskInline`],
    /// and may not be complete.
    pub ready: u64,
    /// A [`TaskHead`].
    pub head: u64,
    /// Where the data are, in the form of [`TaskSlot::done`]. It means nothing if there are none.
    pub data: u64,
    /// Bytes of the data.
    pub bytes: u64,
    /// The signal of the PE that put the task: bytes from the start of a segment, with [`TaskSlot::ON_HOST`] if that
    /// is host memory.
    pub done: u64,
    /// The value of the signal.
    pub value: u64,
    /// What the function gets.
    pub arguments: [u64; TASK_ARGUMENTS],
    /// 0.
    pub reserved: [u64; 4],
}

const _: () = assert!(size_of::<TaskArea>() == 128 && size_of::<TaskSlot>() == 128 && size_of::<TaskCounter>() == 128);

impl TaskSlot {
    /// A bit of [`TaskSlot::done`] and [`TaskSlot::data`].
    pub const ON_HOST: u64 = 1 << 63;

    /// Where a symmetric object of the PE at a place lies, in the form of [`TaskSlot::done`]. `host` and `gpu` are the
    /// windows.
    #[inline]
    pub const fn place(host: Units, gpu: Units, place: u32, address: u64) -> u64 {
        if gpu.contain(address) {
            address.wrapping_sub(gpu.segment(place))
        } else {
            Self::ON_HOST | address.wrapping_sub(host.segment(place))
        }
    }

    /// Undoes [`TaskSlot::place`], for the PE at another place.
    #[inline]
    pub const fn address(host: Units, gpu: Units, place: u32, object: u64) -> u64 {
        if object & Self::ON_HOST == 0 {
            gpu.segment(place) + object
        } else {
            host.segment(place) + (object & !Self::ON_HOST)
        }
    }
}

/// Words of data that a kernel can put with a task without waiting until they have arrived.
pub const TASK_INLINE_WORDS: usize = 8;

/// The words of a [`TaskSlot`] behind `ready`, and of a little data, each in two halves with marks.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct TaskInline {
    /// The halves of each word.
    pub words: [[u64; 2]; 5 + TASK_ARGUMENTS + TASK_INLINE_WORDS],
}

/// What a task is, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskHead {
    /// The number of the function.
    pub function: u16,
    /// The PE that put the task: less than 2²⁴.
    pub pe: u32,
    /// 0 if nothing is signalled, otherwise the [`SignalOp`](crate::SignalOp) plus 1.
    pub signal: u8,
    /// Whether its data came inline, so that the executor stores them.
    pub is_inline: bool,
}

impl TaskHead {
    /// As one word.
    pub const fn bits(self) -> u64 {
        self.function as u64 | (self.is_inline as u64) << 16 | (self.pe as u64) << 32 | (self.signal as u64) << 56
    }

    /// The head with these bits.
    pub const fn of_bits(bits: u64) -> Self {
        Self {
            function: bits as u16,
            pe: (bits >> 32) as u32 & 0xff_ffff,
            signal: (bits >> 56) as u8,
            is_inline: bits >> 16 & 1 != 0,
        }
    }
}

/// The words of a [`TaskSlot`] behind `ready`, as a parameter of a kernel that puts the task.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskWords {
    /// A [`TaskHead`].
    pub head: u64,
    /// See [`TaskSlot::data`].
    pub data: u64,
    /// See [`TaskSlot::bytes`].
    pub bytes: u64,
    /// See [`TaskSlot::done`].
    pub done: u64,
    /// See [`TaskSlot::value`].
    pub value: u64,
    /// See [`TaskSlot::arguments`].
    pub arguments: [u64; TASK_ARGUMENTS],
}

/// A task as a function in CUDA C++ gets it: `shmemx_device_task_t` of the header `shmemx_tasks.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GivenTask {
    /// The [`DeviceTaskQueue`].
    pub queue: u64,
    /// Where the data are, if there are any.
    pub address: u64,
    /// See [`TaskSlot::bytes`].
    pub bytes: u64,
    /// See [`TaskSlot::arguments`].
    pub arguments: [u64; TASK_ARGUMENTS],
    /// The number of the function.
    pub function: u32,
    /// The PE that put the task.
    pub pe: u32,
}

/// Words of a block's shared memory that an executor needs: those of up to 32 tasks and of their data, and four others.
pub const TASK_SHARED_WORDS: usize = 4 + 32 * (5 + TASK_ARGUMENTS + TASK_INLINE_WORDS);
/// Words that a lane of an executor in CUDA C++ keeps for the library.
pub const TASK_EXECUTOR_WORDS: usize = 18;

/// What an executor tells the CPU of its PE.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug)]
pub struct TaskReports {
    /// The launch whose first block ended last. Its other blocks may still run, but no later launch does.
    pub ended: u64,
    /// The last launch of which a block ended because its time was over, and may have left tasks.
    pub left: u64,
    /// 0.
    pub reserved: [u64; 14],
    /// What each block runs, or ran last until it has found nothing for a short time: the bits of its [`TaskHead`],
    /// with [`TaskReports::RUNS`] as the signal; 0 if it runs nothing.
    pub running: [u64; TASK_BLOCKS],
}

impl TaskReports {
    /// The signal of a head that means that a block runs the task.
    pub const RUNS: u8 = 0xff;
}

/// The number by which kernels know a queue of tasks.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceTaskQueue(u64);

impl DeviceTaskQueue {
    /// The queue whose [`TaskArea`] has this address.
    pub const fn of_address(address: u64) -> Self {
        Self(address)
    }

    /// The address of its [`TaskArea`].
    pub const fn address(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a field of the head that overwrites another.
    #[test]
    fn a_head_is_what_it_was() {
        for (function, pe, signal, is_inline) in
            [(0, 0, 0, true), (u16::MAX, 0xff_ffff, 2, false), (u16::MAX, 0, 0, true), (3, 1, u8::MAX, true)]
        {
            let head = TaskHead { function, pe, signal, is_inline };
            assert_eq!(TaskHead::of_bits(head.bits()), head);
        }
    }
}
