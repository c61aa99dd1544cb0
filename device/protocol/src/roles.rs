//! Roles of a kernel's blocks: one counter hands them out, in the order in which blocks arrive.
//!
//! A launch has roles that receive, roles that send and roles that compute. They are numbered in this order:
//!
//! ```text
//!   receive 0, send 0, receive 1, send 1, … the rest of the larger kind | compute 0, compute 1, …
//! ```
//!
//! A block draws the lowest free number, carries out that role and draws again, until it draws a number past the last
//! role. So the first block to arrive receives and the second one sends, whatever their numbers in the grid.
//!
//! **Who may wait for whom.** Receiving and sending roles *last*: they may run as long as the kernel and may wait for
//! every role. A computing role ends. It may wait for lasting roles and for computing roles with lower numbers,
//! provided that these waits form no circle.
//!
//! **Why nobody waits forever.** A block that has arrived keeps running, but blocks that do not fit on the GPU arrive
//! only when others have ended. The lasting roles have the lowest numbers. So if [`Plan::resident`] blocks are resident
//! together, running blocks have drawn all lasting roles, and at least one block is left for the computing roles. Now
//! take the unfinished computing role with the lowest number. If a block has drawn it, that block carries it out: every
//! role that the block drew before had a lower number, and is finished. The role then waits only for roles that are
//! finished or that last. If no block has drawn it, all computing roles that were drawn are finished, so the block that
//! is left draws it.
//!
//! **Drawing ahead.** A block that starts a computing role draws its next number at once, so that it need not wait for
//! the counter later. The argument above still holds, because a block's numbers grow. A block that starts a lasting
//! role draws nothing, because others may be waiting for the role that it would draw.
//!
//! **No reset between launches.** Each block draws one number past the last role, and stops. The last of these draws is
//! `roles + blocks - 1`. The block that gets this number knows that no block will draw again, and sets the counter to
//! 0. The next launch on the same stream sees the 0, because the end of a kernel orders all memory. Nothing else needs
//! an order here: the roles synchronise through words of their own.

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

    /// Returns the number of blocks that must be resident at the same time: one for each lasting role, and one for the
    /// others.
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
    /// Adds 1 and returns the previous value; relaxed.
    fn draw(&self) -> u64;
    /// Sets it to 0; relaxed.
    fn reset(&self);
}

/// One block's draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draws {
    /// The number that the block has drawn but not yet used, or the one past the last role.
    ahead: u64,
}

/// No number has been drawn ahead.
const NONE: u64 = u64::MAX;

impl Draws {
    /// The draws of a block that has just arrived.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // a start, not an empty collection
    pub const fn new() -> Self {
        Self { ahead: NONE }
    }

    /// Returns the block's next number. Once that is past the last role, it stays the same.
    #[inline(always)]
    pub fn next<C: Counter>(&mut self, counter: &C, plan: &Plan, blocks: u64) -> u64 {
        let number = if self.ahead == NONE { counter.draw() } else { self.ahead };
        self.ahead = if number < plan.roles() { NONE } else { number };
        if number == plan.roles() + blocks - 1 {
            counter.reset();
        }
        number
    }

    /// Called when the block starts this role.
    #[inline(always)]
    pub fn begin<C: Counter>(&mut self, counter: &C, role: Role) {
        if matches!(role, Role::Compute(_)) {
            self.ahead = counter.draw();
        }
    }
}
