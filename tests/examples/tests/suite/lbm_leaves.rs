//! lbm's outputs: saved states, from which a run resumes as if it had never stopped, figures, files, and comparisons
//! with physics.

use cushmem_examples_tests::built;
use cushmem_scratch::Folder;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use xtask::launch;
use xtask::process::run_limited;

const LIMIT_S: u64 = 240;

/// A job of lbm on emulated GPUs.
fn lbm(n: u32, words: &[&str]) -> Command {
    lbm_in(launch::shmemrun(&built("shmemrun"), n), words)
}

fn lbm_in(mut job: Command, words: &[&str]) -> Command {
    job.env("CUSHMEM_GPU", "soft").args(["--timeout", &LIMIT_S.to_string()]).arg(built("lbm")).args(words);
    job
}

/// Returns what a job prints, and whether it succeeded.
fn run(n: u32, words: &[&str]) -> (bool, String) {
    let (ended, said) = run_limited(&mut lbm(n, words), Duration::from_secs(LIMIT_S + 10)).expect("shmemrun starts");
    (ended.failure().is_none(), said)
}

/// Returns the hash of the bits of a job that must succeed.
fn hash(n: u32, words: &[&str]) -> String {
    let (went_well, said) = run(n, &[words, &["--hash", "--json", "--no-verify"]].concat());
    let hash = said.split("\"hash\":\"").nth(1).and_then(|rest| rest.split('"').next());
    assert!(went_well && hash.is_some(), "{words:?} with {n} PEs:\n{said}");
    hash.unwrap_or_default().to_owned()
}

fn folder(test: &str) -> Folder {
    Folder::new(test).expect("the temporary folder can be written")
}

fn file(folder: &Folder, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

/// Returns the number of steps in the header of a saved state, if there is one.
fn steps(file: &Path) -> Option<u64> {
    let text = fs::read(file).ok()?;
    let head = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
    head.lines().find_map(|line| line.strip_prefix("steps "))?.parse().ok()
}

const PROBLEM: [&str; 9] = ["--grid", "16x12x14", "--radius", "4", "--relax", "30", "--eo", "2", "--bubble"];

/// Catches a state that is damaged or incomplete, whenever the job is killed: here, after a random number of steps. The
/// run that resumes has a different number of PEs, a decomposition in other directions and another mode, and ends with
/// the same bits as a run that was never stopped.
#[test]
fn a_job_killed_at_a_random_step_goes_on_with_the_same_bits() {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").subsec_nanos();
    println!("seed {seed}");
    let folder = folder("killed");
    // The first job is killed before gravity acts, unless it dies too slowly; the second is killed after that.
    for (element, at_least, pes, [mode, other_mode]) in
        [("f32", 1, 3, ["host", "stream"]), ("f64", 30, 4, ["triggered", "fused"])]
    {
        let at_least = at_least + u64::from(seed % 20);
        let (file, copy) = (file(&folder, element), file(&folder, "copy"));
        let words = [&PROBLEM[..], &["--type", element]].concat();
        let endless = ["--iters", "1000000000", "--no-verify", "--save", &file, "--save-every", "3", "--mode", mode];
        let mut job = lbm(2, &[&words[..], &endless].concat());
        let mut child = job.stdout(Stdio::null()).spawn().expect("shmemrun starts");
        let start = Instant::now();
        while steps(Path::new(&file)).is_none_or(|steps| steps < at_least) {
            assert!(start.elapsed() < Duration::from_secs(LIMIT_S), "no state of {at_least} steps");
            assert!(child.try_wait().expect("a child").is_none(), "the job ended by itself");
            std::thread::yield_now();
        }
        child.kill().expect("a child");
        child.wait().expect("a child");
        // The job's PEs die a little later, and may still save.
        fs::copy(&file, &copy).expect("a state");
        let done = steps(Path::new(&copy)).expect("a state");
        let iters = (done + 7).to_string();
        let cut_otherwise = if pes == 3 { "1x3x1" } else { "2x1x2" };
        let words_of_the_next = ["--iters", &iters, "--pe-grid", cut_otherwise, "--mode", other_mode];
        let restored = hash(pes, &[&["--restore", &copy], &words_of_the_next[..]].concat());
        let whole = hash(1, &[&words[..], &["--iters", &iters]].concat());
        assert_eq!(restored, whole, "seed {seed}, {element}, killed after {done} steps, {mode} and {other_mode}");
    }
}

/// Returns the processor time of each PE of the job that runs this program with this mark in its environment.
fn pes(program: &str, mark: &str) -> Vec<(u32, Duration)> {
    let folders = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
    let found = folders.filter_map(|folder| {
        let read = |file: &str| fs::read(folder.join(file)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let is_pe = read("comm").ok()?.trim() == program && read("environ").ok()?.contains(mark);
        let stat = read("stat").ok()?;
        let ticks: u64 = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2).flat_map(str::parse::<u64>).sum();
        let pid = folder.file_name()?.to_str()?.parse().ok()?;
        is_pe.then_some((pid, Duration::from_millis(10 * ticks)))
    });
    found.collect()
}

/// Stops one of the two PEs of a job while their kernels run. Returns what the job said when it had failed.
pub fn stop_a_pe(job: &mut Command, program: &str, mode: &str) -> String {
    let mark = format!("STOP_TEST_MARK={mode}-{}", std::process::id());
    let (name, value) = mark.split_once('=').expect("a name and a value");
    let mut job = job.env(name, value).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("shmemrun starts");
    let start = Instant::now();
    let stopped = loop {
        assert!(start.elapsed() < Duration::from_secs(LIMIT_S), "{mode}: two PEs: {:?}", pes(program, &mark));
        match pes(program, &mark)[..] {
            [(pid, time), (_, other)] if time.min(other) > Duration::from_secs(1) => break pid.to_string(),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    // Nothing that a PE shows says that its kernel runs. If the PE stops before, the other one waits for it in a
    // barrier, which has no limit; so it goes on after a while, and stops again.
    while job.try_wait().expect("a child").is_none() {
        for (signal, seconds) in [("-STOP", 10), ("-CONT", 1)] {
            // There is nobody to signal if the job has just ended.
            Command::new("kill").args([signal, &stopped]).stderr(Stdio::null()).status().expect("kill starts");
            let sent = Instant::now();
            while sent.elapsed() < Duration::from_secs(seconds) && job.try_wait().expect("a child").is_none() {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
    let ended = job.wait_with_output().expect("a child");
    assert!(!ended.status.success(), "{mode}");
    assert_eq!(pes(program, &mark), [], "{mode}: PEs are left");
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

/// Catches blocks that wait forever for a PE that has stopped, and a message that does not say for whom they waited.
#[test]
fn a_kernel_gives_up_waiting_for_a_pe_that_has_stopped() {
    for mode in ["device", "fused"] {
        let words = ["--size", "12", "--iters", "1000000000", "--no-verify", "--mode", mode, "--limit", "2"];
        // If the PEs are not mapped, a put waits for the PE that has stopped, and no limit of lbm ends that.
        let said = stop_a_pe(&mut lbm_in(launch::mapped(&built("shmemrun"), 2), &words), "lbm", mode);
        let late = |pe: u32| format!("nothing came from PE {pe} within 2 s (--limit)");
        assert!(said.contains("step ") && (said.contains(&late(0)) || said.contains(&late(1))), "{mode}: {said}");
    }
}

/// Catches a state that depends on which PEs save it, and values that are changed when a state is restored.
#[test]
fn a_state_is_the_same_file_whoever_saves_it() {
    let folder = folder("same");
    let mut states = vec![];
    for (n, iters) in [(1, "5"), (2, "5"), (6, "5")] {
        let file = file(&folder, &n.to_string());
        hash(n, &[&PROBLEM[..], &["--iters", iters, "--save", &file]].concat());
        states.push(fs::read(&file).expect("a state"));
    }
    assert!(states.iter().all(|state| *state == states[0]));
    // No steps are left to carry out, and no warm-up steps are made.
    let again = file(&folder, "again");
    let (went_well, said) = run(3, &["--restore", &file(&folder, "1"), "--save", &again, "--warmup", "1000000000"]);
    assert!(went_well && said.contains("\nspeed     not measured: no step was left"), "{said}");
    assert!(fs::read(&again).expect("a state") == states[0]);
}

/// Catches figures, pictures and files that depend on the decomposition. Only the borders in the picture may.
#[test]
fn what_a_run_leaves_is_the_same_for_any_number_of_pes() {
    let folder = folder("leaves");
    let bubble = ["--grid", "20x18x22", "--radius", "6", "--eo", "2", "--bubble", "--iters", "5", "--measure"];
    let mut left = vec![];
    for (n, pe_grid) in [(1, "1x1x1"), (2, "1x2x1"), (6, "3x1x2")] {
        let [vtk, png] = ["vti", "png"].map(|end| file(&folder, &format!("{n}.{end}")));
        let (went_well, said) = run(n, &[&bubble[..], &["--pe-grid", pe_grid, "--vtk", &vtk, "--png", &png]].concat());
        let is_figure = |line: &&str| ["drop ", "velocity ", "pressure "].iter().any(|name| line.starts_with(name));
        let figures: Vec<String> = said.lines().filter(is_figure).map(str::to_owned).collect();
        assert!(went_well && figures.len() == 3, "{said}");
        assert!(fs::read(&png).expect("a picture").starts_with(b"\x89PNG"));
        left.push((figures, fs::read(&vtk).expect("a file")));
    }
    assert_eq!((&left[0].0, &left[0].0), (&left[1].0, &left[2].0));
    assert!(left.iter().all(|(_, vtk)| *vtk == left[0].1), "other VTK files");
    // The header, and five values of four bytes for each cell.
    assert!((5 * 4 * 20 * 18 * 22..5 * 4 * 20 * 18 * 22 + 2000).contains(&left[0].1.len()));
}

/// Catches missing figures that suppress all other output: a drop no larger than its interface has no inside, but the
/// rest of the run is valid.
#[test]
fn a_drop_that_cannot_be_measured_leaves_the_report_and_the_file() {
    let folder = folder("unmeasured");
    let file = file(&folder, "vti");
    let words = ["--size", "16", "--iters", "3", "--relax", "0", "--measure", "--hash", "--vtk", &file];
    let (went_well, said) = run(2, &words);
    for part in
        ["drop      not measured: a radius of ", "\nhash ", "\nresult    verified", "measure the drop: a radius of "]
    {
        assert!(!went_well && said.matches(part).count() == 1, "{part:?}:\n{said}");
    }
    assert!(fs::metadata(&file).expect("a file").len() > 5 * 4 * 16 * 16 * 16);
}

/// Catches a report that is lost together with a file that cannot be written.
#[test]
fn files_that_cannot_be_written_leave_the_report() {
    for option in ["--png", "--vtk"] {
        let (went_well, said) = run(2, &["--size", "12", "--iters", "3", option, "/dev/full"]);
        assert!(!went_well && said.contains("/dev/full") && said.contains("\nresult    verified"), "{said}");
    }
}

/// Catches files that are lost with a report that cannot be printed.
#[test]
fn a_report_that_cannot_be_printed_leaves_the_files() {
    let folder = folder("full");
    let [vtk, png] = ["vti", "png"].map(|name| file(&folder, name));
    let mut job = Command::new(built("lbm"));
    job.env("CUSHMEM_GPU", "soft").args(["--size", "12", "--iters", "3", "--vtk", &vtk, "--png", &png]);
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let ended = job.stdout(full).output().expect("lbm starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("write to stdout: "), "{said}");
    let left = |file: &str| fs::read(file).expect("a file");
    assert!(left(&vtk).ends_with(b"</VTKFile>\n") && left(&png).ends_with(b"IEND\xaeB`\x82"));
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2);
}

/// Catches a comparison with physics that passes whatever the result.
#[test]
fn a_check_says_whether_physics_holds() {
    let bubble = ["--check", "bubble", "--size", "30", "--json"];
    let (went_well, said) = run(2, &[&bubble[..], &["--iters", "250"]].concat());
    assert!(went_well && said.contains("\"passed\":true"), "{said}");
    let (went_well, said) = run(2, &[&bubble[..], &["--iters", "5"]].concat());
    assert!(!went_well && said.contains("\"passed\":false") && said.contains("is not within 15 %"), "{said}");
    // Drops whose pressure is too high at the start.
    let laplace = ["--check", "laplace", "--size", "30", "--width", "3", "--tau-g", "2", "--json"];
    let (went_well, said) = run(2, &laplace);
    assert!(went_well && said.contains("\"passed\":true"), "{said}");
    let (went_well, said) = run(2, &[&laplace[..], &["--iters", "1"]].concat());
    assert!(!went_well && said.contains("\"passed\":false") && said.contains("is not within 5 %"), "{said}");
    let (went_well, said) = run(1, &["--check", "laplace", "--size", "30"]);
    assert!(!went_well && said.contains("too small for an interface"), "{said}");
}

/// Catches a file that is not refused with one line that says which file and why.
#[test]
fn a_damaged_cut_or_foreign_file_is_refused() {
    let folder = folder("refused");
    let good = file(&folder, "good");
    hash(2, &[&PROBLEM[..], &["--iters", "3", "--save", &good]].concat());
    let bytes = fs::read(&good).expect("a state");
    let mut damaged = bytes.clone();
    damaged[4096 + 1000] ^= 1;
    let cases: [(&str, &[u8], &str); 4] = [
        ("foreign", b"P6 2 2 255 ", "it is not a state of lbm"),
        ("cut", &bytes[..bytes.len() - 9], "it is truncated: it has "),
        ("damaged", &damaged, "its data is damaged"),
        ("newer", &[b"cushmem lbm state, version 7", &bytes[28..]].concat(), "it is of version 7"),
    ];
    for (name, bytes, why) in cases {
        let file = file(&folder, name);
        fs::write(&file, bytes).expect("a file");
        let (went_well, said) = run(2, &["--restore", &file]);
        let complaints = said.lines().filter(|line| line.contains(why) && line.contains(&file)).count();
        assert!(!went_well && complaints == 1, "{name}:\n{said}");
    }
    let (went_well, said) = run(2, &["--restore", &file(&folder, "none")]);
    assert!(!went_well && said.contains("No such file"), "{said}");
    let (went_well, said) = run(2, &["--restore", &good, "--iters", "2"]);
    assert!(!went_well && said.contains("has made 3 steps after relaxation, which count: use at least 3"), "{said}");
}
