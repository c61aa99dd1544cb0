//! Tests that feed messages to the launcher's state machine.

use super::*;
use crate::wire::{MAX_BODY_BYTES, unpack};
use proptest::prelude::*;

const JOB: &str = "00ff";

fn joined(n_pes: u32) -> Rendezvous {
    let places: Vec<u32> = (0..n_pes).rev().collect();
    let mut job = Rendezvous::new(&places, JOB, n_pes > 2);
    for pe in 0..n_pes {
        let hello = Message { body: JOB.as_bytes(), ..Message::new(MessageKind::Hello, 0) };
        job.receive(pe, &hello.encode(), vec![], false).unwrap();
        let place = |m: &Message<'_>| u32::from_le_bytes(m.body[..4].try_into().unwrap());
        let welcome = next(&mut job, pe, |m| (m.kind, m.pe, m.value, place(m), m.oversubscribed)).unwrap();
        assert_eq!(welcome, (MessageKind::Welcome, pe, n_pes, places[pe as usize], n_pes > 2));
    }
    job
}

/// Takes the next message for `pe` and examines it.
fn next<T>(job: &mut Rendezvous, pe: u32, look: impl Fn(&Message<'_>) -> T) -> Option<T> {
    let outgoing = job.next_outgoing(pe)?.clone();
    job.sent(pe);
    let descriptors = usize::from(outgoing.descriptor().is_some());
    Some(look(&Message::decode(outgoing.bytes(), descriptors).unwrap()))
}

fn call(job: &mut Rendezvous, pe: u32, kind: MessageKind, seq: u64, tag: &str, body: &[u8]) -> Result<Request, String> {
    job.receive(pe, &Message { tag, body, ..Message::new(kind, seq) }.encode(), vec![], false)
}

#[test]
fn allgather_gives_every_pe_all_pieces_in_order() {
    let mut job = joined(3);
    for pe in [2, 0, 1] {
        call(&mut job, pe, MessageKind::Gather, 1, "heap", &[pe as u8; 4]).unwrap();
    }
    for pe in 0..3 {
        let contributions = |m: &Message<'_>| unpack(m.body).unwrap().into_iter().map(<[u8]>::to_vec).collect();
        let pieces: (_, _, _, _, Vec<Vec<u8>>) =
            next(&mut job, pe, |m| (m.kind, m.seq, m.pe, m.value, contributions(m))).unwrap();
        assert_eq!(pieces, (MessageKind::Pieces, 1, 0, 3, vec![vec![0; 4], vec![1; 4], vec![2; 4]]));
        assert!(job.next_outgoing(pe).is_none());
    }
}

/// Catches a file that reaches another node, where it would hide that real networks have no such thing.
#[test]
fn a_descriptor_stays_on_its_node() {
    let mut job = joined(4).on_nodes(2);
    for pe in 0..4 {
        let body = [pe as u8];
        let message = Message { has_descriptor: true, tag: "x", body: &body, ..Message::new(MessageKind::Gather, 1) };
        job.receive(pe, &message.encode(), vec![std::io::pipe().unwrap().0.into()], false).unwrap();
    }
    for pe in 0..4 {
        let mut got = [false; 4];
        while let Some(from) = next(&mut job, pe, |m| m.has_descriptor.then_some(m.pe)) {
            from.into_iter().for_each(|from| got[from as usize] = true);
        }
        // Places are in the order opposite to that of PEs, so PEs 2 and 3 are on the first node.
        assert_eq!(got, if pe < 2 { [true, true, false, false] } else { [false, false, true, true] }, "PE {pe}");
    }
}

#[test]
fn long_contributions_and_those_with_a_descriptor_come_alone() {
    let mut job = joined(8);
    for (pe, bytes) in (0u32..).zip([1, 2, MAX_BODY_BYTES, 3, 4, 5, MAX_BODY_BYTES, 6]) {
        let descriptors = if pe == 3 { vec![std::io::pipe().unwrap().0.into()] } else { vec![] };
        let body = vec![pe as u8; bytes];
        let has_descriptor = !descriptors.is_empty();
        let message = Message { has_descriptor, tag: "x", body: &body, ..Message::new(MessageKind::Gather, 1) };
        job.receive(pe, &message.encode(), descriptors, false).unwrap();
    }
    let mut answers = Vec::new();
    while let Some(answer) = next(&mut job, 4, |m| (m.kind, m.pe, m.body.len(), m.has_descriptor)) {
        answers.push(answer);
    }
    let expected = [
        (MessageKind::Pieces, 0, 1 + 2 + 2 * 4, false),
        (MessageKind::Piece, 2, MAX_BODY_BYTES, false),
        (MessageKind::Piece, 3, 3, true),
        (MessageKind::Pieces, 4, 4 + 5 + 2 * 4, false),
        (MessageKind::Piece, 6, MAX_BODY_BYTES, false),
        (MessageKind::Piece, 7, 6, false),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn a_pe_that_does_not_take_its_answers_gets_no_others() {
    let mut job = joined(2);
    call(&mut job, 1, MessageKind::Fence, 1, "start", &[]).unwrap();
    for _ in 0..1000 {
        call(&mut job, 1, MessageKind::WhoIsLate, 1, "", &[]).unwrap();
    }
    assert_eq!(next(&mut job, 1, |m| m.kind), Some(MessageKind::Late));
    assert!(job.next_outgoing(1).is_none());
    job.ended(0);
    let error = call(&mut job, 1, MessageKind::Fence, 2, "again", &[]).unwrap_err();
    assert!(error.contains("before it had read the reply"), "{error}");
}

#[test]
fn different_tags_name_both_pes_and_both_tags() {
    let mut job = joined(3);
    call(&mut job, 2, MessageKind::Gather, 1, "heap", &[]).unwrap();
    call(&mut job, 0, MessageKind::Gather, 1, "teams", &[]).unwrap();
    let expected = "PE 2 called allgather 'heap' while PE 0 called allgather 'teams'";
    for pe in [0, 2] {
        let refused = next(&mut job, pe, |m| (m.kind, String::from_utf8_lossy(m.body).into_owned())).unwrap();
        assert_eq!(refused, (MessageKind::Refused, expected.to_string()));
    }
    // A PE that arrives later gets the same reason.
    call(&mut job, 1, MessageKind::Gather, 1, "heap", &[]).unwrap();
    assert_eq!(next(&mut job, 1, |m| m.kind), Some(MessageKind::Refused));
}

#[test]
fn different_operations_are_named() {
    let mut job = joined(2);
    call(&mut job, 0, MessageKind::Fence, 1, "x", &[]).unwrap();
    call(&mut job, 1, MessageKind::Finalize, 1, "x", &[]).unwrap();
    let reason = next(&mut job, 0, |m| String::from_utf8_lossy(m.body).into_owned()).unwrap();
    assert_eq!(reason, "PE 0 called fence 'x' while PE 1 called finalize 'x'");
}

/// Catches a job whose second call is refused, or gets the answer of the first.
#[test]
fn rounds_are_counted() {
    let mut job = joined(1);
    for seq in 1..4 {
        call(&mut job, 0, MessageKind::Fence, seq, "again", &[]).unwrap();
        assert_eq!(next(&mut job, 0, |m| (m.kind, m.seq)), Some((MessageKind::Done, seq)));
    }
}

#[test]
fn late_pes_are_named_to_the_pe_that_asks() {
    let mut job = joined(3);
    call(&mut job, 1, MessageKind::Fence, 1, "start", &[]).unwrap();
    let arrived_ms = 60_000;
    job.round.as_mut().unwrap().last_arrival -= std::time::Duration::from_millis(arrived_ms.into());
    call(&mut job, 1, MessageKind::WhoIsLate, 1, "", &[]).unwrap();
    let late = next(&mut job, 1, |m| (m.kind, m.value >= arrived_ms, m.body.to_vec())).unwrap();
    assert_eq!(late, (MessageKind::Late, true, [0u32.to_le_bytes(), 2u32.to_le_bytes()].concat()));
    assert_eq!([job.awaited_by(0), job.awaited_by(1), job.awaited_by(2)], [vec![], vec![0, 2], vec![]]);
    assert_eq!(job.describe_open_round().unwrap(), "fence 'start' was waiting for PEs 0, 2");
}

#[test]
fn a_question_about_a_finished_round_gets_no_answer_of_its_own() {
    let mut job = joined(1);
    call(&mut job, 0, MessageKind::Fence, 1, "start", &[]).unwrap();
    call(&mut job, 0, MessageKind::WhoIsLate, 1, "", &[]).unwrap();
    assert_eq!(next(&mut job, 0, |m| m.kind), Some(MessageKind::Done));
    assert!(job.next_outgoing(0).is_none());
}

#[test]
fn a_pe_that_ends_breaks_the_round_that_needs_it() {
    let mut job = joined(2);
    call(&mut job, 0, MessageKind::Fence, 1, "start", &[]).unwrap();
    job.ended(1);
    let reason = next(&mut job, 0, |m| String::from_utf8_lossy(m.body).into_owned()).unwrap();
    assert_eq!(reason, "PE 1 has ended without finalize");
}

#[test]
fn finalize_counts_only_when_all_have_arrived() {
    let mut job = joined(2);
    call(&mut job, 0, MessageKind::Finalize, 1, "", &[]).unwrap();
    assert_eq!(job.stage(0), Stage::Joined);
    call(&mut job, 1, MessageKind::Finalize, 1, "", &[]).unwrap();
    assert_eq!((job.stage(0), job.stage(1)), (Stage::Finalized, Stage::Finalized));
    assert!(call(&mut job, 0, MessageKind::Fence, 2, "", &[]).unwrap_err().contains("Finalized"));
}

/// Catches a second job that refuses its PEs, and a wait for a PE that has ended after the first one.
#[test]
fn after_finalize_all_pes_may_join_again() {
    let again = |job: &mut Rendezvous, pe, seq| {
        let hello = Message { body: JOB.as_bytes(), ..Message::new(MessageKind::Hello, seq) };
        job.receive(pe, &hello.encode(), vec![], false)
    };
    let finalized = || {
        let mut job = joined(2);
        for pe in 0..2 {
            call(&mut job, pe, MessageKind::Finalize, 1, "", &[]).unwrap();
        }
        for pe in 0..2 {
            assert_eq!(next(&mut job, pe, |m| m.kind), Some(MessageKind::Done));
        }
        job
    };
    let mut job = finalized();
    assert!(again(&mut job, 0, 0).unwrap_err().contains("joined twice"), "another process of the PE");
    for pe in 0..2 {
        again(&mut job, pe, 2).unwrap();
        assert_eq!((job.stage(pe), next(&mut job, pe, |m| m.kind)), (Stage::Joined, Some(MessageKind::Welcome)));
        call(&mut job, pe, MessageKind::Fence, 2, "x", &[]).unwrap();
    }
    assert_eq!(next(&mut job, 0, |m| m.kind), Some(MessageKind::Done));

    for ends_first in [true, false] {
        let mut job = finalized();
        if ends_first {
            job.ended(1);
        }
        again(&mut job, 0, 2).unwrap();
        assert_eq!(next(&mut job, 0, |m| m.kind), Some(MessageKind::Welcome));
        call(&mut job, 0, MessageKind::Fence, 2, "x", &[]).unwrap();
        if !ends_first {
            job.ended(1);
        }
        let reason = next(&mut job, 0, |m| String::from_utf8_lossy(m.body).into_owned()).unwrap();
        assert_eq!(reason, "PE 1 has ended without joining the job again", "{ends_first}");
    }
}

#[test]
fn violations_are_refused() {
    let mut job = joined(2);
    let hello = |body| Message { body, ..Message::new(MessageKind::Hello, 0) }.encode();
    assert!(job.receive(0, &hello(JOB.as_bytes()), vec![], false).unwrap_err().contains("joined twice"));
    let mut fresh = Rendezvous::new(&[0], JOB, false);
    assert!(fresh.receive(0, &hello(b"other"), vec![], false).unwrap_err().contains("another job"));
    assert!(call(&mut job, 0, MessageKind::Fence, 5, "", &[]).unwrap_err().contains("round 5"));
    call(&mut job, 0, MessageKind::Fence, 1, "", &[]).unwrap();
    assert!(call(&mut job, 0, MessageKind::Fence, 1, "", &[]).unwrap_err().contains("twice"));
    assert!(call(&mut job, 0, MessageKind::Done, 1, "", &[]).is_err());
}

/// Catches a launcher that panics over what another one has sent, or because many PEs of a large job are late.
#[test]
fn what_is_too_long_for_a_message_is_cut() {
    let n_pes = 20_000;
    let one_of_many = || {
        let mut job = Rendezvous::part_of(n_pes, &[(0, 0)], JOB, false);
        call(&mut job, 0, MessageKind::Hello, 0, "", JOB.as_bytes()).unwrap();
        job.sent(0);
        call(&mut job, 0, MessageKind::Fence, 1, "", &[]).unwrap();
        job
    };
    let mut job = one_of_many();
    call(&mut job, 0, MessageKind::WhoIsLate, 1, "", &[]).unwrap();
    let late: Vec<u32> = (1..n_pes).collect();
    job.tell_late(1, &late, Duration::ZERO);
    let told = next(&mut job, 0, |m| {
        (m.kind, m.body.as_chunks::<4>().0.iter().map(|pe| u32::from_le_bytes(*pe)).collect::<Vec<_>>())
    });
    assert_eq!(told, Some((MessageKind::Late, late[..MAX_BODY_BYTES / 4].to_vec())));
    let mut job = one_of_many();
    job.break_with("ü".repeat(MAX_BODY_BYTES));
    let refused = next(&mut job, 0, |m| (m.kind, std::str::from_utf8(m.body).unwrap().chars().all(|c| c == 'ü')));
    assert_eq!(refused, Some((MessageKind::Refused, true)));
}

proptest! {
    #[test]
    fn no_sequence_of_messages_panics_or_grows_without_bound(
        steps in proptest::collection::vec((0u32..3, 1u16..16, 0u64..4, "[ab]", 0usize..40), 0..80)
    ) {
        let mut job = Rendezvous::new(&[0, 1, 2], JOB, true);
        for (pe, kind, seq, tag, cut) in steps {
            let body = if kind == 1 { JOB.as_bytes() } else { b"x" };
            let mut bytes = Message { tag: &tag, body, ..Message::new(MessageKind::Fence, seq) }.encode();
            bytes[6] = kind as u8;
            if cut < 32 { bytes.truncate(cut); }
            let _ = job.receive(pe, &bytes, vec![], false);
            for pe in 0..3 { prop_assert!(job.peers[pe].outgoing.len() <= 100); }
        }
    }
}

/// Two hosts with PEs 0 and 2, and 1 and 3, at which all PEs have joined.
fn on_two_hosts() -> [Rendezvous; 2] {
    [[(0, 0), (2, 1)], [(1, 0), (3, 1)]].map(|pes| {
        let mut host = Rendezvous::part_of(4, &pes, JOB, false).on_host(pes[0].0);
        for (index, (number, place)) in (0..).zip(pes) {
            let hello = Message { body: JOB.as_bytes(), ..Message::new(MessageKind::Hello, 0) };
            host.receive(index, &hello.encode(), vec![], false).unwrap();
            let told = next(&mut host, index, |m| (m.pe, m.value, m.body.to_vec())).unwrap();
            assert_eq!(told, (number, 4, [place, pes[0].0].map(u32::to_le_bytes).concat()));
        }
        host
    })
}

#[test]
fn hosts_exchange_contributions_and_keep_descriptors() {
    let mut hosts = on_two_hosts();
    for (host, rendezvous) in hosts.iter_mut().enumerate() {
        for pe in [1, 0] {
            assert_eq!(rendezvous.gathered(), None, "a PE has not arrived");
            let body = [(host as u32 + 2 * pe) as u8];
            let message =
                Message { has_descriptor: true, tag: "x", body: &body, ..Message::new(MessageKind::Gather, 1) };
            rendezvous.receive(pe, &message.encode(), vec![std::io::pipe().unwrap().0.into()], false).unwrap();
        }
        let (kind, tag) = (MessageKind::Gather, "x".to_owned());
        let contributions = vec![vec![host as u8], vec![host as u8 + 2]];
        assert_eq!(rendezvous.gathered(), Some(Gathered { seq: 1, kind, tag, contributions }));
        assert_eq!(rendezvous.gathered(), None, "it is passed on once");
        assert!(rendezvous.complete_with(1, vec![vec![]; 3]).unwrap_err().contains("3 contributions"));
        assert!(rendezvous.complete_with(2, vec![vec![]; 4]).is_err(), "another round");
    }
    for (host, rendezvous) in hosts.iter_mut().enumerate() {
        rendezvous.complete_with(1, (0..4).map(|pe| vec![pe]).collect()).unwrap();
        assert!(rendezvous.complete_with(1, vec![vec![]; 4]).is_err(), "it is complete");
        for pe in 0..2 {
            let mut got = vec![];
            let piece = |m: &Message<'_>| {
                let bytes =
                    if m.kind == MessageKind::Pieces { unpack(m.body).unwrap().concat() } else { m.body.to_vec() };
                (bytes, m.has_descriptor)
            };
            while let Some(answer) = next(rendezvous, pe, piece) {
                got.push(answer);
            }
            let all: Vec<(Vec<u8>, bool)> = (0..4).map(|pe| (vec![pe], usize::from(pe) % 2 == host)).collect();
            assert_eq!(got, all, "host {host}");
        }
    }
}

#[test]
fn a_fence_of_hosts_ends_when_all_have_it() {
    let [mut host, _] = on_two_hosts();
    for pe in 0..2 {
        call(&mut host, pe, MessageKind::Finalize, 1, "", &[]).unwrap();
    }
    assert_eq!(host.gathered().unwrap().contributions, [[]; 2]);
    assert_eq!(host.stage(0), Stage::Joined);
    host.complete_with(1, vec![]).unwrap();
    assert_eq!(next(&mut host, 1, |m| (m.kind, m.seq)), Some((MessageKind::Done, 1)));
    assert_eq!(host.stage(0), Stage::Finalized);
    // A PE of the other host does not join again.
    host.ended_elsewhere(3);
    assert_eq!(host.broken(), None, "nobody needs it");
    let hello = Message { body: JOB.as_bytes(), ..Message::new(MessageKind::Hello, 2) };
    host.receive(0, &hello.encode(), vec![], false).unwrap();
    assert_eq!(host.broken(), Some("PE 3 has ended without joining the job again"));
}

#[test]
fn who_is_late_on_another_host_is_asked_once_and_told() {
    let [mut host, _] = on_two_hosts();
    assert_eq!(host.late().0, [0, 2], "nobody has arrived");
    call(&mut host, 1, MessageKind::Fence, 1, "x", &[]).unwrap();
    call(&mut host, 1, MessageKind::WhoIsLate, 1, "", &[]).unwrap();
    assert_eq!((host.late().0, host.question(), host.question()), (vec![0], Some(1), None));
    host.tell_late(1, &[0, 3], Duration::from_millis(7));
    let late = |m: &Message<'_>| (m.kind, m.value, m.body.to_vec());
    assert_eq!(next(&mut host, 1, late), Some((MessageKind::Late, 7, vec![0, 0, 0, 0, 3, 0, 0, 0])));
    host.tell_late(1, &[3], Duration::ZERO);
    assert!(host.next_outgoing(1).is_none(), "nobody has asked again");
    host.break_with("PE 3 has ended without finalize".into());
    assert_eq!(next(&mut host, 1, |m| m.kind), Some(MessageKind::Refused));
}

#[test]
fn an_inquiry_finds_out_which_pes_of_other_hosts_are_late() {
    let [mut host, _] = on_two_hosts();
    host.inquire();
    assert_eq!((host.question(), host.is_inquiring()), (None, false), "nobody waits here");
    call(&mut host, 1, MessageKind::Fence, 1, "x", &[]).unwrap();
    for late in [&[0, 3][..], &[3]] {
        host.inquire();
        assert_eq!((host.question(), host.is_inquiring()), (Some(1), true));
        assert_eq!(host.awaited_by(1), [0], "what is known here");
        host.tell_late(2, late, Duration::ZERO);
        assert!(host.is_inquiring(), "that was about another round");
        host.tell_late(1, late, Duration::ZERO);
        assert_eq!((host.is_inquiring(), host.awaited_by(1)), (false, late.to_vec()));
        assert!(host.awaited_by(0).is_empty() && host.next_outgoing(1).is_none(), "no PE has asked");
    }
    host.inquire();
    host.break_with("PE 3 has ended without finalize".into());
    assert!(!host.is_inquiring());
    // On one machine everything is known.
    let mut job = joined(2);
    call(&mut job, 0, MessageKind::Fence, 1, "x", &[]).unwrap();
    job.inquire();
    assert_eq!((job.question(), job.is_inquiring(), job.awaited_by(0)), (None, false, vec![1]));
}
