//! What a put with a task names: a function, its arguments, and what is signalled.

use crate::{DevPtr, SignalOp, Word};
use cushmem_abi::{TASK_ARGUMENTS, TaskHead};
use cushmem_protocol::tasks::WORDS;

/// A function that [`tasks!`](crate::tasks) declared.
/// [`tasks!`](crate::tasks) has an example.
pub trait TaskFunction: Copy {
    /// What the function gets besides the task, as a tuple of up to six [`Word`]s.
    type Args: TaskArgs;
    /// The function's number: its place in `tasks!`.
    const NUMBER: u32;

    /// Describes a call of the function, for [`Scope::put_task`](crate::Scope::put_task). Without [`TaskCall::at`] it
    /// has no data.
    #[inline(always)]
    fn call(self, args: Self::Args) -> TaskCall {
        TaskCall {
            function: Self::NUMBER,
            buffer: None,
            offset: 0,
            arguments: args.to_words(),
            done: DevPtr::from_address(0),
            value: 0,
            signal: 0,
        }
    }
}

/// Arguments of a task: a tuple of up to six [`Word`]s. [`tasks!`](crate::tasks) has an example.
pub trait TaskArgs: Copy {
    /// Returns them as words.
    fn to_words(self) -> [u64; TASK_ARGUMENTS];
    /// Undoes [`TaskArgs::to_words`].
    fn of_words(words: [u64; TASK_ARGUMENTS]) -> Self;
}

macro_rules! tuples { ($($name:ident $at:tt)*) => { tuples!(@ [] $($name $at)*); };
    (@ [$($have:ident $i:tt)*] $next:ident $at:tt $($rest:tt)*) => {
        tuples!(= $($have $i)*); tuples!(@ [$($have $i)* $next $at] $($rest)*);
    };
    (@ [$($have:ident $i:tt)*]) => { tuples!(= $($have $i)*); };
    (= $($name:ident $i:tt)*) => {
        impl<$($name: Word),*> TaskArgs for ($($name,)*) {
            #[inline(always)]
            #[allow(unused_mut)]
            fn to_words(self) -> [u64; TASK_ARGUMENTS] {
                let mut words = [0; TASK_ARGUMENTS];
                $(words[$i] = self.$i.to_command();)*
                words
            }
            #[inline(always)]
            #[allow(clippy::unused_unit)]
            fn of_words(_words: [u64; TASK_ARGUMENTS]) -> Self {
                ($($name::of_command(_words[$i]),)*)
            }
        }
    };
}
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 }

/// A call of a task's function: which one, its arguments, where its data go, and what is signalled when it has
/// returned.
///
/// ```
/// use cushmem_device::{Block, DevPtr, DeviceTaskQueue, Scope, SignalOp, TaskFunction, kernels, my_pe, n_pes};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
/// # #[derive(Clone, Copy)]
/// # struct Add;
/// # impl TaskFunction for Add { type Args = (u32, u64); const NUMBER: u32 = 0; }
/// # #[allow(non_upper_case_globals)]
/// # const add: Add = Add;
///
/// kernels! {
///     /// One block. Has the next PE add `n` numbers to its sums, and counts in `done` when it has.
///     pub unsafe fn contribute(queue: DeviceTaskQueue, numbers: DevPtr<i64>, n: usize, done: DevPtr<u64>) {
///         let inbox = 8 * (my_pe() as usize * n) as u64;
///         // Function `add` is declared by `tasks!`. Buffer 0 has an inbox for each PE, buffer 1 the sums.
///         let call = add.call((1, 0)).at(0, inbox).then(done, 1, SignalOp::Add);
///         Block.put_task(queue, call, numbers, n, (my_pe() + 1) % n_pes());
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TaskCall {
    pub(crate) function: u32,
    pub(crate) buffer: Option<u32>,
    pub(crate) offset: u64,
    arguments: [u64; TASK_ARGUMENTS],
    pub(crate) done: DevPtr<u64>,
    value: u64,
    /// As in a [`TaskHead`].
    pub(crate) signal: u8,
}

impl TaskCall {
    /// Has the data put into a buffer of the queue, `offset` bytes behind its start.
    #[inline(always)]
    pub fn at(self, buffer: u32, offset: u64) -> Self {
        Self { buffer: Some(buffer), offset, ..self }
    }

    /// Has the signal `sig` of the PE that puts the task updated once the function has returned and all that it did on
    /// the default context is visible. `sig` is a symmetric, aligned word. [`SignalOp::Add`] on GPU memory needs a link
    /// with native atomics between the two GPUs, or a PE that is not mapped.
    #[inline(always)]
    pub fn then(self, sig: DevPtr<u64>, value: u64, op: SignalOp) -> Self {
        Self { done: sig, value, signal: op as u8 + 1, ..self }
    }

    /// The function's number.
    #[doc(hidden)]
    pub fn function(&self) -> u32 {
        self.function
    }

    /// The buffer and the offset in it.
    #[doc(hidden)]
    pub fn target(&self) -> (Option<u32>, u64) {
        (self.buffer, self.offset)
    }

    /// The signal, if there is one.
    #[doc(hidden)]
    pub fn done(&self) -> Option<DevPtr<u64>> {
        (self.signal != 0).then_some(self.done)
    }

    /// Whether the signal is added to.
    #[doc(hidden)]
    pub fn adds(&self) -> bool {
        self.signal == SignalOp::Add as u8 + 1
    }

    /// A call of the function with this number.
    #[doc(hidden)]
    pub fn of_function(function: u32, arguments: [u64; TASK_ARGUMENTS]) -> Self {
        let done = DevPtr::from_address(0);
        Self { function, buffer: None, offset: 0, arguments, done, value: 0, signal: 0 }
    }

    /// The words of the slot behind `ready`. `data` and `done` are where the data and the signal lie in their segments.
    #[doc(hidden)]
    #[inline(always)]
    pub fn words(&self, pe: u32, (data, bytes): (u64, u64), done: u64) -> [u64; WORDS] {
        let head = TaskHead { function: self.function as u16, pe, signal: self.signal, is_inline: false };
        let [a, b, c, d, e, f] = self.arguments;
        [head.bits(), data, bytes, done, self.value, a, b, c, d, e, f]
    }
}
