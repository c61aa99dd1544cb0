//! A job under `shmemrun`, with a watchdog.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use cushmem_scratch::Folder;
use nix::sys::signal::{SigHandler, Signal, kill};
use nix::unistd::Pid;
use xtask::launch;

use crate::leftovers::{Before, pids_with_mark, state};

/// Much longer than any job of these tests takes.
const WATCHDOG: Duration = Duration::from_secs(300);

/// A job to be started.
pub struct Job {
    command: Command,
    mark: String,
}

/// A job that has been started.
pub struct Running {
    child: Child,
    /// The mark in the command lines of all its processes.
    pub mark: String,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

/// A job that has ended.
#[derive(Debug)]
pub struct Finished {
    /// How `shmemrun` ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// The path of a program that cargo builds into the target folder.
pub fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests live in target/<profile>/deps");
    let path = folder.join(name);
    assert!(path.exists(), "{} is missing: run cargo build first", path.display());
    path
}

/// The path of the program that carries out the steps in its arguments.
pub fn fault_pe() -> PathBuf {
    built("fault-pe")
}

/// Restores the default actions of signals, which a test that runs in the background may lack.
fn with_default_actions(command: &mut Command) {
    let by_default = || {
        for signal in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM] {
            // SAFETY: no handler is installed.
            unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) }?;
        }
        Ok(())
    };
    // SAFETY: the closure only makes system calls.
    unsafe { command.pre_exec(by_default) };
}

/// Returns the mark that the command lines of a job's processes share.
fn next_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Relaxed: only the number has to be unique.
    format!("mark=fault-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Job {
    /// A job with these arguments for `shmemrun`. Leftovers can be found only if their arguments contain a mark, as
    /// those of [`Self::steps`] do.
    pub fn new<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Job {
        Job::with(Command::new(built("shmemrun")), args)
    }

    fn with<S: AsRef<std::ffi::OsStr>>(mut command: Command, args: impl IntoIterator<Item = S>) -> Job {
        command.args(args).stdin(Stdio::null());
        with_default_actions(&mut command);
        Job { command, mark: String::new() }
    }

    /// A job of `n` PEs of `fault-pe` that carry out these steps.
    pub fn steps(n: u32, options: &[&str], steps: &[&str]) -> Job {
        let shmemrun = built("shmemrun");
        // A test of the placement says itself where the PEs go.
        let job = if options.iter().any(|option| ["--map", "--nodes", "--hosts"].contains(option)) {
            Job::with(Command::new(shmemrun), ["-n", &n.to_string()])
        } else {
            Job::with(launch::shmemrun(&shmemrun, n), [""; 0])
        };
        job.of_steps(options, steps)
    }

    fn of_steps(mut self, options: &[&str], steps: &[&str]) -> Job {
        self.mark = next_mark();
        self.command.args(options).arg(fault_pe()).arg(&self.mark).args(steps);
        self
    }

    /// A job of `n` PEs of another program, on `nodes` nodes or where the test run has it. `words` are its arguments;
    /// in each, `{}` stands for the path of a folder for the program's files, whose name is the job's mark. The program
    /// is started through a link in it. It lies in the folder that is returned, which has to live as long as the job.
    pub fn program(n: u32, nodes: Option<u32>, name: &str, words: &[&str]) -> (Job, Folder) {
        let shmemrun = built("shmemrun");
        let start = nodes.map_or_else(|| launch::shmemrun(&shmemrun, n), |nodes| launch::on_nodes(&shmemrun, n, nodes));
        let mut job = Job::with(start, ["--timeout", "60"]);
        job.mark = next_mark();
        let folder = Folder::new("program").expect("make a folder");
        let marked = folder.join(&job.mark);
        std::fs::create_dir(&marked).expect("make a folder");
        let link = marked.join(name);
        std::os::unix::fs::symlink(built(name), &link).expect("make a link");
        let path = marked.to_str().expect("its name is text");
        job.command.arg(link).args(words.iter().map(|word| word.replace("{}", path)));
        (job, folder)
    }

    /// Processes of `fault-pe` that carry out these steps without a launcher. Each finds its number and the number of
    /// processes in `RANK` and `WORLD_SIZE`, and all have the same mark.
    pub fn loose(n: u32, steps: &[&str]) -> Vec<Job> {
        let mark = next_mark();
        let one = |rank: u32| {
            let mut job = Job::with(Command::new(fault_pe()), [&mark]);
            job.command.args(steps).env("RANK", rank.to_string()).env("WORLD_SIZE", n.to_string());
            job.mark.clone_from(&mark);
            job
        };
        (0..n).map(one).collect()
    }

    /// Sets a variable of the job's environment.
    pub fn env(mut self, name: &str, value: &str) -> Job {
        self.command.env(name, value);
        self
    }

    /// Starts it through another program, which comes with its own arguments and executes what follows.
    pub fn under(mut self, starter: &[&str]) -> Job {
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(self.command.get_program()).args(self.command.get_args()).stdin(Stdio::null());
        command.envs(self.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        with_default_actions(&mut command);
        self.command = command;
        self
    }

    /// Starts it in a terminal of its own, after these shell commands. What the terminal shows is its standard output.
    /// The words of its command line must be plain.
    pub fn in_a_terminal(self, setup: &str) -> Job {
        self.in_a_terminal_between(setup, "exit $status")
    }

    /// Like [`Self::in_a_terminal`], with commands to run afterwards, which find the exit status in `$status`.
    pub fn in_a_terminal_between(mut self, setup: &str, after: &str) -> Job {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        let words: Vec<&str> = words.map(|word| word.to_str().expect("plain words")).collect();
        let script = format!("{setup}; {}; status=$?; {after}", words.join(" "));
        let mut command = Command::new("script");
        command.args(["-qefc", &script, "/dev/null"]).env("SHELL", "/bin/sh").stdin(Stdio::null());
        command.envs(self.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        self.command = command;
        self
    }

    /// Starts it in this folder.
    pub fn folder(mut self, folder: &std::path::Path) -> Job {
        self.command.current_dir(folder);
        self
    }

    /// Starts it as another user.
    pub fn user(mut self, uid: u32) -> Job {
        self.command.uid(uid);
        self
    }

    /// Gives the job a file or pipe as standard input.
    pub fn stdin(mut self, stdin: impl Into<Stdio>) -> Job {
        self.command.stdin(stdin);
        self
    }

    /// Starts it.
    pub fn start(mut self) -> Running {
        let mut child = self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("shmemrun starts");
        let stdout = collect(child.stdout.take().expect("stdout is a pipe"));
        let stderr = collect(child.stderr.take().expect("stderr is a pipe"));
        Running { child, mark: self.mark, stdout, stderr }
    }

    /// Starts it with this standard output and standard error, which [`Finished`] then lacks.
    pub fn start_with(mut self, stdout: impl Into<Stdio>, stderr: impl Into<Stdio>) -> Running {
        let child = self.command.stdout(stdout).stderr(stderr).spawn().expect("shmemrun starts");
        Running { child, mark: self.mark, stdout: channel().1, stderr: channel().1 }
    }

    /// Starts it and waits for its end.
    pub fn run(self) -> Finished {
        self.start().finish()
    }
}

impl Running {
    /// The process that the test started: the launcher's front.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().cast_signed())
    }

    /// The child of that process, which may not exist yet.
    pub fn keeper(&self) -> Pid {
        eventually("the keeper starts", || child_with_name(self.pid(), "cushmem-keeper"))
    }

    /// The child of the keeper, which may not exist yet.
    pub fn supervisor(&self) -> Pid {
        eventually("the supervisor starts", || {
            assert_ne!(state(self.pid()), Some('Z'), "the job {} has ended", self.mark);
            self.supervisor_now()
        })
    }

    /// The same at this moment: none if it has not started, or if the job is over.
    pub fn supervisor_now(&self) -> Option<Pid> {
        child_with_name(child_with_name(self.pid(), "cushmem-keeper")?, "cushmem-superv")
    }

    /// The answer of `shmemrun --status` about this job.
    pub fn status(&self) -> Finished {
        Job::new(["--status".to_string(), self.pid().to_string()]).run()
    }

    /// Waits until `shmemrun --status` shows all of these texts, and returns its answer.
    #[track_caller]
    pub fn expect_status(&self, texts: &[&str]) -> String {
        self.expect_status_that(|answer| texts.iter().all(|text| answer.contains(text)))
    }

    /// Waits until the answer of `shmemrun --status` is one of these, and returns it.
    #[track_caller]
    pub fn expect_status_that(&self, is_expected: impl Fn(&str) -> bool) -> String {
        expect_status_of(&self.pid().to_string(), is_expected)
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).expect("the front has not been reaped");
    }

    /// Waits until the job's standard output holds `text` `count` times, and returns what it holds.
    pub fn wait_for_output(&self, text: &str, count: usize) -> String {
        wait_for(&self.stdout, text, count, &self.stderr)
    }

    /// Waits until the job's standard error holds `text` `count` times, and returns what it holds.
    pub fn wait_for_errors(&self, text: &str, count: usize) -> String {
        wait_for(&self.stderr, text, count, &self.stdout)
    }

    /// Waits for its end, but not for other processes that hold its output. Returns the exit status as a shell shows
    /// it.
    pub fn wait_for_end(&mut self) -> i32 {
        shell_code(self.wait(Instant::now() + WATCHDOG))
    }

    fn wait(&mut self, deadline: Instant) -> ExitStatus {
        loop {
            if let Some(status) = self.child.try_wait().expect("it is a child") {
                return status;
            }
            if Instant::now() >= deadline {
                let _ = self.child.kill();
                panic!("watchdog: the job {} took over {} s", self.mark, WATCHDOG.as_secs());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end; fails if the watchdog has to end it.
    pub fn finish(mut self) -> Finished {
        let deadline = Instant::now() + WATCHDOG;
        let status = self.wait(deadline);
        Finished { status, stdout: rest(&self.stdout, deadline), stderr: rest(&self.stderr, deadline) }
    }
}

/// Runs a job that its time limit ends, until what it says contains all of these texts. `job` gets the limit: PEs that
/// have not come as far within a short one get a longer one. Nothing may be left behind.
#[track_caller]
pub fn expect_at_time_limit(job: impl Fn(&str) -> Job, texts: &[&str]) -> Finished {
    let mut limits = ["1", "4", "16"].into_iter();
    loop {
        let before = Before::look();
        let job = job(limits.next().expect("the last one has been judged")).start();
        let mark = job.mark.clone();
        let job = job.finish();
        before.expect_nothing_left(&mark, "after the time limit");
        if limits.len() == 0 || texts.iter().all(|text| job.stderr.contains(text)) {
            job.expect(124, texts);
            return job;
        }
        println!("the time limit was too short: {job:#?}");
    }
}

/// Runs a job that must end with this status and say all of these texts if its PEs come in time for the wait limit that
/// `job` gets, in seconds. On a busy machine they may not, and get a longer one. `{}` in a text stands for the limit.
#[track_caller]
pub fn expect_within_wait_limit(job: impl Fn(u32) -> Job, code: i32, texts: &[&str]) {
    for limit in [3, 9, 27] {
        let job = job(limit).env("CUSHMEM_WAIT_LIMIT_S", &limit.to_string()).run();
        let texts: Vec<_> = texts.iter().map(|text| text.replace("{}", &limit.to_string())).collect();
        if limit == 27 || job.code() == code && texts.iter().all(|text| job.stderr.contains(text)) {
            return job.expect(code, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
        println!("{limit} s were too short: {job:#?}");
    }
}

/// Repeats `shmemrun --status JOB` until the answer is one of these, and returns it. A single answer may show PEs on
/// their way to what they are waiting in, and a PE that gets no core in time does not answer.
#[track_caller]
pub fn expect_status_of(job: &str, is_expected: impl Fn(&str) -> bool) -> String {
    let deadline = Instant::now() + WATCHDOG;
    loop {
        let status = Job::new(["--status", job]).run();
        if is_expected(&status.stdout) {
            assert_eq!((status.code(), status.stderr.as_str()), (0, ""));
            return status.stdout;
        }
        assert!(Instant::now() < deadline, "the last answer: {status:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The children of a process; none if it has just ended.
pub fn children(parent: Pid) -> Vec<Pid> {
    let text = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
    text.split_whitespace().map(|pid| Pid::from_raw(pid.parse().expect("a number"))).collect()
}

fn child_with_name(parent: Pid, name: &str) -> Option<Pid> {
    let has_name =
        |pid: &Pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|comm| comm.trim() == name);
    children(parent).into_iter().find(has_name)
}

/// Repeats the look until there is a result.
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + WATCHDOG;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "this did not come: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Running {
    /// A test that fails must leave no processes behind. In one that succeeds, leftovers must stay so that they are
    /// found.
    fn drop(&mut self) {
        if !self.mark.is_empty() && std::thread::panicking() {
            for pid in pids_with_mark(&self.mark) {
                let _ = kill(pid, Signal::SIGKILL);
            }
        }
    }
}

impl Finished {
    /// The exit status as a shell shows it.
    pub fn code(&self) -> i32 {
        shell_code(self.status)
    }

    /// Fails unless the exit status is this one and standard error contains each text.
    pub fn expect(&self, code: i32, texts: &[&str]) {
        assert_eq!(self.code(), code, "{self:#?}");
        for text in texts {
            assert!(self.stderr.contains(text), "'{text}' is not in {self:#?}");
        }
    }
}

fn shell_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// Reads a pipe in a thread of its own, so that a full one never holds the job.
fn collect(mut pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(bytes @ 1..) = pipe.read(&mut buffer) {
            if sender.send(String::from_utf8_lossy(&buffer[..bytes]).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

fn wait_for(receiver: &Receiver<String>, text: &str, count: usize, other: &Receiver<String>) -> String {
    let deadline = Instant::now() + WATCHDOG;
    let mut output = String::new();
    while output.matches(text).count() < count {
        let left = deadline.saturating_duration_since(Instant::now());
        let lacks = || -> String {
            let other: String = other.try_iter().collect();
            panic!("'{text}' did not come: {output}\nthe other stream: {other}")
        };
        output += &receiver.recv_timeout(left).unwrap_or_else(|_| lacks());
    }
    output
}

/// Returns the rest of the output up to the pipe's end. A process that was left behind would keep the pipe open.
fn rest(receiver: &Receiver<String>, deadline: Instant) -> String {
    let mut text = String::new();
    loop {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(part) => text += &part,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return text,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("the job's output is still open after its end"),
        }
    }
}
