//! Tests the numbers of registrations.

use super::{MOST, next_number};

/// Catches a job that cannot register any more after a million registrations, and a number that two ranges have.
#[test]
fn numbers_are_used_again() {
    assert_eq!(next_number(0, &[]), Some(1));
    assert_eq!(next_number(7, &[3, 7]), Some(8));
    assert_eq!(next_number(MOST - 1, &[1, 2, 4]), Some(MOST));
    assert_eq!(next_number(MOST, &[1, 2, 4]), Some(3));
    assert_eq!(next_number(MOST - 1, &[MOST, 1, 2]), Some(3));
}
