//! Programs that process managers of other projects start, on one host and on several.

use cushmem_capi_tests::{Finished, Library, Rig};
use cushmem_scratch::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use xtask::hosts::Hosts;
use xtask::launch::word;
use xtask::left_out::record;

const MANAGED: &str = include_str!("managed.c");
/// What a manager may take, in seconds. The hosts share the cores of this machine.
const LIMIT_S: &str = "100";
const OPEN_MPI: [&str; 2] = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"];

/// Which MPI a program is compiled with: the compiler of each.
const COMPILERS: [(&str, &str); 2] = [("mpirun.openmpi", "mpicc.openmpi"), ("mpiexec.hydra", "mpicc.mpich")];

fn is_here(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A job that ends well prints a line for each of its three jobs.
fn expect(job: &Finished, n: u32) {
    let sum = n * (n + 1) / 2;
    let lines: Vec<_> = (0..3).map(|job| format!("job {job}: {n} of {n} PEs arrived, sum {sum}")).collect();
    // Managers have things to say.
    let of_pes: Vec<_> = job.lines.iter().filter(|line| line.contains("PE")).cloned().collect();
    assert_eq!((job.status, of_pes), (Some(0), lines), "{job:#?}");
}

/// What starts `n` processes on this host.
fn manager(name: &str, n: u32) -> Command {
    let mut command = Command::new("timeout");
    command.args([LIMIT_S, name]).args(if name.contains("open") { &["--oversubscribe"][..] } else { &[] });
    command.args(["-n", &n.to_string()]).env("CUSHMEM_GPU", "none").envs(OPEN_MPI.map(|name| (name, "1")));
    command
}

/// Catches processes that do not find each other, a second job that does not, statuses that get lost, and a manager
/// that takes the end of a process for a failure.
#[test]
fn managers_connect_their_processes() {
    let Some(rig) = Rig::find("capi::managers_connect_their_processes") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    for (name, _) in COMPILERS {
        if !is_here(name) {
            record(&format!("capi::managers_connect_their_processes with {name}"), "it is not installed");
            continue;
        }
        for n in [1, 3] {
            expect(&Rig::finish(manager(name, n).arg(&program)), n);
        }
        // A program that a shell starts twice in the same process of a job: the manager hears of neither.
        let script = format!("{0} && {0}", word(&program));
        let job = Rig::finish(manager(name, 1).args(["sh", "-c", &script]));
        assert!(job.status == Some(0) && job.lines.len() == 6, "{name}: {job:#?}");
        let job = Rig::finish(manager(name, 3).arg(&program).args(["0", "5"]));
        let is_told = job.lines.iter().any(|line| line.ends_with("PE 1 ended it with status 5"));
        assert!(job.status == Some(5) && is_told, "{name}: {job:#?}");
    }
}

/// Catches a PE whose end the manager takes for a failure: it would end the others.
#[test]
fn a_pe_may_end_before_the_others() {
    let Some(rig) = Rig::find("capi::a_pe_may_end_before_the_others") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    for (name, _) in COMPILERS {
        if !is_here(name) {
            record(&format!("capi::a_pe_may_end_before_the_others with {name}"), "it is not installed");
            continue;
        }
        let job = Rig::finish(manager(name, 2).arg(&program).arg("4"));
        assert!(job.status == Some(0) && job.lines.iter().any(|line| line == "PE 0 is left"), "{name}: {job:#?}");
    }
}

/// Catches variables of an outer manager that are taken for those of the inner one: each process would be alone.
#[test]
fn the_inner_of_two_managers_counts() {
    let Some(rig) = Rig::find("capi::the_inner_of_two_managers_counts") else { return };
    if let Some((name, _)) = COMPILERS.into_iter().find(|(name, _)| !is_here(name)) {
        return record(&format!("capi::the_inner_of_two_managers_counts with {name}"), "it is not installed");
    }
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    for (outer, inner) in [("mpirun.openmpi", "mpiexec.hydra"), ("mpiexec.hydra", "mpirun.openmpi")] {
        let mut command = manager(outer, 1);
        command.arg(inner).args(if inner.contains("open") { &["--oversubscribe"][..] } else { &[] });
        expect(&Rig::finish(command.args(["-n", "3"]).arg(&program)), 3);
    }
}

/// Catches a connection to the manager that MPI and this library take from each other.
#[test]
fn mpi_and_the_library_share_a_manager() {
    let Some(rig) = Rig::find("capi::mpi_and_the_library_share_a_manager") else { return };
    for (name, compiler) in COMPILERS {
        if !is_here(name) || !is_here(compiler) {
            record(&format!("capi::mpi_and_the_library_share_a_manager with {name}"), "it is not installed");
            continue;
        }
        let program = with_mpi(&rig, compiler);
        for order in ["0", "1", "2", "3"] {
            expect(&Rig::finish(manager(name, 2).arg(&program).arg(order)), 2);
        }
    }
}

fn with_mpi(rig: &Rig, compiler: &str) -> PathBuf {
    let source = rig.file("managed.c", MANAGED);
    let program = rig.path(compiler);
    let mut compile = Command::new(rig.tool("shmemcc"));
    compile.env("CUSHMEM_CC", compiler).arg("-DWITH_MPI").arg(source).arg("-o").arg(&program);
    let compiled = Rig::finish(&mut compile);
    assert!(compiled.status == Some(0), "{compiled:#?}");
    program
}

/// Two hosts, or `None` where they cannot be had, with a note.
fn two_hosts(test: &str) -> Option<Hosts> {
    Hosts::start(2).map_err(|why| record(&format!("capi::hosts {test}"), &why)).ok()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_ascii_whitespace()
}

/// Catches an id with an address that other hosts cannot reach, and hosts that are told apart as the manager numbers or
/// names them.
#[test]
fn managers_connect_processes_of_two_hosts() {
    let Some(rig) = Rig::find("capi::managers_connect_processes_of_two_hosts") else { return };
    let Some(hosts) = two_hosts("with managers") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    let rsh = rig.file("rsh", &format!("#!/bin/sh\nexec {} \"$@\"\n", hosts.rsh()));
    Rig::finish(Command::new("chmod").arg("+x").arg(&rsh));
    // Neither quotes the agent's path.
    let folder = Folder::new("rsh").expect("a folder");
    let plain = folder.join("rsh");
    std::fs::rename(&rsh, &plain).expect("the same file system");
    let agent = plain.display().to_string();
    let open_mpi = format!(
        "mpirun.openmpi --oversubscribe -x CUSHMEM_GPU --mca plm_rsh_agent {agent} --mca oob_tcp_if_include 10.78.0.0/24 \
         -H 10.78.0.1:2,10.78.0.2:1"
    );
    let hydra = format!(
        "mpiexec.hydra -localhost 10.78.0.254 -launcher ssh -launcher-exec {agent} -hosts 10.78.0.1:2,10.78.0.2:1"
    );
    for command in [open_mpi, hydra] {
        let name = words(&command).next().unwrap_or_default();
        if !is_here(name) {
            record(&format!("capi::managers_connect_processes_of_two_hosts with {name}"), "it is not installed");
            continue;
        }
        let mut job = hosts.command("timeout");
        job.arg(LIMIT_S).args(words(&command)).args(["-n", "3"]).arg(&program);
        job.env("CUSHMEM_GPU", "none").envs(OPEN_MPI.map(|name| (name, "1")));
        expect(&Rig::finish(&mut job), 3);
    }
}

/// Catches processes of several hosts that do not find each other by what torchrun says, and one with another secret
/// that does.
#[test]
fn torchrun_connects_processes_of_two_hosts() {
    let Some(rig) = Rig::find("capi::torchrun_connects_processes_of_two_hosts") else { return };
    let Some(hosts) = two_hosts("under torchrun") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    let run = std::process::id().to_string();
    let process = |rank: usize, size: &str, variables: &[(&str, &str)]| {
        let [first, rest @ ..] = &*hosts.entry_of(rank / 2) else { panic!("a host has a way in") };
        let mut process = Command::new(first);
        process.args(rest).args(["timeout", LIMIT_S]).arg(&program).env("CUSHMEM_GPU", "none");
        process.envs([("WORLD_SIZE", size), ("LOCAL_WORLD_SIZE", "2"), ("RANK", &*rank.to_string())]);
        process.envs([("MASTER_ADDR", "10.78.0.1"), ("MASTER_PORT", "29500"), ("TORCHELASTIC_RUN_ID", &*run)]);
        process.envs(variables.iter().copied());
        process
    };
    std::thread::scope(|threads| {
        let of_others = [3, 2, 1].map(|rank| threads.spawn(move || Rig::finish(&mut process(rank, "4", &[]))));
        expect(&Rig::finish(&mut process(0, "4", &[])), 4);
        for other in of_others {
            let job = other.join().expect("no panic");
            assert!(job.status == Some(0) && job.lines.is_empty(), "{job:#?}");
        }
    });
    let short = [("CUSHMEM_WAIT_LIMIT_S", "3"), ("LOCAL_WORLD_SIZE", "1")];
    std::thread::scope(|threads| {
        let first = threads.spawn(|| Rig::finish(&mut process(0, "2", &short)));
        let stranger = [&short[..], &[("CUSHMEM_SECRET", "another"), ("RANK", "1")]].concat();
        let job = Rig::finish(&mut process(2, "2", &stranger));
        let is_refused =
            job.lines.iter().any(|line| line.contains("10.78.0.1:") && line.contains("did not accept this id"));
        assert!(job.status == Some(1) && is_refused, "{job:#?}");
        let job = first.join().expect("no panic");
        let is_late = job.lines.iter().any(|line| line.contains("PE 1 has not arrived after 3 s"));
        assert!(job.status == Some(1) && is_late, "{job:#?}");
    });
}

/// Catches what torchrun itself does otherwise than the test above: which address it gives, and its own use of the port
/// and of the processes' standard input.
#[test]
fn a_real_torchrun_connects_processes_of_two_hosts() {
    const TEST: &str = "capi::a_real_torchrun_connects_processes_of_two_hosts";
    let Some(rig) = Rig::find(TEST) else { return };
    if !is_here("torchrun") {
        return record(&format!("{TEST} with a real one"), "there is no torchrun");
    }
    let Some(hosts) = two_hosts("under a real torchrun") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    let agent = |host: usize, how: &str| {
        let [first, rest @ ..] = &*hosts.entry_of(host) else { panic!("a host has a way in") };
        let mut agent = Command::new(first);
        agent.args(rest).args(["timeout", LIMIT_S, "torchrun"]).args(words(how));
        agent.args(["--nnodes", "2", "--nproc_per_node", "2", "--no_python"]).arg(&program).env("CUSHMEM_GPU", "none");
        agent
    };
    // It gives the processes the name of a host, and in the other form the address that it is told.
    let elastic = |_| "--rdzv_id run --rdzv_backend c10d --rdzv_endpoint 10.78.0.1:29400".to_owned();
    let fixed = |host: usize| format!("--master_addr 10.78.0.1 --master_port 29401 --node_rank {host}");
    for how in [&elastic as &(dyn Fn(usize) -> String + Sync), &fixed] {
        std::thread::scope(|threads| {
            let [first, second] = [0, 1].map(|host| threads.spawn(move || Rig::finish(&mut agent(host, &how(host)))));
            let jobs = [first, second].map(|job| job.join().expect("no panic"));
            // Which host has the processes from 0 on, and prints, is decided by the one that is faster.
            let (printed, silent) = if jobs[0].lines.iter().any(|line| line.starts_with("job ")) {
                (&jobs[0], &jobs[1])
            } else {
                (&jobs[1], &jobs[0])
            };
            expect(printed, 4);
            assert_eq!(silent.status, Some(0), "{silent:#?}");
        });
    }
}

/// Catches globals that only the PEs of a host share: `shmemrun` gives those a channel of their own.
#[test]
fn shmemrun_connects_c_programs_of_two_hosts() {
    let Some(rig) = Rig::find("capi::shmemrun_connects_c_programs_of_two_hosts") else { return };
    let Some(hosts) = two_hosts("with shmemrun") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    let mut job = hosts.command("timeout");
    job.arg(LIMIT_S).arg(rig.tool("shmemrun")).args(["--oversubscribe", "--hosts", "h0:1,h1:2"]);
    expect(&Rig::finish(job.arg(&program).env("CUSHMEM_GPU", "none")), 3);
}

/// Slurm on two hosts.
struct Slurm<'a> {
    hosts: &'a Hosts,
    configuration: PathBuf,
}

impl<'a> Slurm<'a> {
    /// The state of its daemons is in this folder.
    fn start(hosts: &'a Hosts, folder: &Path) -> Result<Self, String> {
        for program in ["slurmctld", "slurmd", "srun"] {
            if !is_here(program) {
                return Err(format!("{program} is not installed"));
            }
        }
        if !xtask::machine::has_control_groups() {
            return Err("no control groups of version 1 are mounted in /sys/fs/cgroup".to_owned());
        }
        for part in ["state", "h0", "h1"] {
            std::fs::create_dir_all(folder.join(part)).map_err(|error| error.to_string())?;
        }
        let at = folder.display();
        let text = format!(
            "ClusterName=test\nSlurmctldHost=h0(10.78.0.1)\nAuthType=auth/none\nCredType=cred/none\nSlurmUser=root\n\
             SlurmdUser=root\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool.%n\nSlurmctldPidFile={at}/c.pid\n\
             SlurmdPidFile={at}/%n.pid\nSlurmctldLogFile={at}/c.log\nSlurmdLogFile={at}/%n.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\nReturnToService=2\n\
             TmpFS={at}/%n\nNodeName=h0 NodeAddr=10.78.0.1 CPUs=2 RealMemory=100\nNodeName=h1 NodeAddr=10.78.0.2 CPUs=2 \
             RealMemory=100\nPartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE\n"
        );
        let configuration = folder.join("slurm.conf");
        std::fs::write(&configuration, text).map_err(|error| error.to_string())?;
        std::fs::write(folder.join("cgroup.conf"), "CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\n")
            .map_err(|error| error.to_string())?;
        let slurm = Slurm { hosts, configuration };
        for (host, daemon) in [(0, "slurmctld"), (0, "slurmd"), (1, "slurmd")] {
            let started = Rig::finish(slurm.on(host, daemon).arg("-c"));
            if started.status != Some(0) {
                return Err(format!("{daemon}: {}", started.lines.join("; ")));
            }
        }
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let nodes = Rig::finish(slurm.on(0, "sinfo").args(["-h", "-N", "-o", "%T"]));
            match nodes.lines.iter().filter(|state| *state == "idle").count() {
                2 => return Ok(slurm),
                _ if Instant::now() > deadline => return Err(format!("its nodes are {}", nodes.lines.join(", "))),
                _ => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// A command on a host, with a limit.
    fn on(&self, host: usize, program: &str) -> Command {
        let [first, rest @ ..] = &*self.hosts.entry_of(host) else { panic!("a host has a way in") };
        let mut command = Command::new(first);
        command.args(rest).args(["timeout", LIMIT_S, program]);
        command.env("SLURM_CONF", &self.configuration).env("CUSHMEM_GPU", "none");
        command
    }

    fn srun(&self, with: &str, program: &Path, arguments: &[&str]) -> Finished {
        let mut srun = self.on(0, "srun");
        srun.args([&format!("--mpi={with}"), "-N", "2", "-n", "4", "--overcommit"]).arg(program).args(arguments);
        Rig::finish(&mut srun)
    }
}

/// Catches a program that does not find the other processes of its step, and one that finds nobody and takes itself for
/// the only one.
#[test]
fn srun_connects_processes_of_two_hosts() {
    let Some(rig) = Rig::find("capi::srun_connects_processes_of_two_hosts") else { return };
    // Slurm does not take a path with a blank. Its daemons write to the folder, and end with the hosts.
    let folder = Folder::new("slurm").expect("a folder");
    let Some(hosts) = two_hosts("with Slurm") else { return };
    let program = rig.compile("managed.c", MANAGED, Library::Shared, &["-std=c99"]);
    let slurm = match Slurm::start(&hosts, &folder) {
        Ok(slurm) => slurm,
        Err(why) => return record("capi::srun_connects_processes_of_two_hosts", &why),
    };
    for with in ["pmix", "pmi2"] {
        expect(&slurm.srun(with, &program, &[]), 4);
        let job = slurm.srun(with, &program, &["0", "5"]);
        assert!(job.status == Some(5), "{with}: {job:#?}");
    }
    let job = slurm.srun("none", &program, &[]);
    let remedies = "srun --mpi=pmix or srun --mpi=pmi2, start the program with shmemrun -n N";
    let refusals = job.lines.iter().filter(|line| line.contains(remedies)).count();
    assert!(job.status == Some(1) && refusals == 4, "{job:#?}");
    for (manager, compiler) in COMPILERS {
        if !is_here(compiler) {
            record(&format!("capi::mpi_and_the_library_share_a_manager with {manager}"), "it is not installed");
            continue;
        }
        let with = if compiler.contains("open") { "pmix" } else { "pmi2" };
        expect(&slurm.srun(with, &with_mpi(&rig, compiler), &["0"]), 4);
    }
}
