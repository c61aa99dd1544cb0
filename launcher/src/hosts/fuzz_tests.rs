//! Damaged frames, rounds and jobs, as a host or the network between two launchers could send them.

use cushmem_bootstrap::rendezvous::{Gathered, Rendezvous};
use cushmem_bootstrap::wire::{MAX_BODY_BYTES, MAX_TAG_BYTES, Message, MessageKind};
use cushmem_fuzz::{Parser, is_one_line, within};
use std::time::Duration;

use super::agent::{greeting, has_greeted};
use super::frame::tests::samples;
use super::frame::{Frame, Job, LENGTH_BYTES};
use super::rounds::{Outgoing, Rounds, Side};
use crate::args;
use crate::host_list::{Part, pes_of};

const JOB: &str = "00ff";
const N_PES: u32 = 5;

fn parser(name: &'static str) -> Parser {
    Parser::new(name, env!("CARGO_PKG_NAME"))
}

/// The first word of what a value looks like.
fn name_of(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
}

/// A frame without its length.
fn bytes_of(frame: &Frame) -> Vec<u8> {
    frame.encode().split_off(LENGTH_BYTES)
}

/// What a frame is read into takes at most so many times its bytes: an item of a list has four, and is a vector.
fn room(bytes: &[u8]) -> usize {
    16 * bytes.len() + 1024
}

fn survives(frame: &Frame) {
    assert_eq!(Frame::decode(&bytes_of(frame)).as_ref(), Ok(frame));
}

#[test]
fn frame() {
    let all = samples();
    let parser = all.iter().fold(parser("frame"), |parser, frame| parser.sample(name_of(frame), bytes_of(frame)));
    parser.run(|bytes| match within(room(bytes), || Frame::decode(bytes)) {
        Ok(frame) => survives(&frame),
        Err(why) => is_one_line(&why, bytes),
    });
}

/// Catches frames that depend on how the bytes before them were cut.
#[test]
fn frames() {
    let all: Vec<Vec<u8>> = samples().iter().map(bytes_of).collect();
    let (some, one) = (all.iter().take(3).flat_map(|frame| whole(frame)).collect::<Vec<_>>(), whole(&all[3]));
    parser("frames").sample("three", some).sample("one", one).run(|bytes| {
        let mut rest = bytes;
        loop {
            match within(room(rest), || Frame::first(rest)) {
                Ok(Some((frame, length))) => {
                    assert_eq!(Frame::decode(&rest[LENGTH_BYTES..length]), Ok(frame));
                    rest = &rest[length..];
                }
                Ok(None) => break assert!(rest.len() < LENGTH_BYTES || whole_length(rest) > rest.len()),
                Err(why) => break is_one_line(&why, rest),
            }
        }
    });
}

fn whole(frame: &[u8]) -> Vec<u8> {
    [&(frame.len() as u32).to_le_bytes(), frame].concat()
}

fn whole_length(bytes: &[u8]) -> usize {
    let length = bytes.first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    LENGTH_BYTES + length as usize
}

#[test]
fn greeting_of_a_host() {
    let greeting = greeting();
    let banner = format!("Welcome to host b\n\u{1b}[1m{}", &greeting);
    let other = greeting.replace(env!("CARGO_PKG_VERSION"), "99.0");
    let parser = parser("greeting_of_a_host").sample("plain", greeting.clone()).sample("banner", banner);
    parser.sample("other_version", other).tokens(&["\n", "cushmem-agent ", &greeting]).run(|text| {
        match within(room(text), || has_greeted(text)) {
            Ok(is_found) => {
                let line = greeting.as_bytes();
                assert!(!is_found || text.windows(line.len()).any(|part| part == line) || text.starts_with(&line[1..]));
            }
            Err(why) => is_one_line(&why, text),
        }
    });
}

/// What an agent makes of its job, up to the start of its PEs.
#[test]
fn job() {
    let part = |text: &str, words: &[&str]| {
        let words = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        bytes_of(&Frame::Job(Job { part: text.into(), words, folder: vec![], variables: vec![], has_input: false }))
    };
    let parser = parser("job")
        .sample("two_hosts", part("1 ab01 a:2,b:3", &["-n", "5", "--map", "cyclic", "prog"]))
        .sample("branch", part("0,2,1 ab01 a:2,b:3,c", &["p"]))
        .sample("two_programs", part("0 ab01 a:65535,b", &["-n", "65535", "p", ":", "-n", "1", "--tag", "q"]))
        .tokens(&["a:65536", ",b:65535", ":", "-n", "65536", "4294967295", "--nodes", "2", "-N", "random:7"]);
    parser.costly(10).run(|bytes| {
        let Ok(Frame::Job(job)) = Frame::decode(bytes) else { return };
        let part: Part = match job.part.parse() {
            Ok(part) => part,
            Err(why) => return is_one_line(&why, bytes),
        };
        assert_eq!(part.to_string().parse(), Ok(part.clone()));
        let words = job.words.into_iter().map(std::os::unix::ffi::OsStringExt::from_vec);
        let args = match args::parse(std::iter::once("shmemrun".into()).chain(words), Some(part.clone())) {
            Ok(args) => args,
            // It may quote a word three times.
            Err(args::Instead::Complain(why)) => return is_one_line(&why, &bytes.repeat(3)),
            Err(_) => return,
        };
        let pes = pes_of(&part.hosts, args.options.map);
        assert_eq!(pes[part.branch.host].len(), part.own().pes as usize);
        let mut numbers = [&[part.branch.host][..], &part.branch.behind].concat();
        numbers.sort_unstable();
        assert!(numbers.is_sorted_by(|one, other| one < other), "each host once: {numbers:?}");
        let all: u32 = part.hosts.iter().map(|host| host.pes).sum();
        assert_eq!(all, args.n_pes(), "each PE has a program");
    });
}

fn gathered(seq: u64, kind: MessageKind, tag: &str, contributions: &[&[u8]]) -> Frame {
    let contributions = contributions.iter().map(|bytes| bytes.to_vec()).collect();
    Frame::Gathered(Gathered { seq, kind, tag: tag.into(), contributions })
}

/// A frame with the number of its sender in front: 0 is the launcher above.
fn from(sender: u8, frame: &Frame) -> Vec<u8> {
    [&[sender], &bytes_of(frame)[..]].concat()
}

/// Hosts that send each other frames through a launcher, which is the head or has another one above it.
#[test]
fn rounds() {
    let (gather, fence) = (MessageKind::Gather, MessageKind::Fence);
    let late = |pes: &[u32]| Frame::Late { seq: 1, pes: pes.to_vec(), since: Duration::from_secs(2) };
    let complete = |seq, all: &[&[u8]]| Frame::Complete { seq, all: all.iter().map(|bytes| bytes.to_vec()).collect() };
    let two = [
        from(1, &gathered(1, gather, "heap", &[b"0", b"3"])),
        from(2, &gathered(1, gather, "heap", &[b"1"])),
        from(0, &complete(1, &[b"0", b"1", b"2", b"3", b"4"])),
        from(2, &gathered(2, fence, "end", &[b""])),
        from(1, &gathered(2, fence, "end", &[b"", b""])),
        from(0, &complete(2, &[])),
    ];
    let questions = [
        from(1, &Frame::WhoIsLate { seq: 1 }),
        from(0, &Frame::WhoIsLate { seq: 1 }),
        from(1, &late(&[0, 3])),
        from(2, &gathered(1, gather, "heap", &[b"1"])),
        from(0, &late(&[0, 3, 4])),
        from(2, &Frame::Broken { reason: "PE 1 has ended".into() }),
    ];
    parser("rounds").messages("two", &two).messages("questions", &questions).run_messages(|messages| {
        let hosts = [vec![0, 3], vec![1]];
        let all = hosts.concat().len();
        for (mut rounds, has_above) in
            [(Rounds::new(hosts.to_vec()), false), (Rounds::below_another(hosts.to_vec()), true)]
        {
            for message in messages {
                let Some((sender, frame)) = message.split_first() else { continue };
                let Ok(frame) = Frame::decode(frame) else { continue };
                let from = sender.checked_sub(1).map_or(Side::Above, |host| Side::Below(host as usize % hosts.len()));
                if from == Side::Above && !has_above {
                    continue;
                }
                let frames = match (from, frame) {
                    (Side::Below(host), Frame::Gathered(gathered)) => rounds.gathered(host, gathered),
                    (Side::Above, Frame::Complete { seq, all }) => rounds.complete_with(seq, all),
                    (from, Frame::Broken { reason }) => Ok(rounds.broken(Some(from), reason)),
                    (from, Frame::WhoIsLate { seq }) => Ok(rounds.who_is_late(from, seq)),
                    (from, Frame::Late { seq, pes, since }) => Ok(rounds.late(from, seq, pes, since)),
                    _ => continue,
                };
                let frames = frames.unwrap_or_else(|why| {
                    is_one_line(&why, message);
                    vec![]
                });
                assert!(frames.len() <= hosts.len() + 1, "{frames:?}");
                for frame in frames {
                    let (Outgoing::To(_, frame) | Outgoing::All(frame)) = frame;
                    survives_roughly(&frame);
                    if let (Frame::Complete { all: to_all, .. }, false) = (&frame, has_above) {
                        assert!(to_all.is_empty() || to_all.len() == all, "{to_all:?}");
                    }
                }
            }
        }
    });
}

/// A host's rendezvous between its two PEs and what another launcher sends.
#[test]
fn rendezvous_of_a_host() {
    let hello = Message { body: JOB.as_bytes(), ..Message::new(MessageKind::Hello, 0) };
    let call = |kind, seq, body| Message { tag: "heap", body, ..Message::new(kind, seq) };
    let of_pe = |pe: u8, message: &Message<'_>| [&[pe], &message.encode()[..]].concat();
    let all = |bytes: &[u8]| (0..N_PES).map(|_| bytes.to_vec()).collect::<Vec<_>>();
    let late = |pes| Frame::Late { seq: 1, pes, since: Duration::from_secs(2) };
    let begun = [of_pe(1, &hello), of_pe(2, &hello), of_pe(1, &call(MessageKind::Gather, 1, b"one"))];
    let completed = [
        of_pe(2, &call(MessageKind::Gather, 1, b"two")),
        from(0, &Frame::Complete { seq: 1, all: all(b"bytes") }),
        of_pe(1, &call(MessageKind::Finalize, 2, b"")),
        of_pe(2, &call(MessageKind::Finalize, 2, b"")),
        from(0, &Frame::Complete { seq: 2, all: vec![] }),
        from(0, &Frame::Gone { pe: 4 }),
    ];
    let asked = [
        of_pe(1, &Message::new(MessageKind::WhoIsLate, 1)),
        from(0, &Frame::WhoIsLate { seq: 1 }),
        from(0, &late(vec![2, 3])),
        from(0, &Frame::Broken { reason: "PE 3 has ended".into() }),
    ];
    let parser = parser("rendezvous_of_a_host")
        .messages("completed", &[&begun[..], &completed].concat())
        .messages("asked", &[&begun[..], &asked].concat());
    parser.most_bytes(2 * MAX_BODY_BYTES).run_messages(|messages| {
        let mut rendezvous = Rendezvous::part_of(N_PES, &[(1, 0), (3, 1)], JOB, false);
        for message in messages {
            let Some((sender, bytes)) = message.split_first() else { continue };
            let result = match sender.checked_sub(1) {
                Some(pe) => rendezvous.receive(u32::from(pe) % 2, bytes, vec![], false).map(drop),
                None => match Frame::decode(bytes) {
                    Ok(Frame::Complete { seq, all }) => rendezvous.complete_with(seq, all),
                    Ok(Frame::Broken { reason }) => {
                        rendezvous.break_with(reason);
                        Ok(())
                    }
                    Ok(Frame::WhoIsLate { seq }) => {
                        let (pes, since) = rendezvous.late();
                        survives_roughly(&Frame::Late { seq, pes, since });
                        Ok(())
                    }
                    Ok(Frame::Late { seq, pes, since }) => {
                        rendezvous.tell_late(seq, &pes, since);
                        Ok(())
                    }
                    Ok(Frame::Gone { pe }) => {
                        rendezvous.ended_elsewhere(pe);
                        Ok(())
                    }
                    _ => continue,
                },
            };
            result.unwrap_or_else(|why| is_one_line(&why, message));
            if let Some(gathered) = rendezvous.gathered() {
                survives(&Frame::Gathered(gathered));
            }
            rendezvous.question();
            for pe in 0..2 {
                while let Some(outgoing) = rendezvous.next_outgoing(pe) {
                    let message = Message::decode(outgoing.bytes(), 0).expect("a PE can read it");
                    assert!(message.tag.len() <= MAX_TAG_BYTES && message.body.len() <= MAX_BODY_BYTES);
                    rendezvous.sent(pe);
                }
            }
        }
    });
}

/// A frame without its time, which is sent in milliseconds.
fn survives_roughly(frame: &Frame) {
    assert!(Frame::decode(&bytes_of(frame)).is_ok(), "{frame:?}");
}
