//! Places that are filled in the order of tickets and used again: slots and chunks of the command ring, and slots of a
//! queue of tasks. Whoever empties places counts them, far from those that fill them.

use crate::poll::poll;

/// Waits until the place of a ticket is free again, out of `places`. `seen` returns what some lane has seen of a
/// count in the memory of whoever empties places, and `look` loads that count itself.
#[inline(always)]
pub(crate) fn await_place(
    ticket: u64,
    places: u64,
    seen: impl Fn() -> u64,
    look: impl Fn() -> u64,
    pause: impl Fn() -> bool,
) -> Option<()> {
    let is_free = || {
        let ahead = ticket.wrapping_sub(seen());
        // Of all waiting lanes, only the one that gets the next free place polls: polls of the others would fill the
        // bus.
        ahead < places || (ahead == places && ticket.wrapping_sub(look()) < places)
    };
    poll(|| is_free().then_some(()), pause)
}
