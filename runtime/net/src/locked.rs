//! Memory that a network pins counts as locked, and a process may lock only so much (`RLIMIT_MEMLOCK`).

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use std::ffi::c_int;

/// The bit of the capability with which a process may lock as much as it likes (`CAP_IPC_LOCK`).
const IPC_LOCK: u32 = 14;

/// The memory that this process may lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Locked {
    /// None: as much as it likes.
    limit: Option<u64>,
    /// The bytes that are locked or pinned.
    now: u64,
}

/// Why a registration was refused, if it is for the limit of locked memory: the limit, what is needed, and the remedy.
pub(crate) fn refused_for_limit(code: c_int, bytes: usize) -> Option<String> {
    let (limit, _) = getrlimit(Resource::RLIMIT_MEMLOCK).ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    reason(code, bytes, Locked::of(limit, &status))
}

impl Locked {
    /// From the limit and the text of `/proc/self/status`.
    fn of(limit: u64, status: &str) -> Self {
        let field = |name| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
        let kib = |name| field(name).and_then(|text| text.strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0);
        let may_all = field("CapEff")
            .and_then(|text| u64::from_str_radix(text, 16).ok())
            .is_some_and(|capabilities| capabilities >> IPC_LOCK & 1 == 1);
        let limit = (limit != RLIM_INFINITY && !may_all).then_some(limit);
        Self { limit, now: (kib("VmLck") + kib("VmPin")) * 1024 }
    }
}

fn reason(code: c_int, bytes: usize, locked: Locked) -> Option<String> {
    let (limit, now) = (locked.limit?, locked.now);
    let needed = now + bytes as u64;
    // Otherwise there is another reason: memory is short, or the provider has no room.
    if code.abs() != libc::ENOMEM || needed <= limit {
        return None;
    }
    Some(format!(
        "this process may lock {limit} bytes and needs {needed}, of which it has locked {now}; raise the limit with \
         ulimit -l in front of the launcher, as memlock in /etc/security/limits.conf, or as LimitMEMLOCK= of the \
         service that starts the job"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "Name:\tapp\nVmLck:\t       4 kB\nVmPin:\t      60 kB\nCapEff:\t0000000000000000\n";
    const PRIVILEGED: &str = "CapEff:\t0000000000004000\n";

    #[test]
    fn the_limit_holds_without_the_capability() {
        assert_eq!(Locked::of(65536, STATUS), Locked { limit: Some(65536), now: 65536 });
        assert_eq!(Locked::of(RLIM_INFINITY, STATUS).limit, None);
        assert_eq!(Locked::of(65536, PRIVILEGED), Locked { limit: None, now: 0 });
        assert_eq!(Locked::of(65536, ""), Locked { limit: Some(65536), now: 0 });
    }

    #[test]
    fn only_the_limit_is_called_too_low() {
        let locked = Locked { limit: Some(8 << 20), now: 1 << 20 };
        let text = "this process may lock 8388608 bytes and needs 8388609, of which it has locked 1048576; raise ";
        for code in [-libc::ENOMEM, libc::ENOMEM] {
            let why = reason(code, (7 << 20) + 1, locked).expect("it is the limit");
            assert!(why.starts_with(text) && why.contains("ulimit -l") && why.contains("LimitMEMLOCK="), "{why}");
        }
        assert_eq!(reason(-libc::ENOMEM, 7 << 20, locked), None, "there is room");
        assert_eq!(reason(-libc::EINVAL, 8 << 20, locked), None, "another error");
        assert_eq!(reason(-libc::ENOMEM, 8 << 20, Locked { limit: None, ..locked }), None, "there is no limit");
    }

    /// What this system writes can be read.
    #[test]
    fn the_status_of_this_process_has_all_fields() {
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
        for field in ["VmLck:", "VmPin:", "CapEff:"] {
            assert!(status.lines().any(|line| line.starts_with(field)), "{field} is not in {status}");
        }
    }
}
