//! Roles of a kernel's blocks: one counter hands them out, in the order in which blocks arrive.
//!
//! A launch has roles that receive, that send and that compute, with numbers in this order:
//!
//! ```text
//!   receive 0, send 0, receive 1, send 1, … the rest of the larger kind | compute 0, compute 1, …
//! ```
//!
//! A block draws the lowest number that is free, carries the role out and draws again, until it draws a number past the
//! last role. So the first block to arrive receives and the second one sends, whatever numbers the grid gave them.
//!
//! **Who may wait for whom.** Receiving and sending may *last* as long as the kernel and wait for every role. A
//! computing role ends; it waits for computing roles of lower numbers and for those that last, and these do not wait
//! for each other in a circle.
//!
//! **Why nobody waits for ever.** Blocks keep running once they have arrived, but those that do not fit arrive only
//! when others have ended. A role that lasts is among the lowest numbers, so if [`Plan::resident`] blocks are resident
//! together, blocks that run have drawn all roles that last, and at least one block is left for the others. Take the
//! computing role of the lowest number that is not finished. If a block has drawn it, this block carries it out: what
//! it drew before had lower numbers, and is finished. Then it waits for roles only that are finished or last. If nobody
//! has drawn it, all drawn computing roles are finished, so the block that is left draws it.
//!
//! **Drawing ahead.** A block that begins a computing role draws the next number already, so that it need not wait for
//! the counter later. The argument above holds, as a block's numbers grow. A block that begins a role that lasts draws
//! nothing: others may wait for it.
//!
//! **No reset.** Each block draws one number past the last role, and stops. The last of these draws is
//! `roles + blocks - 1`; whoever gets this number knows that nobody draws any more, and sets the counter to 0. The next
//! launch on the same stream sees that, as the end of a kernel orders all memory. No other order is needed: the roles
//! order what they do by words of their own.

/// The roles of a launch.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of roles that receive.
    pub receivers: u32,
    /// The number of roles that send.
    pub senders: u32,
    /// The number of roles that compute.
    pub computing: u64,
}

/// A block's role, with its number among the roles of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Waits for what other PEs send.
    Receive(u32),
    /// Sends to other PEs.
    Send(u32),
    /// Computes.
    Compute(u64),
}

impl Plan {
    /// Returns the number of roles that may last as long as the kernel.
    #[inline(always)]
    pub const fn lasting(&self) -> u64 {
        self.receivers as u64 + self.senders as u64
    }

    /// Returns the number of all roles.
    #[inline(always)]
    pub const fn roles(&self) -> u64 {
        self.lasting() + self.computing
    }

    /// Returns the number of blocks that must be resident at the same time: one for each role that lasts, and one for
    /// the others.
    pub const fn resident(&self) -> u64 {
        self.lasting() + (self.computing > 0) as u64
    }

    /// Returns the role with this number, or `None` past the last one.
    #[inline(always)]
    pub const fn role(&self, number: u64) -> Option<Role> {
        let pairs = if self.receivers < self.senders { self.receivers } else { self.senders };
        if number < 2 * pairs as u64 {
            let index = (number / 2) as u32;
            Some(if number.is_multiple_of(2) { Role::Receive(index) } else { Role::Send(index) })
        } else if number < self.lasting() {
            let index = (number - pairs as u64) as u32;
            Some(if self.receivers > pairs { Role::Receive(index) } else { Role::Send(index) })
        } else if number < self.roles() {
            Some(Role::Compute(number - self.lasting()))
        } else {
            None
        }
    }
}

/// The counter, 0 before each launch.
pub trait Counter {
    /// Adds 1 and returns the value before; relaxed.
    fn draw(&self) -> u64;
    /// Sets it to 0; relaxed.
    fn reset(&self);
}

/// One block's draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draws {
    /// The number that it has drawn and not yet used, or the one past the last role.
    ahead: u64,
}

/// No number has been drawn ahead.
const NONE: u64 = u64::MAX;

impl Draws {
    /// Of a block that has just arrived.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // it is the beginning of something, not an empty one
    pub const fn new() -> Self {
        Self { ahead: NONE }
    }

    /// The block's next number. Once it is past the last role it stays.
    #[inline(always)]
    pub fn next<C: Counter>(&mut self, counter: &C, plan: &Plan, blocks: u64) -> u64 {
        let number = if self.ahead == NONE { counter.draw() } else { self.ahead };
        self.ahead = if number < plan.roles() { NONE } else { number };
        if number == plan.roles() + blocks - 1 {
            counter.reset();
        }
        number
    }

    /// The block begins this role now.
    #[inline(always)]
    pub fn begin<C: Counter>(&mut self, counter: &C, role: Role) {
        if matches!(role, Role::Compute(_)) {
            self.ahead = counter.draw();
        }
    }
}
