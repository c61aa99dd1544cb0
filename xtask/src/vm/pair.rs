//! Two machines on one cable: jobs with PEs on both, of which the other one loses its power or its cable.

use super::each::Each;
use super::machine::{Hosts, all_well, boot};
use super::{Built, Options, SPARE_S, executable};
use crate::launch;
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::Path;

/// Tests of `tests/conformance` that run as jobs of both hosts.
const JOBS: [&str; 2] = ["put::host::non_blocking", "get::host::every_kind"];
/// The clauses of `tests/spec` that do. All of them run in the machine that is alone.
const CLAUSES: [&str; 3] = ["rma", "signals", "moves"];
/// Seconds that each may take, if the step has as many left.
const TEST_S: u64 = 180;
/// Seconds that a job may take to end behind the loss of a host.
const END_S: u64 = 40;
/// How each loss is brought about, on `h1`. The cable is out for longer than a job may take to end.
const CABLE: &str = "sleep 1; ip link set eth0 down; sleep 45; ip link set eth0 up";
const POWER: &str = "sleep 1; echo b >/proc/sysrq-trigger";

pub(super) fn suite(workspace: &Workspace, options: &Options, built: &Built) -> Result<()> {
    let pe = executable(workspace, &["build", "-p", "cushmem-fault-tests", "--bin", "fault-pe"], "fault-pe")?;
    let step_s = options.limit_s.saturating_sub(SPARE_S).max(1);
    let hosts = "CUSHMEM_NET=verbs CUSHMEM_RSH=rsh CUSHMEM_GPU=none";
    let variables = format!("{hosts} {}=h0,h1", launch::HOSTS);
    let conformance = Each {
        program: &built.conformance,
        names: JOBS.join(" "),
        variables: variables.clone(),
        step_s,
        test_s: TEST_S,
    };
    let spec = Each {
        program: &built.spec,
        names: CLAUSES.map(|clause| format!("{}{clause}", super::CLAUSES)).join(" "),
        variables: format!("{variables} {}={}", super::PROGRAMS, launch::word(&built.programs)),
        step_s,
        test_s: TEST_S,
    };
    let lost = |how| ending(&built.launcher, &pe, how, END_S);
    let jobs = [
        ("1-meet", meet()),
        ("2-jobs", conformance.script()),
        ("3-spec", spec.script()),
        ("4-cable", format!("export {hosts}\n{}{}", lost(CABLE), nothing_is_left())),
        // Nothing can be asked of the other host behind this.
        ("5-power", format!("export {hosts}\n{}", lost(POWER))),
    ];
    let jobs = jobs.map(|(name, script)| (name.to_owned(), script));
    let programs = [built.files()?, vec![pe]].concat();
    let ended = boot(workspace, Hosts::Two, &programs, &jobs, options.limit_s)?;
    all_well(&ended.failures(|name| ["2-jobs", "3-spec"].contains(&name)))
}

/// Waits until the other host answers.
fn meet() -> String {
    "for try in $(seq 60); do\n    [ \"$(timeout 5 rsh h1 hostname </dev/null 2>/dev/null)\" = h1 ] && echo 'h1 is there' && exit\n    \
     sleep 1\ndone\necho 'h1 does not answer'; exit 1\n"
        .to_owned()
}

/// Lines of the launcher, and of a PE, that say that `h1`, which has the PEs 2 and 3, is lost.
const LOST: [&str; 2] =
    [r"host h1 \(PEs 2, 3\) (has gone|has not answered)", "of PE [23] cannot be reached from here: "];

/// Starts a job of both hosts that works without an end, lets `h1` do something to itself, and waits for the end. It
/// must come behind that and in its time, as a failure, with a line that says that `h1` or a PE there is lost.
fn ending(launcher: &Path, pe: &Path, how: &str, limit_s: u64) -> String {
    format!(
        r#"said=$(mktemp) errors=$(mktemp)
# A process that has ended stays as a zombie until its parent asks.
goes_on() {{ grep -qs '^State:[^Z]*$' /proc/$job/status; }}
timeout -k 5 240 {} --oversubscribe --hosts h0:2,h1:2 {} mark=vm init traffic >"$said" 2>"$errors" &
job=$!
for try in $(seq 90); do
    [ "$(grep -c traffic "$said")" = 4 ] && break
    goes_on || break
    sleep 1
done
if [ "$(grep -c traffic "$said")" != 4 ]; then echo "not all PEs have begun"; cat "$said" "$errors"; kill $job; exit 1; fi
rsh h1 '({how}) >/dev/null 2>&1 &' </dev/null
goes_on || {{ cat "$errors"; echo "the job ended before anything was lost"; exit 1; }}
begun=$(date +%s)
while goes_on && [ $(($(date +%s) - begun)) -lt {limit_s} ]; do sleep 1; done
took=$(($(date +%s) - begun))
cat "$errors"
if goes_on; then echo "the job did not end in {limit_s} s"; kill $job; exit 1; fi
wait $job && code=0 || code=$?
if [ $code = 0 ] || [ $code = 124 ]; then echo "status $code"; exit 1; fi
grep -qE '{}' "$errors" || {{ echo "no line says that h1 or a PE there is lost"; exit 1; }}
echo "ended after $took s with status $code"
"#,
        launch::word(launcher),
        launch::word(pe),
        LOST.join("|"),
    )
}

/// Looks for PEs, launchers and files in shared memory on both hosts, when the cable is there again.
fn nothing_is_left() -> String {
    let look = "ls /dev/shm; ps -o args | grep -e mark=v[m] -e shmem[r]un";
    format!(
        "for try in $(seq 90); do\n    left=$(timeout 5 rsh h1 '{look}; echo looked' </dev/null 2>/dev/null)\n    \
         [ \"$left\" = looked ] && break\n    sleep 1\ndone\nhere=$({look})\n\
         [ \"$left$here\" = looked ] || {{ echo \"left on h1: $left; on h0: $here\"; exit 1; }}\n\
         echo 'nothing is left on h0 and h1'\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::image;
    use cushmem_scratch::Folder;
    use std::process::Command;

    /// What the step says, and its status, if the launcher is a script that ends so: behind the loss, or before it.
    fn told(name: &str, is_early: bool, end: &str) -> (String, bool) {
        let folder = Folder::new(name).expect("make a folder");
        let file = |name: &str| launch::word(&folder.join(name));
        let program = |name: &str, text: &str| {
            let path = folder.join(name);
            image::write_program(&path, &format!("#!/bin/sh\n{text}\n")).expect("write a program");
            path
        };
        let begin = format!("echo $PPID >{}; for pe in 0 1 2 3; do echo traffic; done", file("job"));
        let is_lost = format!("until [ -e {} ]; do sleep 0.01; done", file("lost"));
        let is_lost = if is_early { "" } else { &is_lost };
        let is_over =
            format!("while grep -qs '^State:[^Z]*$' /proc/$(cat {})/status; do sleep 0.01; done", file("job"));
        let launcher = program("launcher", &[&begin[..], is_lost, end].join("\n"));
        // As in the other machine, it comes somewhat later.
        let loss = format!("(sleep 0.5; touch {}) >/dev/null 2>&1 &", file("lost"));
        program("rsh", if is_early { &is_over } else { &loss });
        let mut path = std::ffi::OsString::from(folder.as_os_str());
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let script = ending(&launcher, Path::new("pe"), POWER, 3);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).env("PATH", path).env("TMPDIR", folder.as_os_str());
        let output = shell.output().expect("run a shell");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
    }

    /// Catches a job that survives the loss of a host, hangs, does not say whom it has lost, or ends by itself, but
    /// passes.
    #[test]
    fn a_job_must_end_with_a_line_that_names_who_is_lost() {
        let host = "echo 'shmemrun: host h1 (PEs 2, 3) has gone: the connection ended' >&2; exit 1";
        let peer = "echo 'network: host memory of PE 3 cannot be reached from here: put of 8 bytes' >&2; exit 1";
        for (name, end, line) in [("host", host, "connection ended"), ("peer", peer, "put of 8 bytes")] {
            let (said, passed) = told(name, false, end);
            assert!(passed && said.contains(&format!("{line}\nended after")), "{name}: {said}");
        }
        let nobody = "no line says that h1 or a PE there is lost";
        for (name, is_early, end, why) in [
            ("early", true, host, "the job ended before anything was lost"),
            ("well", false, "echo 'host h1 (PEs 2, 3) has gone' >&2; exit 0", "status 0"),
            ("nobody", false, "echo 'shmemrun: PE 2 exited with status 1' >&2; exit 1", nobody),
            ("itself", false, "echo 'shmemrun: host h1 (PEs 2, 3) has ended its PEs' >&2; exit 1", nobody),
            ("hangs", false, "exec sleep 100", "the job did not end in 3 s"),
        ] {
            let (said, passed) = told(name, is_early, end);
            assert!(!passed && said.contains(why), "{name}: {said}");
        }
    }
}
