//! `cargo xtask vm`: a virtual machine with a network of soft-RoCE, in which the tests of the provider `verbs` run.
//!
//! The processor is emulated, so neither KVM nor modules of this machine's kernel are needed. Soft-RoCE stores with the
//! kernel's `memcpy`. Of processors of Intel's family 15, the kernel knows no faster way than to move words, so an
//! aligned word is stored as a whole, as a card does; with `rep movsb`, it may be stored byte by byte.
//!
//! The machine ends with this process (`setpriv --pdeathsig`), and its files are removed, however it ends.

mod image;

use crate::bundle::executables;
use crate::launch;
use crate::left_out;
use crate::process::{cargo, run_limited};
use crate::ptx::Outcome;
use crate::soak::{failed, passed};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use image::{Contents, which};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What the command takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Seconds that each step may take in the machine
    #[arg(long, default_value_t = 600, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub limit_s: u64,
    /// Take this file of this machine along; may be given several times
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// Run this program of this machine there, instead of the suite
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub program: Vec<String>,
}

/// How long the machine may take to start and to end.
const BOOT: Duration = Duration::from_secs(120);
/// In the file of a test's list of what was left out, each line of a test that needs a device ends with this.
const OVER_VERBS: &str = "over verbs";
/// Measures the same as perftest, in the machine.
const EXAMPLE: &str = "verbs";

/// Runs `cargo xtask vm`.
pub fn vm(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    if let Err(why) = image::check(&workspace.target.join("tools")) {
        return Ok(Outcome::LeftOut(format!("{why:#}")));
    }
    match options.program.split_first() {
        Some((program, arguments)) => one(&workspace, options, Path::new(program), arguments)?,
        None => suite(&workspace, options)?,
    }
    Ok(Outcome::Done)
}

/// Whether this machine can have a virtual machine.
pub fn is_here(tools: &Path) -> bool {
    image::check(tools).is_ok()
}

fn one(workspace: &Workspace, options: &Options, program: &Path, arguments: &[String]) -> Result<()> {
    let program = if program.is_file() { program.canonicalize()? } else { which(&program.to_string_lossy())? };
    let words: Vec<String> = arguments.iter().map(|argument| launch::word(Path::new(argument))).collect();
    let script = format!("{} {}\n", launch::word(&program), words.join(" "));
    let with = options.with.iter().map(|file| file.canonicalize().with_context(|| file.display().to_string()));
    let files = with.chain([Ok(program)]).collect::<Result<Vec<_>>>()?;
    let ended = boot(workspace, options, &files, &[("1-program".to_owned(), script)])?;
    ended.iter().try_for_each(|job| job.check(false))
}

/// The tests of `runtime/net` for each provider, with the device, the times of perftest beside those of the provider,
/// what `shmem-info` says of the device, the report of the network, and some jobs.
fn suite(workspace: &Workspace, options: &Options) -> Result<()> {
    let net = executable(workspace, &["test", "--no-run", "-p", "cushmem-net", "--lib"], "cushmem_net")?;
    let probe = executable(workspace, &["build", "--release", "-p", "cushmem-net", "--example", EXAMPLE], EXAMPLE)?;
    let list = "/tmp/left-out";
    let tests = format!(
        "export {}={list}\n{} tests::verbs:: tests::providers:: --test-threads 1 || exit 1\n\
         if grep {} {list}; then exit 1; fi\n",
        left_out::VARIABLE,
        launch::word(&net),
        launch::word(Path::new(OVER_VERBS)),
    );
    let mut programs = vec![net, probe.clone()];
    let mut jobs = vec![("1-net".to_owned(), tests)];
    // Without perftest, only the provider's own times.
    let tools: Vec<PathBuf> = PERFTEST.iter().filter_map(|(tool, _)| which(tool).ok()).collect();
    let mut times = String::new();
    for (tool, arguments) in PERFTEST.iter().filter(|_| tools.len() == PERFTEST.len()) {
        times += &format!(
            "{tool} -d rxe0 -x 1 {arguments} >/dev/null 2>&1 & sleep 1; {tool} -d rxe0 -x 1 {arguments} 10.77.0.1 | \
             grep -v -e '^-' -e '^ *$' | tail -n 2 | sed 's/^/{tool}: /'; wait\n"
        );
    }
    times += &format!("{}\n", launch::word(&probe));
    let info = executable(workspace, &["build", "-p", "cushmem-info", "--bin", "shmem-info"], "shmem-info")?;
    let nics = "/tmp/nics";
    times += &format!("{} | sed -n '/^NICs/,/^$/p' >{nics}; cat {nics}\n", launch::word(&info));
    times += &format!("grep -q '^  a PE uses  *rxe0:1 ' {nics} || exit 1\n");
    let bench = executable(workspace, &["build", "-p", "shmem-bench", "--bin", "shmem-bench"], "shmem-bench")?;
    let (host, launcher) = conformance(workspace)?;
    times += &format!(
        "CUSHMEM_NET=verbs CUSHMEM_GPU=none timeout -k 5 200 {} -n 2 --nodes 2 {} net --report --rounds 3\n",
        launch::word(&launcher),
        launch::word(&bench),
    );
    jobs.push(("2-times".to_owned(), times));
    let step_s = options.limit_s.saturating_sub(SPARE_S).max(1);
    jobs.push(("3-jobs".to_owned(), on_two_nodes(&host, step_s, JOB_S)));
    programs.extend(tools.into_iter().chain([info, bench, host, launcher]));
    let ended = boot(workspace, options, &programs, &jobs)?;
    ended.iter().try_for_each(|job| job.check(job.name != "2-times"))
}

/// Tests of `tests/conformance` that run as jobs on two nodes over verbs. In an emulated machine with two processors,
/// an operation that a PE of another node has to answer takes milliseconds, so some others take minutes; and tests that
/// fill their heap pin all of it. These took up to 43 s.
const JOBS: [&str; 21] = [
    "check::host::freed_objects_of_the_rust_api",
    "collective::host::bits_do_not_depend_on_the_member",
    "collective::host::sums_of_what_hardly_changes",
    "driver::host::is_left_alone",
    "ends::checked::host::ranges",
    "ends::host::ranges",
    "errors::host::causes_are_values",
    "get::host::every_kind",
    "locks::host::who_comes_first_is_served_first",
    "nodes::memory::host::objects_lie_across_the_borders_of_pieces",
    "order::host::fence",
    "paths::mapped::host::every_kind",
    "put::host::across_pinned_parts",
    "put::host::non_blocking",
    "registered::host::memory_that_starts_anywhere",
    "resize::host::alignments",
    "resize::small::host::objects_grow_into_free_space",
    "signalled::host::data_come_before_their_signal",
    "status::host::who_is_late_is_named",
    "team::host::destroyed_teams_do_not_disturb_new_ones",
    "team::host::wrong_splits_are_refused",
];
/// Seconds that each may take, if the step has as many left.
const JOB_S: u64 = 120;
/// Seconds of the step that are kept for ending a job and for printing.
const SPARE_S: u64 = 30;

/// The program of these tests, and the launcher beside it.
fn conformance(workspace: &Workspace) -> Result<(PathBuf, PathBuf)> {
    let host = executable(workspace, &["test", "--no-run", "-p", "cushmem-conformance", "--test", "host"], "host")?;
    let launcher = executable(workspace, &["build", "-p", "cushmem-launcher", "--bin", "shmemrun"], "shmemrun")?;
    Ok((host, launcher))
}

/// Runs each of the tests and prints how long it took. Fails if one has failed, is not there, or does not end in
/// `job_s` seconds, and names those for which none of the `step_s` seconds are left. What a job that hangs has started
/// may outlive it, so nothing waits for the end of what it says.
fn on_two_nodes(host: &Path, step_s: u64, job_s: u64) -> String {
    format!(
        r#"export CUSHMEM_NET=verbs {}=2 {}=1
end=$(($(date +%s) + {step_s})) failed=0 said=$(mktemp)
for test in {}; do
    begun=$(date +%s)
    limit=$((end - begun))
    [ $limit -le {job_s} ] || limit={job_s}
    if [ $limit -le 0 ]; then
        failed=1; echo "test $test ... FAILED"; echo "$test: not run, because no time is left"
        continue
    fi
    timeout -k 5 $limit {} --exact "$test" >"$said" 2>&1 && code=0 || code=1
    took=$(($(date +%s) - begun))
    if [ $code = 0 ] && grep '^test result: ok. 1 passed' "$said"; then
        echo "$test: $took s"
        continue
    fi
    failed=1; echo "test $test ... FAILED"; cat "$said"
    if [ $took -ge $limit ]; then echo "$test: did not end in $limit s"; else echo "$test: failed after $took s"; fi
done
exit $failed
"#,
        launch::NODES,
        launch::OVERSUBSCRIBE,
        JOBS.join(" "),
        launch::word(host),
    )
}

/// The programs of perftest, and what they measure.
const PERFTEST: [(&str, &str); 4] = [
    ("ib_write_lat", "-s 8 -n 1000"),
    ("ib_read_lat", "-s 8 -n 1000"),
    ("ib_atomic_lat", "-A FETCH_AND_ADD -n 1000"),
    ("ib_write_bw", "-s 65536 -n 500"),
];

/// The program that a command of cargo builds.
fn executable(workspace: &Workspace, arguments: &[&str], name: &str) -> Result<PathBuf> {
    let built = executables(workspace, cargo().args(arguments))?;
    let found = built.into_iter().find(|(artifact, _)| artifact.target.name == name).map(|(_, path)| path);
    found.with_context(|| format!("cargo has not built {name}"))
}

/// How a job ended.
#[derive(Debug, PartialEq, Eq)]
struct Job {
    name: String,
    said: String,
    /// Its exit status, if it ended.
    status: Option<i32>,
}

impl Job {
    /// Prints what it said; fails if it did, or if it is to run tests and ran none.
    fn check(&self, has_tests: bool) -> Result<()> {
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

/// Removes a folder when it is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Starts the machine with these programs, and returns how the jobs ended.
fn boot(workspace: &Workspace, options: &Options, programs: &[PathBuf], jobs: &[(String, String)]) -> Result<Vec<Job>> {
    let kernel = image::kernel(&workspace.target.join("tools"))?;
    let folder = Folder(workspace.target.join(format!("vm-{}", std::process::id())));
    fs::create_dir_all(&folder.0)?;
    let contents = Contents { programs, jobs, limit_s: options.limit_s };
    let initrd = image::pack(&folder.0, &kernel, &contents)?;
    let (console, out) = (folder.0.join("console"), folder.0.join("out"));
    let file = |path: &Path| format!("file:{}", path.display());
    let limit = BOOT + Duration::from_secs(options.limit_s) * jobs.len() as u32;
    let mut qemu = Command::new("setpriv");
    qemu.args(["--pdeathsig", "KILL", "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi"])
        .args(["-cpu", "max,vendor=GenuineIntel,family=15,-erms,-fsrm", "-m", "6144", "-smp", "2"])
        .args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"])
        .args(["-serial", &file(&console), "-serial", &file(&out)])
        .arg("-kernel")
        .arg(kernel.join("vmlinuz"))
        .arg("-initrd")
        .arg(initrd)
        .args(["-append", "console=ttyS0 quiet panic=-1 mitigations=off"]);
    let start = Instant::now();
    let (ended, said) = run_limited(&mut qemu, limit)?;
    let text = |path: &Path| {
        let bytes = fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).replace('\r', "")
    };
    let all = read(&text(&out), jobs);
    println!("vm: {} s, {} jobs", start.elapsed().as_secs(), jobs.len());
    if let Some(how) = ended.failure().or_else(|| all.iter().any(|job| job.status.is_none()).then(String::new)) {
        all.iter().for_each(|job| print!("== {}\n{}", job.name, job.said));
        bail!("the virtual machine: {how}\n{said}\n{}", text(&console));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// What a step says that runs this program for each test of the jobs.
    fn run(program: &str, step_s: u64, job_s: u64) -> Job {
        let script = on_two_nodes(Path::new(program), step_s, job_s);
        let output = Command::new("sh").args(["-c", &script]).output().expect("run a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Job { name: "3-jobs".to_owned(), said, status: output.status.code() }
    }

    /// Runs a step with a program of this text.
    fn run_script(text: &str, step_s: u64, job_s: u64) -> Job {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // Relaxed: only the number matters.
        let name = format!("cushmem-vm-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().join(name));
        fs::create_dir_all(&folder.0).expect("make a folder");
        let program = folder.0.join("host");
        image::write_program(&program, text).expect("write a program");
        run(&program.to_string_lossy(), step_s, job_s)
    }

    /// Catches a test over verbs that fails unnoticed, or is not counted.
    #[test]
    fn each_test_of_the_jobs_counts() {
        let none = run("/bin/true", 600, JOB_S);
        let all = format!("3-jobs: status 1; failed: {}", JOBS.join(", "));
        assert!(none.check(true).is_err_and(|error| error.to_string() == all));
        let script = format!(
            "#!/bin/sh\necho test result: ok. $([ $2 != {} ]; echo $((1 - $?))) passed\n[ $CUSHMEM_NET$2 != verbs{} ]\n",
            JOBS[2], JOBS[1]
        );
        let two_failed = run_script(&script, 600, JOB_S);
        let why = two_failed.check(true).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("3-jobs: status 1; failed: {}, {}", JOBS[1], JOBS[2])), "{}", two_failed.said);
        let has_time = |test: &&str| two_failed.said.lines().any(|line| line.starts_with(&format!("{test}: ")));
        assert!(JOBS.iter().all(has_time), "{}", two_failed.said);
    }

    /// Catches a job that hangs and is not named, that keeps the step from its end because what it has started goes on,
    /// and tests that are not run and not named, because the step has no time left.
    #[test]
    fn a_job_that_hangs_is_named_and_the_step_ends_in_time() {
        let script =
            |hangs: &str| format!("#!/bin/sh\n{hangs} && {{ sleep 20 & sleep 20; }}\necho test result: ok. 1 passed\n");
        let start = Instant::now();
        let one = run_script(&script(&format!("[ $2 = {} ]", JOBS[4])), 600, 1);
        assert!(one.said.contains(&format!("\n{}: did not end in 1 s\n", JOBS[4])), "{}", one.said);
        let why = one.check(true).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("3-jobs: status 1; failed: {}", JOBS[4])));
        let all = run_script(&script("true"), 3, 2);
        let times: Vec<&str> = all.said.lines().filter(|line| line.starts_with(JOBS[20])).collect();
        assert_eq!(times, [format!("{}: not run, because no time is left", JOBS[20])], "{}", all.said);
        assert!(all.check(true).is_err_and(|why| why.to_string().contains(&JOBS.join(", "))), "{}", all.said);
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    }

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
}
