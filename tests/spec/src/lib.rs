//! Where the suite's programs are compiled and run.
#![forbid(unsafe_code)]

use cushmem_capi_tests::Rig;

/// [`Rig::find`], with the headers that the programs share.
pub fn rig(test: &str) -> Option<Rig> {
    let rig = Rig::find(&format!("spec::{test}"))?;
    rig.file("check.h", include_str!("../c/check.h"));
    rig.file("teams.h", include_str!("../c/teams.h"));
    Some(rig)
}
