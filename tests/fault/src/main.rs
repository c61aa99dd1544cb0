//! A PE that carries out the steps in its arguments, one after the other.
//!
//! A step is `name` or `name=value`; `2:step` is for PE 2 only. If a step fails, the program prints the error and exits
//! with status 1.
//!
//! | step | does |
//! |---|---|
//! | `mark=…` | nothing; marks the process |
//! | `waits=BYTES` | publishes a wait that does not end, with a description of this many bytes |
//! | `note=TEXT` | records these lines for the launcher, in addition to its waits |
//! | `join`, `fence=TAG`, `finalize` | the library's calls with these names |
//! | `meet=FILE` | joins with a unique id: the process with `RANK=0` makes the id and writes it to the file, where the others wait for it |
//! | `id=TEXT` | joins with this unique id |
//! | `part` | gives back the connection to the job |
//! | `brood=N` | makes a unique id and forks N children, which join with it, meet in a fence and finalize |
//! | `take=NAME` | listens on a local socket with this abstract name |
//! | `call=NAME` | connects to an abstract name, and prints a line when the other end has hung up |
//! | `place` | prints the PE's number and its place, as the library knows them |
//! | `gather=BYTES` | an allgather in which each PE passes the write end of a pipe; checks all bytes, and that each pipe works |
//! | `big=BYTES` | an allgather without the checks |
//! | `churn` | endless allgathers of all sizes |
//! | `fences` | endless fences |
//! | `exit=STATUS`, `abort=STATUS`, `signal=NUMBER`, `sleep=SECONDS`, `stop` | as they say; `abort=STATUS:TEXT` gives its own reason |
//! | `default=NUMBER`, `send=NUMBER` | restores the default action of a signal, and sends it once |
//! | `out=TEXT`, `err=TEXT` | prints a line |
//! | `keep=TEXT` | prints text without the end of a line, which stays in the buffer of standard output |
//! | `flood-both` | writes to stdout and stderr endlessly |
//! | `take-name=NAME` | listens on an abstract socket of this name, prints `taken`, and answers with text that turns terminals red |
//! | `spawn` | starts a child that sleeps |
//! | `worker` | forks a child that sleeps |
//! | `daemon` | starts a child that sleeps in a session of its own without an environment |
//! | `family` | starts two children that each start a `daemon`; one sleeps, the other ends |
//! | `second` | starts a child that tries to join as well, and takes over its exit status |
//! | `ask-late=COUNT` | asks endlessly who is late, without reading the answers; prints `asked` after this many requests |
//! | `garbage` | sends bytes that are not a message |
//! | `quit=STATUS` | asks who is late more often than the launcher listens in one turn, asks for the end of the job, gives back the connection, prints `quit`, and sleeps |
//! | `folder=PATH` | changes to this folder |
//! | `variable=NAME` | prints the value of a variable of this process's environment |
//! | `limit=NAME:BYTES` | sets a limit of this process, up to its hard limit: `core`, `addresses`, `descriptors` or `file_size` |
//! | others | the steps that use the whole library; see [`library`] |

mod library;

use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::{Command, Stdio, exit};
use std::time::{Duration, Instant};

use cushmem_bootstrap::waits::{self, Wait};
use cushmem_bootstrap::wire::{Message, MessageKind};
use cushmem_bootstrap::{Bootstrap, UniqueId, WaitLimit};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, raise};
use nix::sys::socket::{
    AddressFamily, Backlog, MsgFlags, SockFlag, SockType, UnixAddr, bind, connect, listen, recv, send, socket,
};

use nix::sys::wait::{WaitStatus, wait};

/// How long a process sleeps if the test has to end it.
const LONG: Duration = Duration::from_secs(1000);
/// How long a process waits for its job's id.
const MEET_LIMIT: Duration = Duration::from_secs(30);

fn main() {
    let steps: Vec<String> = std::env::args().skip(1).collect();
    let pe = number("CUSHMEM_PE").or(number("RANK")).unwrap_or(0);
    let (mut bootstrap, mut shmem) = (None, None);
    for step in &steps {
        let (selected, step) = match step.split_once(':') {
            Some((number, step)) if number.parse::<u32>().is_ok() => (number.parse() == Ok(pe), step),
            _ => (true, step.as_str()),
        };
        let (name, value) = step.split_once('=').unwrap_or((step, ""));
        if !selected {
            continue;
        }
        if let Err(error) = act(name, value, &mut bootstrap, &mut shmem, &steps[0]) {
            eprintln!("{error}");
            exit(1);
        }
    }
}

/// A number from the environment.
fn number(variable: &str) -> Option<u32> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Joins as `RANK` of `WORLD_SIZE` with the id that is in the file, or that will be.
fn meet(path: &str) -> Result<Bootstrap, Box<dyn std::error::Error>> {
    let pe = number("RANK").unwrap_or(0);
    let id = if pe == 0 {
        let id = UniqueId::create()?;
        let draft = format!("{path}.draft");
        std::fs::write(&draft, id.to_string())?;
        std::fs::rename(draft, path)?;
        id
    } else {
        let deadline = Instant::now() + MEET_LIMIT;
        loop {
            match std::fs::read_to_string(path) {
                Ok(text) => break text.parse()?,
                Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                Err(error) => return Err(error.into()),
            }
        }
    };
    Ok(Bootstrap::with_id(pe, number("WORLD_SIZE").unwrap_or(1), &id)?)
}

/// Acts as its own launcher: the children are forked from the process that made their id.
fn brood(n_pes: u32) -> Result<(), Box<dyn std::error::Error>> {
    let id = UniqueId::create()?;
    for pe in 0..n_pes {
        // SAFETY: this process has no threads except the server's, which holds no lock that the child uses.
        if unsafe { libc::fork() } == 0 {
            let begun = Instant::now();
            let joined = Bootstrap::with_id(pe, n_pes, &id);
            let ended = joined.and_then(|job| job.fence("brood").and_then(|()| job.finalize()));
            if let Err(error) = &ended {
                eprintln!("{error}");
            }
            println!("PE {pe} took {} s", begun.elapsed().as_secs());
            exit(i32::from(ended.is_err()));
        }
    }
    for _ in 0..n_pes {
        match wait()? {
            WaitStatus::Exited(_, 0) => {}
            other => return Err(format!("a child ended with {other:?}").into()),
        }
    }
    Ok(())
}

fn act(
    name: &str,
    value: &str,
    bootstrap: &mut Option<Bootstrap>,
    shmem: &mut Option<cushmem::Shmem>,
    mark: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let joined = || bootstrap.as_ref().ok_or("this step needs 'join' before it");
    match name {
        "mark" => {}
        "join" => {
            let new = Bootstrap::from_env()?;
            *bootstrap = Some(new);
        }
        "meet" => *bootstrap = Some(meet(value)?),
        "id" => {
            let (pe, n_pes) = (number("RANK").unwrap_or(0), number("WORLD_SIZE").unwrap_or(1));
            *bootstrap = Some(Bootstrap::with_id(pe, n_pes, &value.parse()?)?);
        }
        "part" => *bootstrap = None,
        "brood" => brood(value.parse()?)?,
        "call" => {
            let caller = socket(AddressFamily::Unix, SockType::SeqPacket, SockFlag::SOCK_CLOEXEC, None)?;
            connect(caller.as_raw_fd(), &UnixAddr::new_abstract(value.as_bytes())?)?;
            if recv(caller.as_raw_fd(), &mut [0; 8], MsgFlags::empty())? == 0 {
                println!("hung up");
            }
        }
        "take" => {
            let listener = socket(AddressFamily::Unix, SockType::SeqPacket, SockFlag::SOCK_CLOEXEC, None)?;
            bind(listener.as_raw_fd(), &UnixAddr::new_abstract(value.as_bytes())?)?;
            listen(&listener, Backlog::new(8)?)?;
            std::mem::forget(listener);
        }
        "worker" => {
            // SAFETY: the child calls nothing but sleep and _exit, which are safe after a fork.
            match unsafe { libc::fork() } {
                -1 => return Err(std::io::Error::last_os_error().into()),
                // SAFETY: sleep and _exit run no code of the program and take no lock.
                0 => unsafe {
                    libc::sleep(LONG.as_secs() as u32);
                    libc::_exit(0)
                },
                _ => {}
            }
        }
        "waits" => {
            let wait = Wait { what: "x".repeat(value.parse()?), late: vec![] };
            std::mem::forget(waits::publish(Instant::now(), wait));
        }
        "note" => {
            let text = value.to_owned();
            std::mem::forget(waits::note(move || Some(text.clone())));
        }
        "variable" => println!("{value}={}", std::env::var(value).unwrap_or_default()),
        "fence" => joined()?.fence(value)?,
        "finalize" => joined()?.finalize()?,
        "place" => {
            let job = joined()?.job();
            println!("{} {}", job.my_pe, job.local_pe);
        }
        "gather" => gather(joined()?, value.parse()?)?,
        "big" => drop(joined()?.allgather("big", &vec![0; value.parse()?])?),
        "churn" => {
            for round in 0usize.. {
                gather(joined()?, round * 977 % 65_537)?;
            }
        }
        "fences" => loop {
            joined()?.fence("again")?;
        },
        "exit" => exit(value.parse()?),
        "abort" => {
            let (status, text) = value.split_once(':').unwrap_or((value, "the step said so"));
            joined()?.abort(status.parse()?, text)
        }
        "signal" => {
            let number = value.parse()?;
            // More than once, because Rust's handler of SIGSEGV returns after the first signal that does not come from
            // a memory access.
            for _ in 0..100 {
                // SAFETY: the call only sends a signal to this process. nix cannot express real-time signals.
                unsafe { libc::kill(libc::getpid(), number) };
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        // SAFETY: the default action is always valid; nix cannot express real-time signals.
        "default" => drop(unsafe { libc::signal(value.parse()?, libc::SIG_DFL) }),
        // SAFETY: the call only sends a signal to this process.
        "send" => drop(unsafe { libc::kill(libc::getpid(), value.parse()?) }),
        "sleep" if value.is_empty() => std::thread::sleep(LONG),
        "sleep" => std::thread::sleep(Duration::from_secs_f64(value.parse()?)),
        "stop" => raise(Signal::SIGSTOP)?,
        "out" => println!("{value}"),
        "err" => eprintln!("{value}"),
        "keep" => print!("{value}"),
        "flood-both" => {
            let flood = |text: &str, mut to: Box<dyn Write>| while to.write_all(text.as_bytes()).is_ok() {};
            std::thread::spawn(move || flood("stderr\n", Box::new(std::io::stderr())));
            flood("stdout\n", Box::new(std::io::stdout()));
        }
        "take-name" => {
            let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(value)?)?;
            println!("taken");
            for client in listener.incoming() {
                client?.write_all(b"cushmem status\nPE 0: \x1b[31mred\n")?;
            }
        }
        "spawn" => drop(Command::new(std::env::current_exe()?).args([mark, "sleep"]).spawn()?),
        "daemon" => {
            let mut command = Command::new(std::env::current_exe()?);
            command.args([mark, "session", "sleep"]).env_clear().stdout(Stdio::null()).stderr(Stdio::null());
            drop(command.spawn()?);
        }
        "family" => {
            let child = |steps: &[&str]| Command::new(std::env::current_exe()?).arg(mark).args(steps).spawn();
            drop(child(&["daemon", "sleep"])?);
            child(&["daemon"])?.wait()?;
        }
        "session" => drop(nix::unistd::setsid()?),
        "second" => {
            let status = Command::new(std::env::current_exe()?).args([mark, "join"]).status()?;
            exit(status.code().unwrap_or(99));
        }
        "ask-late" => {
            let number: i32 = std::env::var("CUSHMEM_BOOTSTRAP_FD")?.parse()?;
            let question = Message::new(MessageKind::WhoIsLate, 1).encode();
            let count: u64 = value.parse()?;
            for asked in 0u64.. {
                if asked == count {
                    println!("asked");
                }
                send(number, &question, MsgFlags::empty())?;
            }
        }
        "garbage" => {
            let number: i32 = std::env::var("CUSHMEM_BOOTSTRAP_FD")?.parse()?;
            send(number, b"no message of this protocol at all", MsgFlags::empty())?;
        }
        "quit" => {
            let number: i32 = std::env::var("CUSHMEM_BOOTSTRAP_FD")?.parse()?;
            let question = Message::new(MessageKind::WhoIsLate, 1).encode();
            for _ in 0..100 {
                send(number, &question, MsgFlags::empty())?;
            }
            let end = Message { value: value.parse()?, ..Message::new(MessageKind::Abort, 0) };
            send(number, &end.encode(), MsgFlags::empty())?;
            *bootstrap = None;
            println!("quit");
            std::thread::sleep(LONG);
        }
        "folder" => std::env::set_current_dir(value)?,
        "limit" => {
            let (name, bytes) = value.split_once(':').ok_or("a limit is NAME:BYTES")?;
            let resource = match name {
                "core" => Resource::RLIMIT_CORE,
                "addresses" => Resource::RLIMIT_AS,
                "descriptors" => Resource::RLIMIT_NOFILE,
                "file_size" => Resource::RLIMIT_FSIZE,
                _ => return Err(format!("unknown limit '{name}'").into()),
            };
            let hard = nix::sys::resource::getrlimit(resource)?.1;
            setrlimit(resource, hard.min(bytes.parse()?), hard)?;
        }
        _ => library::act(name, value, shmem)?,
    }
    Ok(())
}

/// An allgather that checks bytes and descriptors: each PE's pipe must carry what its owner writes.
fn gather(bootstrap: &Bootstrap, bytes: usize) -> Result<(), Box<dyn std::error::Error>> {
    let job = bootstrap.job();
    let pattern = |pe: u32| (0..bytes).map(move |at| (at as u32 ^ (pe * 7)) as u8);
    let (mut reader, writer) = std::io::pipe()?;
    let own: Vec<u8> = pattern(job.my_pe).collect();
    let all = bootstrap.share("gather", &own, Some(writer.as_fd()), WaitLimit::Limited)?;
    drop(writer);
    if all.len() != job.n_pes as usize {
        return Err(format!("{} contributions from {} PEs", all.len(), job.n_pes).into());
    }
    for (pe, contribution) in (0u32..).zip(&all) {
        if !contribution.bytes.iter().copied().eq(pattern(pe)) {
            return Err(format!("the bytes of PE {pe} are damaged").into());
        }
        let fd = contribution.fd.as_ref().ok_or_else(|| format!("PE {pe} gave no descriptor"))?;
        let flags = nix::fcntl::fcntl(fd, nix::fcntl::FcntlArg::F_GETFD)?;
        if flags & libc::FD_CLOEXEC == 0 {
            return Err(format!("descriptor {} would survive an exec", fd.as_raw_fd()).into());
        }
        nix::unistd::write(fd, &[job.my_pe as u8])?;
    }
    drop(all);
    // Every PE writes its number into every pipe. A pipe ends when the last PE has closed it.
    let mut numbers = Vec::new();
    reader.read_to_end(&mut numbers)?;
    numbers.sort_unstable();
    if !numbers.iter().copied().eq((0..job.n_pes).map(|pe| pe as u8)) {
        return Err(format!("this PE's own pipe carried {numbers:?}").into());
    }
    Ok(())
}
