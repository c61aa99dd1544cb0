//! The GPU agent: a small kernel that carries out commands of the CPU for some microseconds, and then exits.
//!
//! ```text
//!   CPU                              host memory                                     the kernel
//!   command n ──────────────────────▶ slots[(n-1) mod k]: 8 words with the lap of n ─────▶ carries commands out in their order
//!   n is the kernel's, or the CPU's ◀ state: epoch, running | leaving | left, after n' ◀ announces itself, and leaves
//!   goes on ◀──────────────────────── done: all up to n are complete ◀────────────────── behind a release
//!   goes on ◀──────────────────────── answer: words with n in them ◀──────────────────── what a command found
//! ```
//!
//! *Who writes what*: one thread of the CPU at a time writes `slots`; the kernel writes everything else. *One kernel at
//! a time*: all are launched on one stream, so the kernel of epoch `e + 1` starts when that of epoch `e` has ended. A
//! launch passes the number of the first command that its kernel looks for.
//!
//! *A command is complete* when all of its words have the lap's bit, as in the command ring ([`crate::ring`]). Its
//! words need no order among themselves.
//!
//! *Who owns a command.* The CPU stores command `n`, fences, and loads `state`. A kernel that wants to leave stores
//! `leaving`, fences, and looks for commands once more. So at least one of them sees what the other wrote. If the CPU
//! does not see `leaving`, the kernel finds `n` and carries it out. If it does, it waits for the kernel's next word,
//! which follows at once, and posts nothing before that; so the kernel never finds more commands than the ring holds.
//! The next word is one of two. `running` means that the kernel stays: before it leaves it will store `leaving` again
//! and look again. `left after n'` means that the kernel ends and looks for nothing any more. If `n'` is `n`, it has
//! carried `n` out. If `n'` is less, `n` belongs to the CPU again, and the commands before `n` were carried out, each
//! by the kernel that owned it. The CPU then either carries `n` out in another way, and the next kernel starts after
//! it, or launches a kernel that starts with `n`.
//!
//! *Before a kernel has announced itself*, `state` names an older epoch. Whatever is posted then belongs to the new
//! kernel, which looks for it before it can leave. That kernel may take long to start if the GPU has no room. So
//! commands that can be carried out in another way are posted only to kernels that have announced themselves, or are
//! taken back.
//!
//! *Taking a command back.* The CPU stores words of the other lap over those of `n`, the last command, fences, and
//! loads `state`. A kernel stores its first `running`, fences, and only then looks for commands. So at least one of
//! them sees what the other wrote. If `state` still names an older epoch, the kernel does not find `n`: it is as if
//! `n` had never been posted, and the next command gets that number. The kernel finds none of the words of the first
//! `n` then, so it cannot mix them with those of the next command. If `state` names the kernel, it may have found `n`
//! before. The CPU then posts `n` again, and waits until the kernel has left. To a kernel that has carried `n` out,
//! these words say nothing, because it looks for later commands. Any other finds `n`, or has left and returns it.
//!
//! *Why it must have left.* The words that take `n` back have the lap of command `n + k`. The kernel's loads are
//! relaxed: one that has carried out `n` may find these words later, even after the second words of `n` were stored,
//! and take them for `n + k`. But it looks for `n + k` only once it has carried out all commands before that, and `n`
//! is the last one posted to it. The next kernel is launched after `n` was posted again, so in that slot it finds the
//! second words of `n`, or later ones. No such wait is needed if `n` is taken back in time. The kernel then finds the
//! next command `n` once it has loaded all of that command's words, and from then on it loads nothing older there.
//!
//! *A kernel's life is limited.* A kernel without commands leaves after it has been idle for a given time. One that is
//! never idle leaves after a maximum time and reports that it is `tired`. The CPU then waits a little before it
//! launches the next one, so that a kernel that needs the whole GPU can start in between.
//!
//! *Reuse*: command `n` is stored once `n - k` has been carried out, which `done`, an answer, or a later command that
//! was returned to the CPU has shown. A returned command with which the CPU launches a kernel does not count as
//! returned any more. Only one command with an answer is under way at a time, so `answer` is read before it is written
//! again.
//!
//! *When the GPU fails*, nothing is written any more, so the CPU now and then asks the stream for errors.

use crate::poll::poll;
use crate::ring::{Command, WORDS, lap};

/// The phases that a kernel announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It ends and looks for no more commands. Memory that is all zeros also means this.
    Left,
    /// It looks for commands.
    Running,
    /// It looks for commands one last time.
    Leaving,
}

/// The word in which a kernel announces its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The number of the kernel.
    pub epoch: u32,
    /// Its phase.
    pub phase: Phase,
    /// Whether it leaves although it was not idle.
    pub tired: bool,
    /// If it has left: the lower bits of the number of the last command that it carried out.
    pub after: u32,
}

const PHASE_BITS: u32 = 2;
const EPOCH_BITS: u32 = 29;

impl State {
    /// The state as a word.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        let epoch = (self.epoch & ((1 << EPOCH_BITS) - 1)) << (PHASE_BITS + 1);
        let tired = (self.tired as u32) << PHASE_BITS;
        (self.after as u64) << 32 | (epoch | tired | self.phase as u32) as u64
    }

    /// The state that a word contains.
    #[inline]
    pub const fn of_bits(bits: u64) -> Self {
        let low = bits as u32;
        let phase = match low & ((1 << PHASE_BITS) - 1) {
            1 => Phase::Running,
            2 => Phase::Leaving,
            _ => Phase::Left,
        };
        let tired = low >> PHASE_BITS & 1 != 0;
        Self { epoch: low >> (PHASE_BITS + 1), phase, tired, after: (bits >> 32) as u32 }
    }
}

/// What a launch passes to its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The number of the kernel, from 1.
    pub epoch: u32,
    /// The number of its first command, from 1.
    pub first: u64,
    /// How long it stays without a command, in nanoseconds.
    pub idle: u64,
    /// How long it stays in all, in nanoseconds.
    pub longest: u64,
}

/// The kernel's side.
pub trait Serving {
    /// The number of polls for a command, successful or not, between two readings of the clock.
    const LOOKS: u32;
    /// The number of slots: a power of two.
    fn slots(&self) -> u64;
    /// Loads the words of a slot; relaxed.
    fn load(&self, slot: u64) -> [u64; WORDS];
    /// Carries out a command and reports that it is done, by a store after a release or by an answer.
    fn carry_out(&self, number: u64, command: &Command);
    /// Stores the state; relaxed.
    fn announce(&self, state: u64);
    /// Stores the state as a release.
    fn leave(&self, state: u64);
    /// A full fence.
    fn fence(&self);
    /// The time, in nanoseconds.
    fn now(&self) -> u64;
    /// Called between two polls.
    fn pause(&self);
}

/// The slot and lap of a command. The first command has the number 1, and its lap differs from memory that is all
/// zeros.
#[inline(always)]
const fn place(number: u64, slots: u64) -> (u64, u64) {
    ((number - 1) & (slots - 1), lap(number - 1, slots))
}

#[inline(always)]
fn look<S: Serving>(side: &S, number: u64) -> Option<Command> {
    let (slot, lap) = place(number, side.slots());
    Command::decode(&side.load(slot), lap)
}

/// What the kernel does.
#[inline(always)]
pub fn serve<S: Serving>(side: &S, life: &Life) {
    let Life { epoch, first, idle, longest } = *life;
    let state = |phase, tired, after| State { epoch, phase, tired, after }.bits();
    let (born, mut next, mut looks) = (side.now(), first, 0u32);
    // The last reading of the clock before which there had been a command, and the number of the next command then.
    let (mut last, mut seen) = (born, first);
    side.announce(state(Phase::Running, false, 0));
    side.fence();
    loop {
        match look(side, next) {
            Some(command) => {
                side.carry_out(next, &command);
                next += 1;
            }
            None => side.pause(),
        }
        looks = looks.wrapping_add(1);
        if !looks.is_multiple_of(S::LOOKS) {
            continue;
        }
        let now = side.now();
        if next != seen {
            (last, seen) = (now, next);
        }
        let tired = now.wrapping_sub(born) >= longest;
        if !tired && now.wrapping_sub(last) < idle {
            continue;
        }
        side.announce(state(Phase::Leaving, tired, 0));
        side.fence();
        while let Some(command) = look(side, next) {
            side.carry_out(next, &command);
            next += 1;
        }
        if next == seen || tired {
            side.leave(state(Phase::Left, tired, next.wrapping_sub(1) as u32));
            return;
        }
        (last, seen) = (now, next);
        side.announce(state(Phase::Running, false, 0));
    }
}

/// The CPU's side.
pub trait Posting {
    /// The number of slots: a power of two. Commands are taken back only if there are at least two: the slot of the
    /// last command is not that of the next one.
    fn slots(&self) -> u64;
    /// Stores the words of a slot; relaxed.
    fn store(&self, slot: u64, words: [u64; WORDS]);
    /// A full fence.
    fn fence(&self);
    /// Loads the state, as an acquire.
    fn state(&self) -> u64;
    /// The number up to which all commands have been carried out, as an acquire.
    fn carried_out(&self) -> u64;
    /// Called between two polls; returns whether to go on.
    fn pause(&self) -> bool;
}

/// What the CPU has posted and launched.
#[derive(Debug, Default)]
pub struct Poster {
    /// The number of the last command.
    posted: u64,
    /// All commands up to this one have been carried out, or returned to the CPU.
    returned: u64,
    epoch: u32,
}

/// What the most recently launched kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// It has not announced itself.
    Starting,
    /// It looks for commands, or did so a moment ago.
    Running,
    /// It has left, or there was none.
    Exited {
        /// Whether it left although it was not idle.
        tired: bool,
    },
}

/// Who owns a command that was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The most recently launched kernel.
    Kernel,
    /// The CPU: the kernel had left before it saw the command.
    Cpu,
}

/// [`Posting::pause`] gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

impl Poster {
    /// The number of the last command.
    #[inline]
    pub fn posted(&self) -> u64 {
        self.posted
    }

    /// What the most recently launched kernel does.
    #[inline]
    pub fn kernel<P: Posting>(&self, side: &P) -> Kernel {
        match State::of_bits(side.state()) {
            State { epoch, .. } if epoch != self.epoch => Kernel::Starting,
            State { phase: Phase::Left, tired, .. } => Kernel::Exited { tired },
            _ => Kernel::Running,
        }
    }

    /// Posts a command; its number is the new value of [`Poster::posted`].
    #[inline]
    pub fn post<P: Posting>(&mut self, side: &P, command: &Command) -> Result<Owner, GaveUp> {
        let (slots, number) = (side.slots(), self.posted + 1);
        let has_room = || number <= side.carried_out().max(self.returned) + slots;
        poll(|| has_room().then_some(()), || side.pause()).ok_or(GaveUp)?;
        self.posted = number;
        self.store(side, command)
    }

    /// Takes the last command back from the most recently launched kernel, unless that has announced itself; in that
    /// case waits until the kernel has left. Returns who owns the command now.
    pub fn take_back<P: Posting>(&mut self, side: &P, command: &Command) -> Result<Owner, GaveUp> {
        let (slot, lap) = place(self.posted, side.slots());
        side.store(slot, Command::default().encode(lap ^ 1));
        side.fence();
        if self.kernel(side) == Kernel::Starting {
            self.posted -= 1;
            return Ok(Owner::Cpu);
        }
        let owner = self.store(side, command)?;
        // Nothing more is posted to a kernel that may have seen the words above.
        let has_left = || (self.kernel(side) != Kernel::Running).then_some(());
        poll(has_left, || side.pause()).ok_or(GaveUp)?;
        Ok(owner)
    }

    /// Stores the last command, and returns who owns it.
    #[inline]
    fn store<P: Posting>(&mut self, side: &P, command: &Command) -> Result<Owner, GaveUp> {
        let (slot, lap) = place(self.posted, side.slots());
        side.store(slot, command.encode(lap));
        side.fence();
        let look = || match State::of_bits(side.state()) {
            State { epoch, .. } if epoch != self.epoch => Some(Owner::Kernel),
            State { phase: Phase::Running, .. } => Some(Owner::Kernel),
            State { phase: Phase::Left, after, .. } => {
                let is_carried_out = after == self.posted as u32;
                Some(if is_carried_out { Owner::Kernel } else { Owner::Cpu })
            }
            State { phase: Phase::Leaving, .. } => None,
        };
        let owner = poll(look, || side.pause()).ok_or(GaveUp)?;
        if owner == Owner::Cpu {
            self.returned = self.posted;
        }
        Ok(owner)
    }

    /// Records a launch, which `launch` performs. If the last command belongs to the CPU and `waits` for the kernel,
    /// the kernel starts with it; otherwise it starts after it.
    pub fn launch<E>(&mut self, waits: bool, launch: impl FnOnce(u32, u64) -> Result<(), E>) -> Result<(), E> {
        let epoch = (self.epoch + 1) & ((1 << EPOCH_BITS) - 1);
        launch(epoch, self.posted + u64::from(!waits))?;
        self.epoch = epoch;
        if waits {
            self.returned = self.posted - 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches fields that overlap.
    #[test]
    fn a_state_keeps_its_fields() {
        for phase in [Phase::Left, Phase::Running, Phase::Leaving] {
            for (epoch, tired, after) in
                [(0, false, 0), ((1 << EPOCH_BITS) - 1, false, 0), (0, true, 0), (1, false, u32::MAX)]
            {
                let state = State { epoch, phase, tired, after };
                assert_eq!(State::of_bits(state.bits()), state);
            }
        }
        assert_eq!(State::of_bits(0), State { epoch: 0, phase: Phase::Left, tired: false, after: 0 });
    }
}
