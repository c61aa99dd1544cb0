//! Waits that may give up.

/// Looks until there is something. `pause` is called between two looks, and returns false once the limit of the wait
/// has passed. One more look follows: the lane or thread may have been stopped for a while, and what came while it was
/// not looking is not late.
///
/// The first look is not in the loop. So its loads can be issued together with what comes before the wait; at the head
/// of a loop, they wait until a ticket that was just taken has come.
#[inline(always)]
pub(crate) fn poll<T>(mut look: impl FnMut() -> Option<T>, mut pause: impl FnMut() -> bool) -> Option<T> {
    let mut found = look();
    while found.is_none() {
        let is_late = !pause();
        found = look();
        if is_late {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// Catches a lane that was stopped until the limit had passed, and takes what has come by then as late.
    #[test]
    fn what_has_come_by_the_limit_is_found() {
        let word = Cell::new(None);
        let stopped = || {
            word.set(Some(5));
            false
        };
        assert_eq!(poll(|| word.get(), stopped), Some(5));
    }

    #[test]
    fn a_wait_ends_with_its_limit() {
        let (looks, pauses) = (Cell::new(0), Cell::new(0));
        let look = || {
            looks.set(looks.get() + 1);
            None::<u32>
        };
        let pause = || {
            pauses.set(pauses.get() + 1);
            pauses.get() < 3
        };
        assert_eq!(poll(look, pause), None);
        assert_eq!((looks.get(), pauses.get()), (4, 3));
    }
}
