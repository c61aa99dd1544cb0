//! The GPU agent: a small kernel that carries out commands of the CPU for some microseconds, and leaves.
//!
//! ```text
//!   CPU                              host memory                                     the kernel
//!   command n ──────────────────────▶ slots[(n-1) mod k]: 8 words with the lap of n ─────▶ carries commands out in their order
//!   n is the kernel's, or the CPU's ◀ state: epoch, running | leaving | left, after n' ◀ announces itself, and leaves
//!   goes on ◀──────────────────────── done: all up to n are complete ◀────────────────── behind a release
//!   goes on ◀──────────────────────── answer: words with n in them ◀──────────────────── what a command found
//! ```
//!
//! *Who writes*: `slots` the CPU, by one thread at a time; all else the kernel. *One kernel at a time*: all are
//! launched on one stream, so that of epoch `e + 1` starts when that of epoch `e` has ended. A launch names the number
//! of the first command that its kernel looks for.
//!
//! *A command is whole* when all of its words have the lap's bit, as in the command ring ([`crate::ring`]), and needs
//! no order among them.
//!
//! *Whose a command is.* The CPU stores command `n`, fences, and looks at `state`. The kernel that wants to leave
//! stores `leaving`, fences, and looks for commands once more. So at least one sees what the other wrote. If the CPU
//! does not see `leaving`, the kernel finds `n` and carries it out. If it does, it waits for the kernel's next word,
//! which comes at once, and posts nothing before that: so there are no more commands to find than the ring has.
//! `running` again means that the kernel stays: it will leave by storing `leaving` once more, behind which it looks.
//! `left after n'` ends the kernel, which looks for nothing any more. If `n'` is `n`, it has carried `n` out; if it is
//! less, `n` is the CPU's again, and commands before `n` were carried out, each of which was the kernel's in its turn.
//! The CPU then carries `n` out in another way, and the next kernel begins behind it; or it launches a kernel that
//! begins with `n`.
//!
//! *Before a kernel has announced itself* `state` names an older epoch. Whatever is posted then is that kernel's: it
//! looks for it before it can leave. It may take long to start, if the GPU has no room. So what has another way is
//! posted to kernels only that have announced themselves.
//!
//! *A life has an end.* A kernel without commands leaves when it was idle long enough. One that is never idle leaves
//! after the longest time, and says that it is `tired`: then the CPU lets some time pass before it launches the next
//! one, in which a kernel can start that needs the whole GPU.
//!
//! *Reuse*: command `n` is stored when `n - k` is carried out, as `done` or an answer has said, or a later one became
//! the CPU's. One command that has an answer is under way at a time, so `answer` is read before it is written again.
//! *Who dies*: when the GPU fails nothing is written any more, and the CPU asks the stream for errors now and then.

use crate::ring::{Command, WORDS, lap};

/// What a kernel says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It ends, and looks for no command any more. Also what memory that is all zeros says.
    Left,
    /// It looks for commands.
    Running,
    /// It looks once more.
    Leaving,
}

/// The word by which it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Which kernel.
    pub epoch: u32,
    /// What it does.
    pub phase: Phase,
    /// Whether it leaves although it was not idle.
    pub tired: bool,
    /// The lower bits of the number of the last command that it has carried out, if it has left.
    pub after: u32,
}

const PHASE_BITS: u32 = 2;
const EPOCH_BITS: u32 = 29;

impl State {
    /// As a word.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        let epoch = (self.epoch & ((1 << EPOCH_BITS) - 1)) << (PHASE_BITS + 1);
        let tired = (self.tired as u32) << PHASE_BITS;
        (self.after as u64) << 32 | (epoch | tired | self.phase as u32) as u64
    }

    /// Of a word.
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

/// What a launch tells its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Which kernel it is, from 1.
    pub epoch: u32,
    /// The number of the first command for it, from 1.
    pub first: u64,
    /// How long it stays without a command, and how long in all, in nanoseconds.
    pub idle: u64,
    /// As above.
    pub longest: u64,
}

/// The kernel's side.
pub trait Serving {
    /// So many looks for a command, whether one was there or not, between two looks at the clock.
    const LOOKS: u32;
    /// Slots: a power of two.
    fn slots(&self) -> u64;
    /// Loads the words of a slot; no order.
    fn load(&self, slot: u64) -> [u64; WORDS];
    /// Carries a command out, and says that it has: behind a release, or by an answer.
    fn carry_out(&self, number: u64, command: &Command);
    /// Stores the state; no order.
    fn announce(&self, state: u64);
    /// Stores it as a release.
    fn leave(&self, state: u64);
    /// A full fence.
    fn fence(&self);
    /// Nanoseconds.
    fn now(&self) -> u64;
    /// Between two looks.
    fn pause(&self);
}

/// A command's slot and lap. The first command has the number 1, and the lap that differs from memory that is all
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
    // When the clock was looked at last and there had been a command, and which was the next one then.
    let (mut last, mut seen) = (born, first);
    side.announce(state(Phase::Running, false, 0));
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
    /// Slots: a power of two.
    fn slots(&self) -> u64;
    /// Stores the words of a slot; no order.
    fn store(&self, slot: u64, words: [u64; WORDS]);
    /// A full fence.
    fn fence(&self);
    /// Loads the state, as an acquire.
    fn state(&self) -> u64;
    /// Up to which number all commands are carried out, as an acquire.
    fn carried_out(&self) -> u64;
    /// Between two looks; whether to go on.
    fn pause(&self) -> bool;
}

/// What the CPU has posted and launched.
#[derive(Debug, Default)]
pub struct Poster {
    /// The number of the last command.
    posted: u64,
    /// That of the last one that became the CPU's: all before it are carried out.
    taken_back: u64,
    epoch: u32,
}

/// What the kernel does that was launched last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// It has not announced itself.
    Coming,
    /// It looks for commands, or did so a moment ago.
    Here,
    /// It has left, or there was none.
    Gone {
        /// Whether it was not idle.
        tired: bool,
    },
}

/// Whose a command is that was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The kernel's that was launched last.
    Kernel,
    /// The CPU's: the kernel had left before it saw the command.
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

    /// What the last kernel does.
    #[inline]
    pub fn kernel<P: Posting>(&self, side: &P) -> Kernel {
        match State::of_bits(side.state()) {
            State { epoch, .. } if epoch != self.epoch => Kernel::Coming,
            State { phase: Phase::Left, tired, .. } => Kernel::Gone { tired },
            _ => Kernel::Here,
        }
    }

    /// Posts a command, whose number is [`Poster::posted`] then.
    #[inline]
    pub fn post<P: Posting>(&mut self, side: &P, command: &Command) -> Result<Owner, GaveUp> {
        let (slots, number) = (side.slots(), self.posted + 1);
        while number > side.carried_out().max(self.taken_back) + slots {
            if !side.pause() {
                return Err(GaveUp);
            }
        }
        self.posted = number;
        let (slot, lap) = place(number, slots);
        side.store(slot, command.encode(lap));
        side.fence();
        let owner = self.owner(side)?;
        if owner == Owner::Cpu {
            self.taken_back = number;
        }
        Ok(owner)
    }

    /// Whose the last command is.
    #[inline]
    fn owner<P: Posting>(&self, side: &P) -> Result<Owner, GaveUp> {
        loop {
            match State::of_bits(side.state()) {
                State { epoch, .. } if epoch != self.epoch => return Ok(Owner::Kernel),
                State { phase: Phase::Running, .. } => return Ok(Owner::Kernel),
                State { phase: Phase::Left, after, .. } => {
                    let is_carried_out = after == self.posted as u32;
                    return Ok(if is_carried_out { Owner::Kernel } else { Owner::Cpu });
                }
                State { phase: Phase::Leaving, .. } if side.pause() => {}
                State { phase: Phase::Leaving, .. } => return Err(GaveUp),
            }
        }
    }

    /// Notes a launch, which `launch` makes. The kernel begins with the last command if that `waits` for it, being the
    /// CPU's, else behind it.
    pub fn launch<E>(&mut self, waits: bool, launch: impl FnOnce(u32, u64) -> Result<(), E>) -> Result<(), E> {
        let epoch = (self.epoch + 1) & ((1 << EPOCH_BITS) - 1);
        launch(epoch, self.posted + u64::from(!waits))?;
        self.epoch = epoch;
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
