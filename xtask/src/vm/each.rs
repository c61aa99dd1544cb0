//! A step in a virtual machine that runs tests of a program one by one, each with a limit.

use crate::launch;
use crate::left_out::{RAN, VARIABLE};
use std::path::Path;

/// The tests of a step.
pub(super) struct Each<'a> {
    pub(super) program: &'a Path,
    /// Their names, or what a shell makes them of.
    pub(super) names: String,
    /// Variables, as words of a shell.
    pub(super) variables: String,
    /// Seconds for all of them.
    pub(super) step_s: u64,
    /// Seconds that each may take, if the step has as many left.
    pub(super) test_s: u64,
}

impl Each<'_> {
    /// Runs each of the tests and prints how long it took. Fails if one has failed, is not there, was left out, or does
    /// not end in its time, and names those for which the step has none left. What a job that hangs has started may
    /// outlive it, so nothing waits for the end of what it says.
    pub(super) fn script(&self) -> String {
        let Self { names, variables, step_s, test_s, .. } = self;
        format!(
            r#"export {variables} {VARIABLE}=$(mktemp)
end=$(($(date +%s) + {step_s})) failed=0 said=$(mktemp)
for test in {names}; do
    begun=$(date +%s)
    limit=$((end - begun))
    [ $limit -le {test_s} ] || limit={test_s}
    if [ $limit -le 0 ]; then
        failed=1; echo "test $test ... FAILED"; echo "$test: not run, because no time is left"
        continue
    fi
    : >"${VARIABLE}"
    timeout -k 5 $limit {} --include-ignored --exact "$test" >"$said" 2>&1 && code=0 || code=1
    took=$(($(date +%s) - begun)) left_out=$(grep -v '^{RAN}' "${VARIABLE}")
    if [ $code = 0 ] && [ -z "$left_out" ] && grep '^test result: ok. 1 passed' "$said"; then
        echo "$test: $took s"
        continue
    fi
    failed=1; echo "test $test ... FAILED"; cat "$said"
    if [ $took -ge $limit ]; then echo "$test: did not end in $limit s"
    elif [ -n "$left_out" ]; then echo "$test: left out: $left_out"
    else echo "$test: failed after $took s"; fi
done
exit $failed
"#,
            launch::word(self.program),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::image;
    use crate::vm::machine::Job;
    use cushmem_scratch::Folder;
    use std::process::Command;
    use std::time::{Duration, Instant};

    const NAMES: [&str; 6] = ["put::one", "put::two", "get::one", "get::two", "order::fence", "order::quiet"];
    const TEST_S: u64 = 120;

    /// What a step says that runs this program for each test of the jobs, and keeps its files in this folder.
    fn run(folder: &Path, program: &str, step_s: u64, test_s: u64) -> Job {
        let (program, names, variables) = (Path::new(program), NAMES.join(" "), "CUSHMEM_NET=verbs".to_owned());
        let script = Each { program, names, variables, step_s, test_s }.script();
        let output = Command::new("sh").args(["-c", &script]).env("TMPDIR", folder).output().expect("run a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Job { name: "3-jobs".to_owned(), said, status: output.status.code() }
    }

    /// A folder of one test.
    fn folder() -> Folder {
        Folder::new("vm").expect("make a folder")
    }

    /// Runs a step with a program of this text.
    fn run_script(text: &str, step_s: u64, test_s: u64) -> Job {
        let folder = folder();
        let program = folder.join("host");
        image::write_program(&program, text).expect("write a program");
        run(&folder, &program.to_string_lossy(), step_s, test_s)
    }

    /// Catches a test over verbs that fails unnoticed, or is not counted.
    #[test]
    fn each_test_of_the_jobs_counts() {
        let none = run(&folder(), "/bin/true", 600, TEST_S);
        let all = format!("3-jobs: status 1; failed: {}", NAMES.join(", "));
        assert!(none.check(true).is_err_and(|error| error.to_string() == all));
        let script = format!(
            "#!/bin/sh\necho test result: ok. $([ $3 != {} ]; echo $((1 - $?))) passed\n[ $CUSHMEM_NET$3 != verbs{} ]\n",
            NAMES[2], NAMES[1]
        );
        let two_failed = run_script(&script, 600, TEST_S);
        let why = two_failed.check(true).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("3-jobs: status 1; failed: {}, {}", NAMES[1], NAMES[2])), "{}", two_failed.said);
        let has_time = |test: &&str| two_failed.said.lines().any(|line| line.starts_with(&format!("{test}: ")));
        assert!(NAMES.iter().all(has_time), "{}", two_failed.said);
    }

    /// Catches a test that passes without a check, because something that it needs is not here.
    #[test]
    fn a_test_that_is_left_out_fails() {
        let script = format!(
            "#!/bin/sh\necho \"{RAN}jobs\" >>${VARIABLE}\n[ $3 != {} ] || echo 'gpu: none' >>${VARIABLE}\n\
             echo test result: ok. 1 passed\n",
            NAMES[2]
        );
        let job = run_script(&script, 600, TEST_S);
        let why = job.check(true).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("3-jobs: status 1; failed: {}", NAMES[2])), "{}", job.said);
        assert!(job.said.contains(&format!("\n{}: left out: gpu: none\n", NAMES[2])), "{}", job.said);
    }

    /// Catches a job that hangs and is not named, that keeps the step from its end because what it has started goes on,
    /// and tests that are not run and not named, because the step has no time left.
    #[test]
    fn a_job_that_hangs_is_named_and_the_step_ends_in_time() {
        let script =
            |hangs: &str| format!("#!/bin/sh\n{hangs} && {{ sleep 20 & sleep 20; }}\necho test result: ok. 1 passed\n");
        let start = Instant::now();
        let one = run_script(&script(&format!("[ $3 = {} ]", NAMES[4])), 600, 1);
        assert!(one.said.contains(&format!("\n{}: did not end in 1 s\n", NAMES[4])), "{}", one.said);
        let why = one.check(true).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("3-jobs: status 1; failed: {}", NAMES[4])));
        let all = run_script(&script("true"), 3, 2);
        let times: Vec<&str> = all.said.lines().filter(|line| line.starts_with(NAMES[5])).collect();
        assert_eq!(times, [format!("{}: not run, because no time is left", NAMES[5])], "{}", all.said);
        assert!(all.check(true).is_err_and(|why| why.to_string().contains(&NAMES.join(", "))), "{}", all.said);
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    }
}
