//! What people type: the spellings of other launchers, several programs, wrappers, gdb, programs in the current folder.

use cushmem_scratch::Folder;
use std::io::Write;

use cushmem_fault_tests::{Job, fault_pe};

/// Returns what a job prints, with its lines in order.
fn printed(args: &[&str]) -> Vec<String> {
    let job = Job::new(args).run();
    job.expect(0, &[]);
    let mut lines: Vec<String> = job.stdout.lines().map(str::to_string).collect();
    lines.sort();
    lines
}

/// A separate folder for a test.
fn folder(name: &str) -> Folder {
    Folder::new(name).expect("a folder")
}

fn write_script(path: &std::path::Path, text: &str) {
    xtask::executable::write(path, text).expect("a script");
}

#[test]
fn the_number_of_pes_is_written_in_any_way() {
    for number in [&["-n", "2"][..], &["-np", "2"], &["--np", "2"], &["-N", "2"], &["-n", "2", "--oversubscribe"]] {
        let args = [number, &["sh", "-c", "echo $CUSHMEM_PE of $CUSHMEM_N_PES"]].concat();
        assert_eq!(printed(&args), ["0 of 2", "1 of 2"], "{number:?}");
    }
}

#[test]
fn programs_on_both_sides_of_a_colon_are_one_job() {
    let say = |name| format!("echo $CUSHMEM_PE of $CUSHMEM_N_PES: {name} $V");
    let (one, two) = (say("one"), say("two"));
    let args = ["-n", "2", "sh", "-c", &one, ":", "-n", "1", "-x", "V=x", "sh", "-c", &two];
    assert_eq!(printed(&args), ["0 of 3: one", "1 of 3: one", "2 of 3: two x"]);
    let program = fault_pe();
    let program = program.to_str().expect("a plain path");
    let part = ["-np", "2", program, "join", "place", "fence=x", "finalize"];
    assert_eq!(printed(&[&part[..], &[":"], &part[..]].concat()), ["0 0", "1 1", "2 2", "3 3"]);
}

#[test]
fn a_colon_of_the_programs_own_comes_after_two_hyphens() {
    assert_eq!(printed(&["-n", "1", "--", "echo", ":", "-n", "2"]), [": -n 2"]);
    let job = Job::new(["-n", "1", "echo", ":", "echo"]).run();
    job.expect(2, &["after ':', which starts another program unless -- comes before the first one: "]);
}

#[test]
fn variables_are_passed_and_set() {
    let script = "echo $A-$B-$CUDA_MODULE_LOADING";
    let args = ["-n", "1", "-x", "A=1", "-x", "B", "-x", "CUDA_MODULE_LOADING=LAZY", "sh", "-c", script];
    let job = Job::new(args).env("B", "outside").run();
    assert_eq!((job.stdout.as_str(), job.stderr.as_str()), ("1-outside-LAZY\n", ""), "{job:?}");
    let job = Job::new(["-n", "1", "-x", "NO_SUCH_VARIABLE", "true"]).run();
    job.expect(0, &["-x NO_SUCH_VARIABLE: the variable is not set"]);
}

#[test]
fn a_program_starts_in_its_folder_and_is_found_there() {
    let folder = folder("found");
    write_script(&folder.join("program-of-this-folder"), "#!/bin/sh\necho $PWD\n");
    let path = folder.to_str().expect("a plain path");
    for option in ["-wdir", "--wdir"] {
        assert_eq!(printed(&["-n", "1", option, path, "program-of-this-folder"]), [path]);
    }
    let job = Job::new(["-n", "1", "program-of-this-folder"]).folder(&folder).run();
    assert_eq!((job.stdout, job.stderr), (format!("{path}\n"), String::new()));
    // Programs in PATH take precedence.
    write_script(&folder.join("true"), "#!/bin/sh\nexit 3\n");
    Job::new(["-n", "1", "true"]).folder(&folder).run().expect(0, &[]);
}

#[test]
fn wrappers_start_all_pes_or_one() {
    let script = "echo $CUSHMEM_PE: $A $B";
    let args = ["-n", "2", "--wrap", "env A=all B=some", "--wrap", "1:env B=one", "sh", "-c", script];
    assert_eq!(printed(&args), ["0: all some", "1: all one"]);
    let steps = ["join", "gather=100", "fence=x", "finalize"];
    Job::steps(2, &["--wrap", "1:nice"], &steps).run().expect(0, &[]);
    Job::new(["-n", "1", "--wrap", "no-such-wrapper", "true"]).run().expect(127, &["'no-such-wrapper': not found"]);
}

#[test]
fn gdb_gets_its_program_and_the_terminal() {
    let folder = folder("gdb");
    // This program prints its arguments and its folder.
    let script = "#!/bin/sh\n\
        echo gdb $*.\n\
        set -- $(sed 's/.*) //' /proc/$$/stat)\n\
        [ $3 = $6 ] && echo in the foreground\n\
        [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo on the terminal\n\
        stty raw\n\
        echo limit $CUSHMEM_WAIT_LIMIT_S.\n";
    write_script(&folder.join("gdb"), script);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("there is a PATH"));
    let after = "set -- $(sed 's/.*) //' /proc/$$/stat); [ $3 = $6 ] && echo back; stty | grep -q raw || echo cooked; exit $status";
    // The other PE ends once the terminal belongs to the front again, which is three processes above.
    let other = "\
        field() { set -- $2 $(sed 's/.*) //' /proc/$1/stat); shift $1; echo $1; }\n\
        front=$(field $(field $(field $$ 2) 2) 2)\n\
        until [ $(field $$ 6) = $(field $front 3) ]; do sleep 0.02; done\n\
        echo given back\n";
    write_script(&folder.join("other"), &format!("#!/bin/sh\n{other}"));
    let options = ["-n", "1", "--gdb", "1", "--timeout", "30", "other", ":", "-n", "1", "true", "word"];
    let job = Job::new(options).env("PATH", &path);
    let job = job.in_a_terminal_between("true", after).run();
    for text in [
        "gdb --args true word.",
        "in the foreground",
        "on the terminal",
        "limit 86400.",
        "given back",
        "back\r\n",
        "cooked",
    ] {
        assert!(job.stdout.contains(text), "'{text}' is not in {job:?}");
    }
    assert_eq!(job.code(), 0, "{job:?}");
}

#[test]
fn ctrl_z_in_gdb_stops_the_job_until_the_shell_lets_it_go_on() {
    let folder = folder("ctrl-z");
    // This program stops itself, as gdb does.
    let script = "#!/bin/sh\n\
        kill -TSTP $$\n\
        set -- $(sed 's/.*) //' /proc/$$/stat)\n\
        [ $3 = $6 ] && echo in the foreground again\n";
    write_script(&folder.join("gdb"), script);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("there is a PATH"));
    let after = "echo stopped: $status.; fg; status=$?; echo ended: $status.; exit $status";
    let job = Job::new(["-n", "1", "--gdb", "0", "--timeout", "20", "true"]).env("PATH", &path);
    let job = job.in_a_terminal_between("set -m", after).run();
    let stopped = format!("stopped: {}.", 128 + nix::sys::signal::Signal::SIGSTOP as i32);
    for text in [&stopped, "in the foreground again", "ended: 0."] {
        assert!(job.stdout.contains(text), "'{text}' is not in {job:?}");
    }
    assert_eq!(job.code(), 0, "{job:?}");
}

#[test]
fn gdb_stops_in_a_pe_that_crashes() {
    if std::process::Command::new("gdb").arg("--version").output().is_err() {
        xtask::left_out::record("--gdb with a real gdb", "gdb is not installed");
        return;
    }
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(b"set style enabled off\nset debuginfod enabled off\nrun\nbt\nkill\nquit 3\n").expect("room");
    drop(writer);
    let steps = ["join", "fence=x", "1:signal=11", "sleep"];
    let job = Job::steps(2, &["--gdb", "1", "--timeout", "30"], &steps).stdin(reader).run();
    job.expect(3, &["PE 1 exited with status 3"]);
    assert!(job.stdout.contains("received signal SIGSEGV"), "{job:?}");
}
