//! What the specification has only for old programs, as far as it is not a form of what is still current.

use crate::routine::Family;

pub(super) const FAMILIES: &[Family] = &[];
