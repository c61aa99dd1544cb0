//! `cargo xtask hosts N`: hosts made of namespaces of this machine, each with an sshd of its own, on one network.
//!
//! ```text
//!   login (network namespace) ── bridge 10.78.0.254
//!     ├── h0: 10.78.0.1   network, process, mount, host name and IPC namespaces, /dev/shm, /etc/hosts and sshd of its own
//!     └── h1: 10.78.0.2   …
//! ```
//!
//! The file system and the cores are shared: without `--oversubscribe`, each host binds its PEs to the same cores. No
//! namespace has a name: each ends with its processes, and these end with the process
//! that made them, however that ends. Needs root, and the programs of iproute2, util-linux and openssh-server.

use anyhow::{Context, Result, bail};
use cushmem_scratch::Folder;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What the command takes.
#[derive(clap::Args)]
pub struct Options {
    /// How many hosts, from 1 to 64
    #[arg(value_parser = clap::value_parser!(u8).range(1..=64))]
    hosts: u8,

    /// Run this command where the hosts can be reached, with CUSHMEM_RSH set, then remove the hosts; without it, a
    /// shell
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Runs `cargo xtask hosts`.
pub fn hosts(options: &Options) -> Result<()> {
    let hosts = Hosts::start(options.hosts.into()).map_err(anyhow::Error::msg)?;
    let shell = [std::env::var("SHELL").unwrap_or_else(|_| "sh".into())];
    let words: &[String] = if options.command.is_empty() { &shell } else { &options.command };
    if options.command.is_empty() {
        let names: Vec<String> = (0..options.hosts).map(|host| format!("h{host}")).collect();
        let list = names.join(",");
        println!(
            "shmemrun --oversubscribe --hosts {list} PROGRAM runs a PE on each host; the end of this shell removes them"
        );
    }
    let status = hosts.command(&words[0]).args(&words[1..]).status().with_context(|| format!("start {}", words[0]))?;
    if !status.success() {
        bail!("{}: {status}", words[0]);
    }
    Ok(())
}

const PORT: u16 = 2222;
/// How long an sshd may take to listen.
const LISTEN_LIMIT: Duration = Duration::from_secs(20);
/// The programs that are needed, and the packages that have them.
const NEEDED: [(&str, &str); 6] = [
    ("/usr/sbin/sshd", "openssh-server"),
    ("ssh", "openssh-client"),
    ("ssh-keygen", "openssh-client"),
    ("ip", "iproute2"),
    ("unshare", "util-linux"),
    ("nsenter", "util-linux"),
];

/// Hosts, which this removes when it is dropped. They end with the thread that made them.
pub struct Hosts {
    folder: Folder,
    login: Child,
    hosts: Vec<Child>,
}

impl Hosts {
    /// Makes this many hosts, `h0`, `h1` and so on. The error says why this machine cannot have them.
    pub fn start(count: usize) -> std::result::Result<Hosts, String> {
        Self::with_clocks(&vec![0; count])
    }

    /// Makes a host for each of these numbers: so many seconds is its monotonic clock ahead of that of this machine.
    pub fn with_clocks(ahead: &[u32]) -> std::result::Result<Hosts, String> {
        for (program, package) in NEEDED {
            let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
            let found = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
            if !found {
                return Err(format!("{program} is not here (package {package})"));
            }
        }
        Hosts::make(ahead).map_err(|error| format!("make hosts of namespaces: {error:#}"))
    }

    fn make(ahead: &[u32]) -> Result<Hosts> {
        let count = ahead.len();
        let folder = Folder::new("hosts").context("make a folder")?;
        fs::create_dir_all("/run/sshd").context("make /run/sshd")?;
        for name in ["host", "user"] {
            let mut keygen = Command::new("ssh-keygen");
            done(keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(folder.join(name)))?;
        }
        let script = "ip link set lo up && ip link add br0 type bridge && ip addr add 10.78.0.254/24 dev br0 && \
            ip link set br0 up && echo ready && exec sleep infinity";
        let mut login = namespace(&["--net"], script)?;
        let started = wait_for(&mut login, "ready");
        let mut all = Hosts { folder, login, hosts: vec![] };
        started.context("the network")?;
        let mut config = String::new();
        let names: String = (0..count).map(|number| format!("{} h{number}\n", address(number))).collect();
        fs::write(all.folder.join("hosts"), format!("127.0.0.1 localhost\n{names}"))?;
        for (number, ahead) in ahead.iter().enumerate() {
            all.add(number, *ahead)?;
            config += &format!("Host h{number}\n  HostName {}\n", address(number));
        }
        let folder = all.folder.display();
        config += &format!(
            "Host *\n  User root\n  Port {PORT}\n  IdentityFile {folder}/user\n  IdentitiesOnly yes\n  UserKnownHostsFile \
             {folder}/known\n  GlobalKnownHostsFile none\n  StrictHostKeyChecking yes\n"
        );
        fs::write(all.folder.join("config"), config)?;
        let key = fs::read_to_string(all.folder.join("host.pub"))?;
        let known: String = (0..count).map(|number| format!("[{}]:{PORT} {key}", address(number))).collect();
        fs::write(all.folder.join("known"), known)?;
        Ok(all)
    }

    fn add(&mut self, number: usize, ahead: u32) -> Result<()> {
        let (folder, address) = (self.folder.display(), address(number));
        let config = self.folder.join(format!("sshd{number}"));
        let text = format!(
            "Port {PORT}\nListenAddress {address}\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\nPidFile none\n\
             UsePAM no\nStrictModes no\nPermitRootLogin yes\nMaxStartups 200\nMaxSessions 200\nUseDNS no\n"
        );
        fs::write(&config, text)?;
        let log = self.folder.join(format!("log{number}"));
        // libfabric 1.17 reads the symbols of the kernel twice in each process, for its provider `verbs`: 100 ms of a
        // core, of which all hosts have the same few. A start file of root's shell may take its time, or a lock, which
        // it keeps if the host ends. Some launchers look up the name of the host that they run on.
        let script = format!(
            "mount -t proc proc /proc && mount -t tmpfs tmpfs /dev/shm && hostname h{number} && ip link set lo up && \
             if [ -e /proc/kallsyms ]; then mount --bind /dev/null /proc/kallsyms; fi && \
             if [ -e ~/.bashrc ]; then mount --bind /dev/null ~/.bashrc; fi && \
             if [ -e /etc/hosts ]; then mount --bind {folder}/hosts /etc/hosts; fi && \
             echo ready && read line && ip addr add {address}/24 dev eth0 && ip link set eth0 up && \
             exec /usr/sbin/sshd -D -f {} -E {}",
            config.display(),
            log.display()
        );
        let mut of = vec!["--net", "--mount", "--pid", "--uts", "--ipc"];
        let ahead = format!("--monotonic={ahead}");
        if ahead != "--monotonic=0" {
            of.extend(["--time", &ahead]);
        }
        let mut host = namespace(&of, &script)?;
        let process = host.id().to_string();
        let ready = wait_for(&mut host, "ready");
        self.hosts.push(host);
        ready.with_context(|| format!("host h{number}"))?;
        let port = format!("p{number}");
        done(self.enter("ip").args(["link", "add", &port, "type", "veth", "peer", "name", "eth0", "netns", &process]))?;
        done(self.enter("ip").args(["link", "set", &port, "master", "br0", "up"]))?;
        let host = &mut self.hosts[number];
        host.stdin.take().context("its standard input")?.write_all(b"go\n")?;
        let deadline = Instant::now() + LISTEN_LIMIT;
        loop {
            let said = fs::read_to_string(&log).unwrap_or_default();
            if said.contains("Server listening") {
                return Ok(());
            }
            if Instant::now() >= deadline {
                bail!("sshd of h{number} does not listen: {}", said.trim().replace('\n', "; "));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The words in front of a command that is to run in the network namespace of the bridge.
    pub fn entry(&self) -> [String; 3] {
        ["nsenter".into(), format!("--net=/proc/{}/ns/net", self.login.id()), "--".into()]
    }

    /// A command in the network namespace of the bridge.
    fn enter(&self, program: &str) -> Command {
        let [first, rest @ ..] = self.entry();
        let mut command = Command::new(first);
        command.args(rest).arg(program);
        command
    }

    /// What `shmemrun` runs to connect to the hosts.
    pub fn rsh(&self) -> String {
        format!("ssh -F {}/config -o BatchMode=yes -o ConnectTimeout=10", self.folder.display())
    }

    /// A command where the hosts can be reached, with `CUSHMEM_RSH` set.
    pub fn command(&self, program: &str) -> Command {
        let mut command = self.enter(program);
        command.env("CUSHMEM_RSH", self.rsh());
        command
    }

    /// The words in front of a command that is to run on a host, without ssh.
    pub fn entry_of(&self, host: usize) -> Vec<String> {
        let first = self.first(host);
        let kinds = ["--net", "--mount", "--pid", "--uts", "--ipc", "--"].map(str::to_owned);
        [vec!["nsenter".to_owned(), "--target".to_owned(), first], kinds.to_vec()].concat()
    }

    /// The first process of a host, which is its sshd, as this machine numbers it.
    pub fn first(&self, host: usize) -> String {
        let unshare = self.hosts[host].id();
        let children = fs::read_to_string(format!("/proc/{unshare}/task/{unshare}/children")).unwrap_or_default();
        children.trim().to_owned()
    }

    /// Runs a command in the network namespace of a host, and returns what it prints.
    pub fn in_network(&self, host: usize, words: &[&str]) -> Result<String> {
        let mut command = Command::new("nsenter");
        command.args([&format!("--net=/proc/{}/ns/net", self.first(host)), "--"]).args(words);
        done(&mut command)
    }

    /// Cuts a host off the network, or connects it again.
    pub fn connect(&self, host: usize, is_connected: bool) -> Result<()> {
        let state = if is_connected { "up" } else { "down" };
        done(self.enter("ip").args(["link", "set", &format!("p{host}"), state])).map(drop)
    }

    /// Ends a host with all of its processes, as a power failure would.
    pub fn end(&mut self, host: usize) {
        let _ = self.hosts[host].kill();
        let _ = self.hosts[host].wait();
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in (0..self.hosts.len()).rev() {
            self.end(host);
        }
        let _ = self.login.kill();
        let _ = self.login.wait();
    }
}

fn address(host: usize) -> String {
    format!("10.78.0.{}", host + 1)
}

/// Runs a script in new namespaces. It ends with the calling thread.
fn namespace(kinds: &[&str], script: &str) -> Result<Child> {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "unshare", "--fork", "--kill-child"]).args(kinds);
    command.args(["sh", "-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().context("start unshare")
}

/// Waits for a line on stdout that contains the text.
fn wait_for(child: &mut Child, text: &str) -> Result<()> {
    let stdout = child.stdout.take().context("its standard output")?;
    let mut lines = BufReader::with_capacity(1, stdout);
    let mut all = String::new();
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            let mut stderr = String::new();
            if let Some(mut pipe) = child.stderr.take() {
                std::io::Read::read_to_string(&mut pipe, &mut stderr)?;
            }
            bail!("{}", (all + &stderr).trim().replace('\n', "; "));
        }
        if line.contains(text) {
            child.stdout = Some(lines.into_inner());
            return Ok(());
        }
        all += &line;
    }
}

/// Runs a command that must succeed, and returns what it prints.
fn done(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("start {}", Path::new(command.get_program()).display()))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
