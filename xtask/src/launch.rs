//! How the test suites start `shmemrun`: in one place, so that a whole run can be repeated with another placement of PEs.

use std::path::Path;
use std::process::Command;

/// A value of `shmemrun --map` for every job that a suite starts.
pub const VARIABLE: &str = "CUSHMEM_TEST_MAP";

/// A job for tests: this `shmemrun`, with the placement that the run of the tests asks for. Jobs whose test is about the placement,
/// and calls that start no job, do without.
pub fn shmemrun(program: &Path) -> Command {
    with_map(program, std::env::var(VARIABLE).ok().as_deref())
}

fn with_map(program: &Path, map: Option<&str>) -> Command {
    let mut command = Command::new(program);
    if let Some(map) = map.filter(|map| !map.is_empty()) {
        command.args(["--map", map]);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_follow_the_variable() {
        let words = |map| with_map(Path::new("shmemrun"), map).get_args().map(|w| w.to_owned()).collect::<Vec<_>>();
        assert!(words(None).is_empty() && words(Some("")).is_empty());
        assert_eq!(words(Some("random:1")), ["--map", "random:1"]);
    }
}
