//! Damaged messages to a server, from processes that have the secret.

use super::*;
use crate::fuzz::{JOB, Script, parser};
use cushmem_fuzz::is_one_line;

const N_PES: u32 = 2;
const CONNECTIONS: u8 = 4;

struct Nobody;

impl AsFd for Nobody {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        unreachable!("nobody waits for callers")
    }
}

impl Listener for Nobody {
    type Socket = Script;
    type Pending = Script;

    fn accept(&self) -> io::Result<Option<Script>> {
        Ok(None)
    }

    fn prove(&self, _: &mut Script) -> Progress<()> {
        Progress::Done(())
    }

    fn proved(pending: Script) -> Script {
        pending
    }
}

/// Each message has the number of its connection in front. Of each connection, the server takes one message in turn.
#[test]
fn server() {
    let first = |kind, pe| Message { pe, value: N_PES, body: JOB.as_bytes(), ..Message::new(kind, 0) };
    let (hello, watch) = (|pe| first(MessageKind::Hello, pe), |pe| first(MessageKind::Watch, pe));
    let call = |kind, seq| Message { tag: "heap", body: b"abc", ..Message::new(kind, seq) };
    let on = |connection: u8, message: &Message<'_>| [&[connection], &message.encode()[..]].concat();
    let begun = [on(0, &hello(0)), on(1, &hello(1)), on(2, &watch(0)), on(3, &watch(1))];
    let gather = [on(0, &call(MessageKind::Gather, 1)), on(1, &call(MessageKind::Gather, 1))];
    let last = [on(0, &call(MessageKind::Finalize, 2)), on(1, &call(MessageKind::Finalize, 2))];
    let abort = Message { value: 7, body: b"why", ..Message::new(MessageKind::Abort, 0) };
    let asked = [on(1, &Message::new(MessageKind::WhoIsLate, 1)), on(0, &abort)];
    let parser = parser("server")
        .messages("whole", &[&begun[..], &gather, &last].concat())
        .messages("aborted", &[&begun[..], &gather[1..], &asked].concat());
    parser.run_messages(|messages| {
        let mut job = Job::new(Nobody, JOB.into(), Server { told: Arc::default(), job: 0 }, None);
        job.members = Some(Members::new(N_PES, JOB));
        for connection in 0..CONNECTIONS {
            let of_this = messages.iter().filter_map(|message| message.split_first());
            let of_this = of_this.filter(|(number, _)| **number % CONNECTIONS == connection);
            // After each message, it is the others' turn.
            let script = of_this.flat_map(|(_, bytes)| [bytes.to_vec(), vec![]]);
            job.arrivals.push(Arrival::new(Script::new(script, connection == 0), true));
        }
        let mut buffer = vec![0; MAX_MESSAGE_BYTES];
        for _ in 0..=messages.len() {
            job.arrivals.iter_mut().for_each(|arrival| arrival.is_ready = true);
            job.identify_arrivals(&mut buffer);
            for pe in 0..N_PES {
                job.take_messages(pe, &mut buffer);
                job.look_at_lifeline(pe, &mut buffer);
                job.members.as_mut().expect("they are known").send(pe);
            }
        }
        if let Some(ending) = &job.ending {
            is_one_line(&ending.reason, &messages.concat());
        }
    });
}
