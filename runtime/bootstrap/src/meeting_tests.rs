//! Both sides of a meeting, and how each treats strangers at the other end.

use super::*;
use std::thread;

const NODE: &str = "here";
/// Far longer than anything that should happen takes.
const LONG: Duration = Duration::from_secs(10);
/// How long to wait for something that should not happen.
const SHORT: Duration = Duration::from_millis(50);

/// An id of this node, and the listener that it leads to.
fn place() -> (UniqueId, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (UniqueId::new(&[Ipv4Addr::LOCALHOST.into()], port, NODE).unwrap(), listener)
}

fn meeting() -> TcpMeeting {
    let (id, listener) = place();
    listener.set_nonblocking(true).unwrap();
    TcpMeeting { listener: NotForked::new(listener), id }
}

fn soon<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + LONG;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never comes");
        thread::yield_now();
    }
}

fn accept(listener: &TcpListener) -> TcpMessages {
    TcpMessages::new(listener.accept().unwrap().0).unwrap()
}

fn send(socket: &TcpMessages, bytes: &[u8]) {
    assert!(matches!(socket.try_send(bytes, None), Ok(Progress::Done(()))));
}

const NONCE: [u8; NONCE_BYTES] = [7; NONCE_BYTES];

/// The member's nonce and its proof.
fn answer_to_nonce(server: &TcpMessages) -> Result<[u8; ANSWER_BYTES], String> {
    send(server, &NONCE);
    let mut answer = [0; ANSWER_BYTES];
    receive_exactly(server, &mut answer, Instant::now() + LONG)?;
    Ok(answer)
}

#[test]
fn the_secret_opens_the_connection() {
    let id = UniqueId::create().unwrap();
    assert_eq!(UniqueId::from_bytes(id.to_bytes()), Ok(id), "others can use it");
    let connect = |id| connect(id, Instant::now() + LONG, LONG).map(drop);
    assert_eq!(connect(&id), Ok(()));
    let mut bytes = id.to_bytes();
    bytes[20] ^= 1;
    let guessed = UniqueId::from_bytes(bytes).unwrap();
    let error = connect(&guessed).unwrap_err();
    assert!(error.contains("it did not accept this id"), "{error}");
    assert!(server_of(&id.job_id()).is_some() && server_of(&guessed.job_id()).is_none());
}

/// Catches a limit that passes before the first answer can arrive.
#[test]
fn one_connection_is_enough() {
    let (id, listener) = place();
    // Further connections would wait in the listener's queue.
    let server = thread::spawn(move || {
        let socket = accept(&listener);
        let silence = receive_exactly(&socket, &mut [0], Instant::now() + SHORT);
        assert_eq!(silence, Err(NO_ANSWER.into()), "the member waits");
        let answer = answer_to_nonce(&socket).unwrap();
        let (nonce, proof) = (answer.first_chunk().unwrap(), answer.last_chunk().unwrap());
        assert!(id.proves(Side::Member, &NONCE, nonce, proof));
        send(&socket, &id.proof(Side::Server, &NONCE, nonce));
        (listener, socket)
    });
    connect(&id, Instant::now() + LONG, LONG).unwrap();
    server.join().unwrap();
}

#[test]
fn a_silent_address_is_tried_until_the_deadline() {
    let (id, _listener) = place();
    let error = connect(&id, Instant::now() + SHORT, LONG).unwrap_err();
    assert!(error.starts_with("cannot reach the process that made the unique id: 127.0.0.1:"), "{error}");
    assert!(error.ends_with(": no answer"), "{error}");
}

#[test]
fn a_silent_address_is_tried_again() {
    let (id, listener) = place();
    let server = thread::spawn(move || {
        let silent = accept(&listener);
        listener.set_nonblocking(true).unwrap();
        let meeting = TcpMeeting { listener: NotForked::new(listener), id };
        (silent, Server::start(meeting, id.job_id(), None, None).unwrap())
    });
    connect(&id, Instant::now() + LONG, 4 * SHORT).unwrap();
    server.join().unwrap();
}

/// What a process reports of a server that does `serve` with the connection. If `serve` returns the connection, it
/// stays open.
fn told(
    limit: Duration,
    serve: impl FnOnce(TcpMessages) -> Option<TcpMessages> + Send + 'static,
) -> Result<(), String> {
    let (id, listener) = place();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || serve(accept(&listener)));
    let said = connect_at(&id, address, Instant::now() + limit).map(drop);
    server.join().unwrap();
    said
}

#[test]
fn strangers_are_told_apart() {
    let after_answer = |then: fn(TcpMessages) -> Option<TcpMessages>| {
        move |server: TcpMessages| {
            // On a busy machine, the member may have given up.
            let _ = answer_to_nonce(&server);
            then(server)
        }
    };
    assert_eq!(told(LONG, |_| None), Err(DROPPED.into()));
    let short = |server: TcpMessages| {
        send(&server, b"hello");
        Some(server)
    };
    assert_eq!(told(LONG, short), Err(STRANGER.into()));
    assert_eq!(told(SHORT, Some), Err(NO_ANSWER.into()));
    assert_eq!(told(LONG, after_answer(|_| None)), Err(DROPPED.into()));
    let refuse = |server: TcpMessages| {
        send(&server, &WRONG_PROOF);
        Some(server)
    };
    assert_eq!(told(LONG, after_answer(refuse)), Err("it did not accept this id".into()));
    assert_eq!(told(4 * SHORT, after_answer(Some)), Err(NO_ANSWER.into()));
    let wrong = |server: TcpMessages| {
        send(&server, &[1; PROOF_BYTES]);
        Some(server)
    };
    assert_eq!(told(LONG, after_answer(wrong)), Err("it does not know the secret".into()));
}

#[test]
fn a_machine_that_takes_no_connection_may_take_one_later() {
    let listener = socket(AddressFamily::Inet, SockType::Stream, SockFlag::SOCK_CLOEXEC, None).unwrap();
    bind(listener.as_raw_fd(), &SockaddrIn::new(127, 0, 0, 1, 0)).unwrap();
    listen(&listener, Backlog::new(0).unwrap()).unwrap();
    let listener = TcpListener::from(listener);
    let address = listener.local_addr().unwrap();
    let connect = || TcpStream::connect_timeout(&address, SHORT).ok();
    let queue: Vec<TcpStream> = std::iter::from_fn(connect).take(16).collect();
    assert!(queue.len() < 16, "its queue is never full");
    let said = connect_at(&place().0, address, Instant::now() + SHORT).map(drop);
    assert_eq!(said, Err(NO_ANSWER.into()));
}

/// Whether the server accepts this answer to its nonce.
fn proved(answer: impl FnOnce(&UniqueId, &[u8; NONCE_BYTES]) -> Vec<u8>) -> bool {
    let meeting = meeting();
    let address = meeting.listener.local_addr().unwrap();
    let member = TcpMessages::new(TcpStream::connect(address).unwrap()).unwrap();
    let mut pending = soon(|| meeting.accept().unwrap());
    assert!(matches!(meeting.prove(&mut pending), Progress::WouldBlock), "nothing has come yet");
    send(&member, &answer(&meeting.id, &pending.nonce));
    soon(|| match meeting.prove(&mut pending) {
        Progress::WouldBlock => None,
        end => Some(matches!(end, Progress::Done(()))),
    })
}

#[test]
fn only_the_whole_proof_counts() {
    let right = |id: &UniqueId, nonce: &[u8; NONCE_BYTES], own: &[u8; NONCE_BYTES]| {
        [&own[..], &id.proof(Side::Member, nonce, own)].concat()
    };
    assert!(proved(|id, nonce| right(id, nonce, &NONCE)));
    assert!(!proved(|_, _| vec![0; ANSWER_BYTES]));
    // Catches an answer that is padded with zeros.
    assert!(!proved(|id, nonce| {
        let answers = (0..=u16::MAX).map(|number| {
            let mut own = NONCE;
            own[..2].copy_from_slice(&number.to_le_bytes());
            right(id, nonce, &own)
        });
        let mut ends_with_zero = answers.into_iter().find(|answer| answer.ends_with(&[0])).unwrap();
        ends_with_zero.pop();
        ends_with_zero
    }));
}

/// Catches a server that retries a failing listener without the pause that an error calls for.
#[test]
fn no_connection_is_no_error_but_a_listener_that_fails_is_one() {
    let meeting = meeting();
    assert!(matches!(meeting.accept(), Ok(None)));
    let deaf = socket(AddressFamily::Inet, SockType::Stream, SockFlag::SOCK_CLOEXEC, None).unwrap();
    assert!(TcpMeeting { listener: NotForked::new(deaf.into()), id: meeting.id }.accept().is_err());
}

/// Catches a server that other machines can reach, although this version joins the PEs of one machine only.
#[test]
fn the_server_listens_at_the_loopback_address_only() {
    let listener = listen_here().unwrap();
    assert_eq!(listener.local_addr().unwrap().ip(), Ipv4Addr::LOCALHOST);
    let id = UniqueId::create().unwrap();
    assert!(id.is_of(&node::identity()));
    assert!(id.addresses().iter().all(|address| address.ip().is_loopback()), "{:?}", id.addresses());
}

/// Catches a PE that gives up when a busy server has dropped its connection for another one.
#[test]
fn a_dropped_connection_is_tried_again() {
    let (id, listener) = place();
    let server = thread::spawn(move || {
        drop(accept(&listener));
        let second = accept(&listener);
        drop(answer_to_nonce(&second));
        drop(second);
        listener.set_nonblocking(true).unwrap();
        let meeting = TcpMeeting { listener: NotForked::new(listener), id };
        Server::start(meeting, id.job_id(), None, None).unwrap()
    });
    connect(&id, Instant::now() + LONG, LONG).unwrap();
    server.join().unwrap();
}

#[test]
fn a_name_is_found_once_it_is_taken() {
    let name = format!("cushmem-meeting-{}", std::process::id());
    assert!(connect_locally(&name, Instant::now()).unwrap().is_none());
    let wanted = name.clone();
    let member = thread::spawn(move || connect_locally(&wanted, Instant::now() + LONG).map(|found| found.is_some()));
    let meeting = LocalMeeting::new(&name).unwrap();
    let mut pending = soon(|| meeting.accept().unwrap());
    assert!(matches!(meeting.prove(&mut pending), Progress::Done(())));
    assert!(member.join().unwrap().unwrap());
}

/// Catches strangers that keep PEs out: 2,000 of them did, because connections had to wait until those that came before
/// them had run out of time. That members of a job are served while strangers hold on is tested with whole jobs
/// (`unique_id.rs` of `tests/fault`).
#[test]
fn thousands_of_strangers_keep_nobody_out() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    use std::io::Write;
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    // Each stranger needs a descriptor here, and the server some for those that it looks at. Where few are allowed,
    // fewer strangers have to do.
    let n = most.saturating_sub(1000).max(most / 2).min(4000);
    setrlimit(Resource::RLIMIT_NOFILE, most.min(n + 1000), most).unwrap();
    let id = UniqueId::create().unwrap();
    let address = id.addresses()[0];
    let mut strangers = vec![];
    for number in 0..n {
        // The server's queue may be full for a moment.
        let mut stranger = soon(|| TcpStream::connect_timeout(&address, 4 * SHORT).ok());
        // A stranger that the server has hung up on cannot say anything.
        let _ = match number % 4 {
            0 => Ok(()),
            1 => stranger.write_all(&[64, 0, 0, 0, 1, 2]),
            2 => stranger.write_all(&[0xff; 100]),
            _ => stranger.shutdown(std::net::Shutdown::Both),
        };
        strangers.push(stranger);
    }
    let started = Instant::now();
    connect(&id, started + LONG, CONNECT_LIMIT).unwrap();
    let took = started.elapsed();
    println!("{n} strangers: connected after {took:?}");
    // It may take a second, and takes milliseconds on an idle machine. A busy machine takes longer, but less than the
    // time that each stranger has.
    assert!(took < LONG / 2, "{n} strangers: {took:?}");
    let held = std::fs::read_dir("/proc/self/fd").unwrap().count() - strangers.len();
    assert!(held < 400, "{n} strangers: {held} descriptors are open beside those of this test");
}
