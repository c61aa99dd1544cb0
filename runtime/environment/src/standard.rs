//! The variables of the specification that make the library print something (OpenSHMEM 1.6, chapter 8). Any value
//! except the empty one turns them on, even 0.

use crate::{Audience, DEBUG, Default, INFO, TABLE, VERSION, Variable};
use std::fmt::Write;

/// Returns what one PE of the job prints at the start, if the user asked for it.
pub fn announcement() -> Option<String> {
    text(is_on(&VERSION), is_on(&INFO), Variable::value)
}

/// Whether `SHMEM_DEBUG` is on.
pub fn debugs() -> bool {
    is_on(&DEBUG)
}

fn is_on(variable: &Variable) -> bool {
    variable.value().is_some_and(|value| !value.is_empty())
}

fn text(version: bool, info: bool, value: impl Fn(&Variable) -> Option<String>) -> Option<String> {
    if !version && !info {
        return None;
    }
    let mut text = format!("cushmem {}, an implementation of OpenSHMEM 1.6\n", env!("CARGO_PKG_VERSION"));
    for variable in TABLE.iter().filter(|v| info && v.audience == Audience::User) {
        let state = match (value(variable), variable.default) {
            (Some(value), _) => format!("is {}", value.escape_debug()),
            (None, Default::Value(default)) => format!("not set, which means {default}"),
            (None, Default::Words("not set")) => "not set".to_owned(),
            (None, Default::Words(words)) => format!("not set, which means {words}"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} ({state}): {}", variable.name, variable.meaning);
    }
    Some(text.replace('`', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_was_asked_for() {
        let set = |v: &Variable| (v.name == "SHMEM_SYMMETRIC_SIZE").then(|| "1.5G".to_owned());
        assert_eq!(text(false, false, set), None);
        let version = text(true, false, set).expect("a line");
        assert!(
            version.starts_with("cushmem ") && version.ends_with("OpenSHMEM 1.6\n") && version.lines().count() == 1
        );
        let all = text(false, true, set).expect("lines");
        assert!(all.starts_with(&version), "{all}");
        for start in [
            "SHMEM_SYMMETRIC_SIZE (is 1.5G): How many bytes",
            "CUSHMEM_GPU (not set, which means auto): ",
            "SHMEM_DEBUG (not set): ",
        ] {
            assert!(all.lines().any(|l| l.starts_with(start)), "{start}: {all}");
        }
        assert!(!all.contains("CUSHMEM_BOOTSTRAP_FD"), "{all}");
    }
}
