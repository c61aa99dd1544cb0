//! Both sides of a meeting, and how each treats strangers at the other end.

use super::*;
use crate::wire::{MAX_MESSAGE_BYTES, Message, MessageKind};
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
    meeting_at(listener, id)
}

fn meeting_at(listener: TcpListener, id: UniqueId) -> TcpMeeting {
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

fn receive_exactly<const N: usize>(socket: &TcpMessages, deadline: Instant) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    let received = receive(socket, &mut bytes, deadline)?;
    assert_eq!(received, N);
    Ok(bytes)
}

/// Sends the greeting and returns the member's nonce.
fn greet(member: &TcpMessages, id: &UniqueId) -> [u8; NONCE_BYTES] {
    send(member, &[NONCE, id.greeting(&NONCE)].concat());
    NONCE
}

/// The member's nonce and its greeting.
fn greeting(server: &TcpMessages) -> Result<[u8; GREETING_BYTES], String> {
    receive_exactly(server, Instant::now() + LONG)
}

#[test]
fn the_secret_opens_the_connection() {
    let id = UniqueId::create().unwrap();
    assert_eq!(UniqueId::from_bytes(id.to_bytes()), Ok(id), "others can use it");
    let connect = |id: &UniqueId| connect(&Place::from(id), Instant::now() + LONG, LONG).map(drop);
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
        let message = greeting(&socket).unwrap();
        let (nonce, greeting) = (message.first_chunk().unwrap(), message.last_chunk().unwrap());
        assert!(id.is_greeting(nonce, greeting));
        let silence = receive_exactly::<1>(&socket, Instant::now() + SHORT);
        assert_eq!(silence, Err(NO_ANSWER.into()), "the member waits");
        send(&socket, &[NONCE, id.proof(Side::Server, &NONCE, nonce)].concat());
        let proof = receive_exactly(&socket, Instant::now() + LONG).unwrap();
        assert!(id.proves(Side::Member, &NONCE, nonce, &proof));
        send(&socket, &ACCEPTED);
        (listener, socket)
    });
    connect(&Place::from(&id), Instant::now() + LONG, LONG).unwrap();
    server.join().unwrap();
}

#[test]
fn a_silent_address_is_tried_until_the_deadline() {
    let (id, _listener) = place();
    let error = connect(&Place::from(&id), Instant::now() + SHORT, LONG).unwrap_err();
    assert!(error.starts_with("cannot reach the process that made the unique id: 127.0.0.1:"), "{error}");
    assert!(error.ends_with(": no answer"), "{error}");
}

#[test]
fn a_silent_address_is_tried_again() {
    let (id, listener) = place();
    let server = thread::spawn(move || {
        let silent = accept(&listener);
        let meeting = meeting_at(listener, id);
        (silent, Server::start(meeting, id.job_id(), None, None).unwrap())
    });
    connect(&Place::from(&id), Instant::now() + LONG, 4 * SHORT).unwrap();
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
    let after_greeting = |then: fn(TcpMessages) -> Option<TcpMessages>| {
        move |server: TcpMessages| {
            // On a busy machine, the member may have given up.
            let _ = greeting(&server);
            then(server)
        }
    };
    // The end may come before the greeting is sent, or after.
    assert_eq!(told(LONG, |_| None), Err(DROPPED.into()));
    let short = |server: TcpMessages| {
        send(&server, b"hello");
        Some(server)
    };
    assert_eq!(told(LONG, short), Err(STRANGER.into()));
    assert_eq!(told(SHORT, Some), Err(NO_ANSWER.into()));
    assert_eq!(told(LONG, after_greeting(|_| None)), Err(DROPPED.into()));
    let refuse = |server: TcpMessages| {
        send(&server, &WRONG_GREETING);
        Some(server)
    };
    assert_eq!(told(LONG, after_greeting(refuse)), Err("it did not accept this id".into()));
    assert_eq!(told(4 * SHORT, after_greeting(Some)), Err(NO_ANSWER.into()));
    let wrong = |server: TcpMessages| {
        send(&server, &[1; GREETING_BYTES]);
        Some(server)
    };
    assert_eq!(told(LONG, after_greeting(wrong)), Err("it does not know the secret".into()));
}

#[test]
fn a_machine_that_takes_no_connection_may_take_one_later() {
    let listener = socket(AddressFamily::Inet, SockType::Stream, SockFlag::SOCK_CLOEXEC, None).unwrap();
    bind(listener.as_raw_fd(), &nix::sys::socket::SockaddrIn::new(127, 0, 0, 1, 0)).unwrap();
    listen(&listener, Backlog::new(0).unwrap()).unwrap();
    let listener = TcpListener::from(listener);
    let address = listener.local_addr().unwrap();
    let connect = || TcpStream::connect_timeout(&address, SHORT).ok();
    let queue: Vec<TcpStream> = std::iter::from_fn(connect).take(16).collect();
    assert!(queue.len() < 16, "its queue is never full");
    let said = connect_at(&place().0, address, Instant::now() + SHORT).map(drop);
    assert_eq!(said, Err(NO_ANSWER.into()));
}

/// How the server's end of a connection goes on after a message.
fn after(meeting: &TcpMeeting, pending: &mut Proving) -> Progress<()> {
    let has_greeted = |pending: &Proving| TcpMeeting::greeting(pending).is_some();
    let before = has_greeted(pending);
    soon(|| match meeting.prove(pending) {
        Progress::WouldBlock if has_greeted(pending) == before => None,
        progress => Some(progress),
    })
}

/// Whether the server accepts this proof from a member that has sent the right greeting.
fn proved(proof: impl FnOnce(&UniqueId, &[u8; NONCE_BYTES], &[u8; NONCE_BYTES]) -> Vec<u8>) -> bool {
    let meeting = meeting();
    let address = meeting.listener.local_addr().unwrap();
    let member = TcpMessages::new(TcpStream::connect(address).unwrap()).unwrap();
    let mut pending = soon(|| meeting.accept().unwrap());
    assert!(matches!(meeting.prove(&mut pending), Progress::WouldBlock), "nothing has come yet");
    let own = greet(&member, &meeting.id);
    assert!(matches!(after(&meeting, &mut pending), Progress::WouldBlock), "the proof has not come yet");
    let answer = receive_exactly::<GREETING_BYTES>(&member, Instant::now() + LONG).unwrap();
    send(&member, &proof(&meeting.id, answer.first_chunk().unwrap(), &own));
    matches!(after(&meeting, &mut pending), Progress::Done(()))
}

/// Catches a recorded greeting that opens the connection.
#[test]
fn only_the_whole_proof_counts() {
    assert!(proved(|id, nonce, own| id.proof(Side::Member, nonce, own).to_vec()));
    assert!(!proved(|_, _, _| vec![0; PROOF_BYTES]));
    assert!(!proved(|id, nonce, own| id.proof(Side::Server, nonce, own).to_vec()));
    assert!(!proved(|id, _, own| [*own, id.greeting(own)].concat()));
    // Catches a proof that is padded with zeros.
    assert!(!proved(|id, nonce, own| id.proof(Side::Member, nonce, own)[..PROOF_BYTES - 1].to_vec()));
}

#[test]
fn a_wrong_greeting_is_refused() {
    let meeting = meeting();
    let address = meeting.listener.local_addr().unwrap();
    let other = place().0;
    for message in [vec![0; GREETING_BYTES], other.greeting(&NONCE).to_vec(), [NONCE, other.greeting(&NONCE)].concat()]
    {
        let member = TcpMessages::new(TcpStream::connect(address).unwrap()).unwrap();
        let mut pending = soon(|| meeting.accept().unwrap());
        send(&member, &message);
        assert!(matches!(after(&meeting, &mut pending), Progress::Closed), "{message:?}");
    }
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
    let listener = listen_at((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    assert_eq!(listener.local_addr().unwrap().ip(), Ipv4Addr::LOCALHOST);
    let id = UniqueId::create().unwrap();
    assert!(id.is_reachable_from(&node::identity()) && !id.is_reachable_from("elsewhere"));
    assert!(id.addresses().iter().all(|address| address.ip().is_loopback()), "{:?}", id.addresses());
}

/// Catches a PE that gives up when a busy server has dropped its connection for another one.
#[test]
fn a_dropped_connection_is_tried_again() {
    let (id, listener) = place();
    let server = thread::spawn(move || {
        drop(accept(&listener));
        let second = accept(&listener);
        drop(greeting(&second));
        drop(second);
        let meeting = meeting_at(listener, id);
        Server::start(meeting, id.job_id(), None, None).unwrap()
    });
    let before = connection_retries();
    connect(&Place::from(&id), Instant::now() + LONG, LONG).unwrap();
    // Other tests of this process may try again too.
    assert!(connection_retries() > before, "it is not counted");
    server.join().unwrap();
}

/// The kind of the server's answer to a hello, which is wrong.
fn answer_to_hello(member: &TcpMessages) -> Result<MessageKind, String> {
    let hello = Message { pe: 7, value: 7, ..Message::new(MessageKind::Hello, 0) };
    send(member, &hello.encode());
    let mut buffer = [0; MAX_MESSAGE_BYTES];
    let bytes = receive(member, &mut buffer, Instant::now() + LONG)?;
    Ok(Message::decode(&buffer[..bytes], 0).unwrap().kind)
}

/// Catches a PE that takes a connection for a good one although the server has dropped it, because the PE was stopped
/// before it sent its proof.
#[test]
fn a_proof_that_comes_too_late_is_tried_again() {
    let (id, listener) = place();
    let server = thread::spawn(move || {
        let first = accept(&listener);
        let nonce = *greeting(&first).unwrap().first_chunk().unwrap();
        send(&first, &[NONCE, id.proof(Side::Server, &NONCE, &nonce)].concat());
        receive_exactly::<PROOF_BYTES>(&first, Instant::now() + LONG).unwrap();
        drop(first);
        let meeting = meeting_at(listener, id);
        Server::start(meeting, id.job_id(), None, None).unwrap()
    });
    let member = connect(&Place::from(&id), Instant::now() + LONG, LONG).unwrap();
    assert_eq!(answer_to_hello(&member), Ok(MessageKind::Refused), "the server hears it");
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

/// Raises the limit of descriptors so that this process can hold `n` strangers, fewer where few are allowed.
fn room_for_strangers(n: u64) -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    // Each stranger needs a descriptor here, and the server some for those that it looks at.
    let n = most.saturating_sub(1000).max(most / 2).min(n);
    setrlimit(Resource::RLIMIT_NOFILE, most.min(n + 1000), most).unwrap();
    n as usize
}

/// Whether this process runs the test alone, so that what the process uses is what the test uses. Otherwise, runs it in
/// such a process. Several tests may be named with `--exact`, too.
fn is_alone(test: &str) -> bool {
    let tests = std::env::args().filter(|argument| argument.contains("::")).count();
    if tests == 1 && std::env::args().any(|argument| argument == "--exact") {
        return true;
    }
    let name = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let out = alone.args(["--exact", &name]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && text.contains("1 passed"), "{text}");
    false
}

/// The time that this process has computed.
fn computed() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let used = getrusage(UsageWho::RUSAGE_SELF).unwrap();
    let seconds = |time: nix::sys::time::TimeVal| Duration::new(time.tv_sec() as u64, time.tv_usec() as u32 * 1000);
    seconds(used.user_time()) + seconds(used.system_time())
}

/// Catches strangers that keep PEs out: 2,000 of them did, because connections had to wait until those that came before
/// them had run out of time. That members of a job are served while strangers hold on is tested with whole jobs
/// (`unique_id.rs` of `tests/fault`).
#[test]
fn thousands_of_strangers_keep_nobody_out() {
    use std::io::Write;
    if !is_alone("thousands_of_strangers_keep_nobody_out") {
        return;
    }
    let n = room_for_strangers(4000);
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
    connect(&Place::from(&id), Instant::now() + LONG, CONNECT_LIMIT).unwrap();
    let held = std::fs::read_dir("/proc/self/fd").unwrap().count() - strangers.len();
    assert!(held < 400, "{n} strangers: {held} descriptors are open beside those of this test");
}

/// Catches a server that spends too much on each stranger: 4,000 that have connected before a PE may delay it by a
/// second. They delay it by what the process computes, and by [`crate::server`]'s pauses, 16 of 5 ms. What other
/// programs take of a busy machine does not count.
#[test]
fn strangers_in_the_queue_cost_little() {
    if !is_alone("strangers_in_the_queue_cost_little") {
        return;
    }
    let n = room_for_strangers(4000);
    let listener = listen_at((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    let id = UniqueId::new(&[address.ip()], address.port(), NODE).unwrap();
    // If the system's queue is shorter, it is full.
    let strangers: Vec<_> = std::iter::from_fn(|| TcpStream::connect_timeout(&address, SHORT).ok()).take(n).collect();
    let (started, before) = (Instant::now(), computed());
    Server::start(meeting_at(listener, id), id.job_id(), None, None).unwrap();
    connect(&Place::from(&id), started + LONG, CONNECT_LIMIT).unwrap();
    let (took, computed) = (started.elapsed(), computed() - before);
    println!(
        "{} strangers: connected after {took:?}, {computed:?} of which this process has computed",
        strangers.len()
    );
    assert!(computed < Duration::from_millis(500), "{} strangers: {computed:?}", strangers.len());
}

/// Catches a server that drops a slow PE for the strangers that come after it. On a busy machine, a PE may not run for
/// longer than a stranger is given.
#[test]
fn strangers_do_not_push_out_a_pe_that_has_greeted() {
    if !is_alone("strangers_do_not_push_out_a_pe_that_has_greeted") {
        return;
    }
    let n = room_for_strangers(1500);
    let id = UniqueId::create().unwrap();
    let address = id.addresses()[0];
    let slow = TcpMessages::new(TcpStream::connect(address).unwrap()).unwrap();
    let own = greet(&slow, &id);
    let answer = receive_exactly::<GREETING_BYTES>(&slow, Instant::now() + LONG).unwrap();
    let strangers: Vec<_> = (0..n).map(|_| soon(|| TcpStream::connect_timeout(&address, 4 * SHORT).ok())).collect();
    // All strangers have been accepted, and most have been dropped.
    connect(&Place::from(&id), Instant::now() + LONG, CONNECT_LIMIT).unwrap();
    send(&slow, &id.proof(Side::Member, answer.first_chunk().unwrap(), &own));
    assert_eq!(receive_exactly(&slow, Instant::now() + LONG), Ok(ACCEPTED));
    assert_eq!(answer_to_hello(&slow), Ok(MessageKind::Refused));
    drop(strangers);
}

/// The longest address as text, with its port: 47 characters.
fn longest_address(last: u16) -> SocketAddr {
    (Ipv6Addr::new(0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, last), 65_535).into()
}

/// Catches a text that loses something, or that a process manager would take for several words or cut.
#[test]
fn a_place_survives_text() {
    let id = place().0;
    let all: Vec<SocketAddr> = (0xff00..0xff20).map(longest_address).collect();
    for count in [1, 2, MAX_ADDRESSES, MAX_ADDRESSES + 1, all.len()] {
        let place = Place { id, addresses: all[..count].to_vec(), is_agreed_before: false };
        let text = place.to_string();
        assert!(text.len() < 1024 && text.chars().all(|c| c.is_ascii_graphic()), "{} characters", text.len());
        let known = all[..count.min(MAX_ADDRESSES)].to_vec();
        assert_eq!(text.parse(), Ok(Place { addresses: known, ..place }));
    }
    let four = Place { id, addresses: vec![(Ipv4Addr::LOCALHOST, 1).into()], is_agreed_before: false };
    assert_eq!(four.to_string().parse(), Ok(four));
}

/// Catches the number of a network interface in the text: it makes the text too long, and is of one host only.
#[test]
fn the_text_of_a_place_has_no_interfaces() {
    let id = place().0;
    let SocketAddr::V6(mut scoped) = longest_address(0xff01) else { unreachable!("it is of version 6") };
    scoped.set_scope_id(u32::MAX);
    let text = Place { id, addresses: vec![scoped.into(); MAX_ADDRESSES], is_agreed_before: false }.to_string();
    assert!(text.len() < 1024 && !text.contains('%'), "{text}");
    assert_eq!(text.parse::<Place>().unwrap().addresses, [longest_address(0xff01); MAX_ADDRESSES]);
}

/// Catches a damaged text that is taken for a place, and an error that has several lines or does not name the part.
#[test]
fn damaged_texts_of_places_are_refused() {
    let (id, address) = (place().0, longest_address(0xff01));
    let many = format!(",{address}").repeat(MAX_ADDRESSES + 1);
    for (rest, why) in [
        ("".to_owned(), "it has 0 addresses"),
        (many, "it has 16 addresses"),
        (",".to_owned(), "'' is not an address"),
        (format!(",{address},"), "'' is not an address"),
        (format!(", {address}"), "is not an address"),
        (",192.0.2.1".to_owned(), "'192.0.2.1' is not an address"),
        (",192.0.2.1:65536".to_owned(), "'192.0.2.1:65536' is not an address"),
        (",192.0.2.1:0".to_owned(), "'192.0.2.1:0' is not an address"),
        (",[fe80::1%7]:1".to_owned(), "'[fe80::1%7]:1' is not an address"),
        (",a\nb".to_owned(), r"'a\nb' is not an address"),
    ] {
        let error = format!("{id}{rest}").parse::<Place>().expect_err(&rest);
        assert!(error.contains(why) && !error.contains(char::is_control), "{rest:?}: {error:?}");
    }
    for text in ["".to_owned(), format!(",{address}"), format!("0{id},{address}"), format!("{address},{id}")] {
        let error = text.parse::<Place>().expect_err(&text);
        assert!(error.contains("characters are not the"), "{text}: {error}");
    }
}

/// A server of this id that this process does not know, as if another process had started it, and its port.
fn server_of_another_process(id: UniqueId) -> (Server, u16) {
    let meeting = meeting_at(listen_at((Ipv4Addr::LOCALHOST, 0).into()).unwrap(), id);
    let port = meeting.listener.local_addr().unwrap().port();
    (Server::start(meeting, id.job_id(), None, None).unwrap(), port)
}

/// Catches two jobs with the same variables that meet at different ports, where some of their processes find the wrong
/// one.
#[test]
fn a_job_with_the_same_variables_is_noticed() {
    let id = UniqueId::of_secret([5; 32]);
    let place = Place { id, addresses: vec![], is_agreed_before: true };
    let (_server, port) = server_of_another_process(id);
    let error = place.serve(&[port, 0]).unwrap_err().to_string();
    assert_eq!(error, format!("another job with the same variables has port {port}"));
    assert!(server_of(&id.job_id()).is_none());
}

/// Catches a port of another program, or of a job with another secret, that keeps a job from the next port.
#[test]
fn a_port_of_somebody_else_is_passed_over() {
    let (stranger, id) = (UniqueId::of_secret([6; 32]), UniqueId::of_secret([7; 32]));
    let place = Place { id, addresses: vec![], is_agreed_before: true };
    let (_server, port) = server_of_another_process(stranger);
    let error = place.serve(&[port]).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot listen at any of the ports {port}: ")), "{error}");
    // The operating system chooses the second one.
    place.serve(&[port, 0]).unwrap();
    assert!(server_of(&id.job_id()).is_some());
    place.serve(&[]).expect("it runs here");
}
