//! Starts virtual machines, one alone or two on one cable, and reads how their jobs have ended.

use super::image::{self, Contents};
use crate::process::run_limited;
use crate::soak::{failed, passed};
use crate::workspace::Workspace;
use anyhow::{Result, bail, ensure};
use cushmem_scratch::Folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a machine may take to start and to end.
const BOOT: Duration = Duration::from_secs(120);

/// How many machines there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hosts {
    /// `h0`, with a device of soft-RoCE that nobody else reaches.
    Alone,
    /// `h0` and `h1` on one cable. `h1` runs what `h0` asks it to run (`rsh HOST LINE`), and ends behind it.
    Two,
}

impl Hosts {
    /// The megabytes of memory, and the processors, of each machine.
    fn size(self) -> [&'static str; 2] {
        match self {
            Self::Alone => ["6144", "2"],
            Self::Two => ["3072", "1"],
        }
    }
}

/// How a job ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) name: String,
    pub(super) said: String,
    /// Its exit status, if it ended.
    pub(super) status: Option<i32>,
}

impl Job {
    /// Prints what it said; fails if it did, or if it is to run tests and ran none.
    pub(super) fn check(&self, has_tests: bool) -> Result<()> {
        println!("== {}", self.name);
        print!("{}", self.said);
        match self.status {
            None => bail!("{} did not end", self.name),
            Some(0) if has_tests && passed(&self.said) == 0 => bail!("{}: no test ran", self.name),
            Some(0) => Ok(()),
            Some(status) => bail!("{}: status {status}; failed: {}", self.name, failed(&self.said).join(", ")),
        }
    }
}

/// The jobs, from what the machine wrote.
fn read(said: &str, names: &[(String, String)]) -> Vec<Job> {
    let of = |(name, _): &(String, String)| {
        let after = said.split_once(&format!("@begin {name}\n")).map_or("", |(_, after)| after);
        let (said, rest) = after.split_once(&format!("@end {name} ")).unwrap_or((after, ""));
        let status = rest.lines().next().and_then(|status| status.parse().ok());
        Job { name: name.clone(), said: said.to_owned(), status }
    };
    names.iter().map(of).collect()
}

/// How a boot has ended.
pub(super) struct Ended {
    pub(super) jobs: Vec<Job>,
    /// Why `h0` did not end well, if it did not.
    failure: Option<String>,
    /// What the machines have written to their consoles.
    consoles: String,
}

impl Ended {
    /// Prints what all jobs said and, if anything has failed, the consoles. Returns what has failed.
    pub(super) fn failures(&self, has_tests: impl Fn(&str) -> bool) -> Vec<String> {
        let checks = self.jobs.iter().filter_map(|job| job.check(has_tests(&job.name)).err());
        let mut failures: Vec<String> = checks.map(|why| why.to_string()).collect();
        failures.extend(self.failure.iter().map(|how| format!("the virtual machine: {how}")));
        if !failures.is_empty() {
            println!("== consoles\n{}", self.consoles);
        }
        failures
    }
}

/// Fails with all of these, if there are any.
pub(super) fn all_well(failures: &[String]) -> Result<()> {
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Ends a machine when it is dropped.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the machines with these programs, and returns how the jobs of `h0` have ended. Each may take `limit_s`.
pub(super) fn boot(
    workspace: &Workspace,
    hosts: Hosts,
    programs: &[PathBuf],
    jobs: &[(String, String)],
    limit_s: u64,
) -> Result<Ended> {
    let kernel = image::kernel(&workspace.target.join("tools"))?;
    let folder = Folder::within(&workspace.target, "vm")?;
    let initrd = image::pack(&folder, &kernel, &Contents { programs, jobs, limit_s })?;
    let limit = BOOT + Duration::from_secs(limit_s) * jobs.len() as u32;
    let start = Instant::now();
    let other = match hosts {
        Hosts::Alone => None,
        Hosts::Two => {
            let mut other = qemu(&folder, &kernel, &initrd, hosts, 1);
            Some(Machine(other.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
        }
    };
    let (ended, said) = run_limited(&mut qemu(&folder, &kernel, &initrd, hosts, 0), limit)?;
    drop(other);
    let text = |name: &str| {
        let bytes = fs::read(folder.join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).replace('\r', "")
    };
    let jobs = read(&text("out-0"), jobs);
    println!("vm: {} s, {} jobs", start.elapsed().as_secs(), jobs.len());
    let failure = ended.failure().map(|how| format!("{how}\n{said}"));
    Ok(Ended { jobs, failure, consoles: text("console-0") + &text("console-1") })
}

/// The command that starts a machine.
fn qemu(folder: &Path, kernel: &Path, initrd: &Path, hosts: Hosts, host: u8) -> Command {
    let file = |name: &str| folder.join(format!("{name}-{host}")).display().to_string();
    let [memory, processors] = hosts.size();
    let mut qemu = Command::new("setpriv");
    qemu.args(["--pdeathsig", "KILL", "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi"])
        .args(["-cpu", "max,vendor=GenuineIntel,family=15,-erms,-fsrm", "-m", memory, "-smp", processors])
        .args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"])
        .args(["-serial", &format!("file:{}", file("console")), "-serial", &format!("file:{}", file("out"))])
        .arg("-kernel")
        .arg(kernel.join("vmlinuz"))
        .arg("-initrd")
        .arg(initrd)
        .args(["-append", &format!("console=ttyS0 quiet panic=-1 mitigations=off host={host}")]);
    if hosts == Hosts::Two {
        // Each end of the cable is a socket, to which the other one sends its packets.
        let end = |host: u8| folder.join(format!("cable-{host}")).display().to_string();
        let [own, other] = [end(host), end(1 - host)];
        let cable = format!("dgram,id=cable,local.type=unix,local.path={own},remote.type=unix,remote.path={other}");
        let card = format!("virtio-net-pci,netdev=cable,mac=52:54:00:00:00:{host:02},host_mtu=4200");
        qemu.args(["-netdev", &cable, "-device", &card]);
    }
    qemu
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a job that is taken for one that passed, because it did not end, ran no test, or failed.
    #[test]
    fn only_a_job_that_ended_well_has_passed() {
        let names = ["1-a", "2-b", "3-c", "4-d"].map(|name| (name.to_owned(), String::new()));
        let said = "@begin 1-a\ntest result: ok. 3 passed; 0 failed\n@end 1-a 0\n@begin 2-b\ntest x ... FAILED\n\
                    @end 2-b 101\n@begin 3-c\ntest result: ok. 1 passed; 0 failed\n";
        let jobs = read(said, &names);
        let outcome = |at: usize| jobs[at].check(true).map_err(|error| error.to_string());
        assert_eq!(outcome(0), Ok(()));
        assert_eq!(outcome(1), Err("2-b: status 101; failed: x".to_owned()));
        assert_eq!([outcome(2), outcome(3)], ["3-c did not end", "4-d did not end"].map(|why| Err(why.to_owned())));
        let none = Job { said: String::new(), ..read(said, &names).swap_remove(0) };
        assert!(none.check(true).is_err_and(|error| error.to_string() == "1-a: no test ran"));
        assert!(none.check(false).is_ok());
    }

    /// Catches a failure that hides those behind it.
    #[test]
    fn all_failures_are_named() {
        let job = |name: &str, status| Job { name: name.to_owned(), said: String::new(), status };
        let jobs = vec![job("1-a", Some(2)), job("2-b", Some(0)), job("3-c", None)];
        let mut ended = Ended { jobs, failure: Some("killed".to_owned()), consoles: String::new() };
        let why = |ended: &Ended| all_well(&ended.failures(|_| false)).map_err(|error| error.to_string());
        assert_eq!(
            why(&ended),
            Err("1-a: status 2; failed: \n3-c did not end\nthe virtual machine: killed".to_owned())
        );
        ended.jobs.retain(|job| job.status == Some(0));
        ended.failure = None;
        assert_eq!(why(&ended), Ok(()));
    }
}
