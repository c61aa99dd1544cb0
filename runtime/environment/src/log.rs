//! The library's own messages, all of which go to stderr through this module.
//!
//! Without `CUSHMEM_LOG`, errors, warnings and information are printed as they are. With it, the user chooses by level
//! and module, and each line also says when it was written, by which PE on which node, its level and its module. Output
//! that the user asks for, such as that of `SHMEM_INFO`, and what kernels and programs print is no message.

use crate::settings::BadValue;
use crate::{LOG, PE};
use std::fmt;
use std::io::Write;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A reason to end the job. Nothing turns these off.
    Error,
    /// Something that the user should look at.
    Warn,
    /// Something that the user may want to know.
    Info,
    /// What the library does; `SHMEM_DEBUG` shows these, too.
    Debug,
}

impl Level {
    const ALL: [Level; 4] = [Level::Error, Level::Warn, Level::Info, Level::Debug];

    const fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which messages are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Filter {
    /// Of modules that have no level of their own.
    level: Level,
    /// By module; the last one that matches counts.
    modules: Vec<(String, Level)>,
}

impl Filter {
    /// `LEVEL[,module=LEVEL]`, in any order.
    fn parse(text: &str) -> Result<Self, String> {
        let level = |name: &str| {
            let known = || Level::ALL.map(Level::name).join(", ");
            Level::of_name(name).ok_or_else(|| format!("`{}` is not one of {}", name.escape_debug(), known()))
        };
        let mut filter = Filter { level: Level::Info, modules: vec![] };
        for item in text.split(',') {
            match item.split_once('=') {
                None => filter.level = level(item)?,
                Some(("", _)) => return Err(format!("`{}` has no module", item.escape_debug())),
                Some((module, name)) => filter.modules.push((module.to_owned(), level(name)?)),
            }
        }
        Ok(filter)
    }

    fn level_of(&self, module: &str) -> Level {
        let own = self.modules.iter().rev().find(|(name, _)| is_part(name, module));
        own.map_or(self.level, |(_, level)| *level)
    }
}

/// The name of a module for users: without the library's own name before it.
fn short(module: &str) -> &str {
    ["cushmem_", "cushmem::"].iter().find_map(|own| module.strip_prefix(own)).unwrap_or(module)
}

/// Whether the module has this name, or lies in one that has it.
fn is_part(name: &str, module: &str) -> bool {
    let rest = short(module).strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// `CUSHMEM_LOG`; none if it is not set, or is none.
fn filter() -> Option<&'static Filter> {
    static FILTER: OnceLock<Option<Filter>> = OnceLock::new();
    let read = || LOG.value().filter(|value| !value.is_empty()).and_then(|text| Filter::parse(&text).ok());
    FILTER.get_or_init(read).as_ref()
}

/// Whether the value of `CUSHMEM_LOG` is one.
pub fn check_log() -> Result<(), BadValue> {
    match LOG.value().filter(|value| !value.is_empty()) {
        None => Ok(()),
        Some(text) => Filter::parse(&text).map(drop).map_err(|cause| BadValue::of(&LOG, cause)),
    }
}

/// The PE and the node of this process, once they are known.
static PLACE: OnceLock<(u32, u32)> = OnceLock::new();

/// Says which PE this process is, and on which node, for the lines of [`write`]. The first call counts.
pub fn set_place(pe: u32, node: u32) {
    let _ = PLACE.set((pe, node));
}

/// Whether messages of this level and module are printed.
pub fn is_on(level: Level, module: &str) -> bool {
    let chosen = filter().map_or(Level::Info, |filter| filter.level_of(module));
    level <= chosen || level == Level::Debug && crate::debugs()
}

/// What each line begins with.
const OWN: &str = "cushmem: ";

/// Like [`write`], of a line that has its beginning and its end already. Other text is printed as it is.
pub fn write_line(level: Level, module: &str, line: &str) -> bool {
    match line.strip_prefix(OWN).and_then(|line| line.strip_suffix('\n')) {
        Some(text) if !text.contains('\n') => write(level, module, text),
        _ => std::io::stderr().write_all(line.as_bytes()).is_ok(),
    }
}

/// Prints a message, which is one line without its end, if its level is on. Returns whether stderr could be written.
pub fn write(level: Level, module: &str, line: &str) -> bool {
    if !is_on(level, module) {
        return true;
    }
    let stamp = filter().map(|_| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        stamp(now, PLACE.get().copied(), level, module)
    });
    let line = format!("{OWN}{}{line}\n", stamp.unwrap_or_default());
    // In one call, so that lines of several PEs do not mix.
    std::io::stderr().write_all(line.as_bytes()).is_ok()
}

fn stamp(now: Duration, place: Option<(u32, u32)>, level: Level, module: &str) -> String {
    let (seconds, us) = (now.as_secs() % 86_400, now.subsec_micros());
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let place = match (place, PE.value()) {
        (Some((pe, node)), _) => format!("PE {pe}, node {node}"),
        (None, Some(pe)) => format!("PE {pe}"),
        (None, None) => "no PE yet".into(),
    };
    format!("{hours:02}:{minutes:02}:{seconds:02}.{us:06}, {place}, {level}, {}: ", short(module))
}

/// Prints a message of this module through [`write`](crate::log::write()): `log!(Warn, "{what} is late")`.
#[macro_export]
macro_rules! log {
    ($level:ident, $($text:tt)*) => {
        $crate::log::write($crate::log::Level::$level, module_path!(), &format!($($text)*))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a level that counts for another module, and one that is misspelt and taken for something.
    #[test]
    fn the_last_module_that_matches_counts() {
        let filter = Filter::parse("warn,service=debug,gpu::cuda=error,service::trigger=info").expect("a filter");
        for (module, level) in [
            ("cushmem::job", Level::Warn),
            ("cushmem::service", Level::Debug),
            ("cushmem::service::proxy::rounds", Level::Debug),
            ("cushmem::service::trigger", Level::Info),
            ("cushmem::services", Level::Warn),
            ("cushmem_gpu::cuda::module", Level::Error),
            ("cushmem_gpu::soft", Level::Warn),
            ("theirs::service", Level::Warn),
        ] {
            assert_eq!(filter.level_of(module), level, "{module}");
        }
        assert_eq!(Filter::parse("job=debug").map(|filter| filter.level), Ok(Level::Info));
        for (text, why) in [
            ("loud", "`loud` is not one of error, warn, info, debug"),
            ("warn,", "`` is not one of error, warn, info, debug"),
            ("warn,job=3", "`3` is not one of error, warn, info, debug"),
            ("=warn", "`=warn` has no module"),
        ] {
            assert_eq!(Filter::parse(text), Err(why.to_owned()));
        }
    }

    #[test]
    fn a_line_says_when_and_whose_it_is() {
        let now = Duration::new(86_400 * 20_000 + 3_723, 4_005_999);
        let line = stamp(now, Some((3, 1)), Level::Warn, "cushmem::sync::spin");
        assert_eq!(line, "01:02:03.004005, PE 3, node 1, warn, sync::spin: ");
    }
}
