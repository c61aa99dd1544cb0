//! The limit on CPU time that this process's control groups set.

use std::path::Path;

use crate::error::{TopologyError, optional};

/// Returns the smallest limit between this process's control group and the root, in thousandths of a CPU.
///
/// Version 2 of control groups has one hierarchy, in which `cpu.max` contains `<quota> <period>` in microseconds, or
/// `max <period>`. Version 1 has a hierarchy for the CPU controller, with a file for each of the two numbers; a quota
/// of -1 means no limit. A container may not see its own path below the mount; its group is then the root there.
pub(crate) fn quota(root: &Path) -> Result<Option<u64>, TopologyError> {
    let groups = optional::<String>(&root.join("proc/self/cgroup"))?.unwrap_or_default();
    let mount = root.join("sys/fs/cgroup");
    let mut limits = Vec::new();
    for group in up_to_the_root(path_of(&groups, "")) {
        limits.extend(of_version_2(&mount.join(group).join("cpu.max"))?);
    }
    for group in up_to_the_root(path_of(&groups, "cpu")) {
        limits.extend(of_version_1(&mount.join("cpu").join(group))?);
    }
    Ok(limits.into_iter().min())
}

/// Returns the path of this process in the hierarchy of a controller, from lines of the form
/// `<number>:<controllers>:<path>`. The hierarchy of version 2 does not name a controller.
fn path_of<'a>(groups: &'a str, controller: &str) -> &'a Path {
    let path = groups.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|one| one == controller).then_some(path)
    });
    Path::new(path.unwrap_or_default().trim_start_matches('/'))
}

/// Returns the path and all of its parents, without those outside of the mount, which start with `..`.
fn up_to_the_root(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().filter(|group| !group.starts_with(".."))
}

fn of_version_2(file: &Path) -> Result<Option<u64>, TopologyError> {
    let Some(text) = optional::<String>(file)? else { return Ok(None) };
    let mut words = text.split_whitespace();
    match (words.next(), words.next().and_then(|period| period.parse::<u64>().ok())) {
        (Some("max"), _) => Ok(None),
        (Some(quota), Some(period)) if period > 0 => match quota.parse::<u64>() {
            Ok(quota) => Ok(Some(milli_cpus(quota, period))),
            Err(_) => Err(TopologyError::Parse { path: file.into(), cause: format!("'{text}' is not a quota") }),
        },
        _ => Err(TopologyError::Parse { path: file.into(), cause: format!("'{text}' is not a quota and a period") }),
    }
}

fn of_version_1(group: &Path) -> Result<Option<u64>, TopologyError> {
    let quota = optional::<i64>(&group.join("cpu.cfs_quota_us"))?.and_then(|quota| u64::try_from(quota).ok());
    let period = optional::<u64>(&group.join("cpu.cfs_period_us"))?.filter(|period| *period > 0);
    Ok(quota.zip(period).map(|(quota, period)| milli_cpus(quota, period)))
}

fn milli_cpus(quota: u64, period: u64) -> u64 {
    quota.saturating_mul(1000) / period
}
