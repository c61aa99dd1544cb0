//! Locks.

use crate::routine::Family;

pub(super) const FAMILIES: &[Family] = &[];
