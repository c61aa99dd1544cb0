//! The rounds of a job on 512 hosts with 4,096 PEs, and its end. The launchers and the rendezvous of all hosts are in
//! one process, with frames in queues between them. Counts what each launcher sends and gets. `docs/clusters.md` has
//! the figures.

use super::frame::Frame;
use super::rounds::{Outgoing, Rounds, Side};
use crate::host_list::{branches, height, parse, pes_of};
use crate::map::Map;
use cushmem_bootstrap::rendezvous::Rendezvous;
use cushmem_bootstrap::wire::{Message, MessageKind};
use std::collections::VecDeque;

const FAN_OUT: usize = 32;
const JOB: &str = "00ff";

/// The rounds from the start to the end of a program that allocates nothing, on hosts with an address each, over
/// libfabric: what PEs call, and how many bytes the first PE of a host contributes, and each other one. They were
/// printed by a launcher in such a job.
const ROUNDS: [(MessageKind, &str, [usize; 2]); 13] = [
    (MessageKind::Gather, "settings", [24, 24]),
    (MessageKind::Gather, "addresses", [18, 18]),
    (MessageKind::Gather, "names on the network", [40, 40]),
    (MessageKind::Gather, "share the library's words", [8, 8]),
    (MessageKind::Gather, "memory for the network", [151, 55]),
    (MessageKind::Gather, "agreement", [0, 0]),
    (MessageKind::Gather, "create the host heap", [8, 8]),
    (MessageKind::Gather, "memory for the network", [3, 3]),
    (MessageKind::Gather, "agreement", [0, 0]),
    (MessageKind::Gather, "globals", [40, 40]),
    (MessageKind::Fence, "initialised", [0, 0]),
    (MessageKind::Fence, "the last operations between nodes", [0, 0]),
    (MessageKind::Finalize, "", [0, 0]),
];

/// A launcher that has others below it, or the supervisor of a host's PEs.
enum Launcher {
    Head(Rounds),
    /// The PEs of a host.
    Host(Box<Rendezvous>),
}

/// A launcher in the tree.
struct Node {
    launcher: Launcher,
    above: Option<(usize, usize)>,
    below: Vec<usize>,
    traffic: Traffic,
}

/// What a launcher has sent and got over its links: messages and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Traffic {
    sent: (u64, u64),
    got: (u64, u64),
}

fn count((messages, bytes): &mut (u64, u64), frame: &[u8]) {
    *messages += 1;
    *bytes += frame.len() as u64;
}

/// All launchers of a job; the first one is that which the user has started.
struct Tree {
    nodes: Vec<Node>,
    /// Frames under way: to which launcher, from which side of it.
    queue: VecDeque<(usize, Side, Vec<u8>)>,
    pes: Vec<Vec<(u32, u32)>>,
    n_pes: u32,
}

impl Tree {
    fn new(hosts: usize, pes_each: u32) -> Tree {
        let list: Vec<String> = (0..hosts).map(|host| format!("h{host}:{pes_each}")).collect();
        let pes = pes_of(&parse(&list.join(",")).expect("hosts"), Map::Block);
        let n_pes = hosts as u32 * pes_each;
        let mut tree = Tree { nodes: vec![], queue: VecDeque::new(), pes, n_pes };
        tree.head(None, None, &(0..hosts).collect::<Vec<_>>());
        tree
    }

    fn add(&mut self, launcher: Launcher, above: Option<(usize, usize)>) -> usize {
        self.nodes.push(Node { launcher, above, below: vec![], traffic: Traffic::default() });
        self.nodes.len() - 1
    }

    /// A launcher with these hosts below it, besides its own.
    fn head(&mut self, above: Option<(usize, usize)>, own: Option<usize>, hosts: &[usize]) -> usize {
        let branches = branches(hosts, FAN_OUT);
        let numbers = |host: &usize| self.pes[*host].iter().map(|(pe, _)| *pe).collect::<Vec<u32>>();
        let of_branches = branches.iter().map(|branch| {
            let mut all: Vec<u32> = std::iter::once(&branch.host).chain(&branch.behind).flat_map(numbers).collect();
            all.sort_unstable();
            all
        });
        let pes: Vec<Vec<u32>> = own.iter().map(numbers).chain(of_branches).collect();
        let rounds = if above.is_none() { Rounds::new(pes) } else { Rounds::below_another(pes) };
        let node = self.add(Launcher::Head(rounds), above);
        if let Some(host) = own {
            let child = self.host(Some((node, 0)), host);
            self.nodes[node].below.push(child);
        }
        for branch in branches {
            let above = Some((node, self.nodes[node].below.len()));
            let child = if branch.behind.is_empty() {
                self.host(above, branch.host)
            } else {
                self.head(above, Some(branch.host), &branch.behind)
            };
            self.nodes[node].below.push(child);
        }
        node
    }

    fn host(&mut self, above: Option<(usize, usize)>, host: usize) -> usize {
        let mut rendezvous = Rendezvous::part_of(self.n_pes, &self.pes[host], JOB, false).on_host(host as u32);
        let hello = Message { body: JOB.as_bytes(), ..Message::new(MessageKind::Hello, 0) }.encode();
        for pe in 0..self.pes[host].len() as u32 {
            rendezvous.receive(pe, &hello, vec![], false).expect("it joins");
            rendezvous.sent(pe);
        }
        self.add(Launcher::Host(Box::new(rendezvous)), above)
    }

    fn send(&mut self, from: usize, to: Side, frame: &[u8]) {
        let node = &mut self.nodes[from];
        count(&mut node.traffic.sent, frame);
        let (to, side) = match to {
            Side::Above => node.above.map(|(above, branch)| (above, Side::Below(branch))).expect("the head has none"),
            Side::Below(branch) => (node.below[branch], Side::Above),
        };
        self.queue.push_back((to, side, frame.to_vec()));
    }

    /// Sends what a launcher with others below it wants to.
    fn send_all(&mut self, from: usize, frames: Vec<Outgoing>) {
        for frame in frames {
            match frame {
                Outgoing::To(side, frame) => self.send(from, side, &frame.encode()),
                Outgoing::All(frame) => {
                    let bytes = frame.encode();
                    (0..self.nodes[from].below.len()).for_each(|branch| self.send(from, Side::Below(branch), &bytes));
                }
            }
        }
    }

    fn deliver(&mut self, at: usize, from: Side, bytes: &[u8]) {
        count(&mut self.nodes[at].traffic.got, bytes);
        let (frame, length) = Frame::first(bytes).expect("a frame").expect("a whole one");
        assert_eq!(length, bytes.len());
        let frames = match (&mut self.nodes[at].launcher, from, frame) {
            (Launcher::Head(rounds), Side::Below(branch), Frame::Gathered(gathered)) => {
                rounds.gathered(branch, gathered)
            }
            (Launcher::Head(rounds), Side::Above, Frame::Complete { seq, all }) => rounds.complete_with(seq, all),
            (Launcher::Head(rounds), from, Frame::Gone { pe }) => Ok(rounds.gone(from, pe)),
            (Launcher::Host(rendezvous), Side::Above, Frame::Gone { pe }) => {
                rendezvous.ended_elsewhere(pe);
                Ok(vec![])
            }
            (Launcher::Host(rendezvous), Side::Above, Frame::Complete { seq, all }) => {
                rendezvous.complete_with(seq, all).map(|()| vec![])
            }
            (_, _, frame) => panic!("{frame:?}"),
        };
        let frames = frames.expect("the protocol is kept");
        self.send_all(at, frames);
    }

    /// A round of all PEs; the first one of a host and each other one contribute so many bytes.
    fn round(&mut self, seq: u64, kind: MessageKind, tag: &str, bytes: [usize; 2]) {
        let calls = bytes.map(|bytes| Message { tag, body: &vec![7; bytes], ..Message::new(kind, seq) }.encode());
        for at in 0..self.nodes.len() {
            let Launcher::Host(rendezvous) = &mut self.nodes[at].launcher else { continue };
            let mut pe = 0;
            let gathered = loop {
                rendezvous.receive(pe, &calls[usize::from(pe > 0)], vec![], false).expect("it arrives");
                pe += 1;
                if let Some(gathered) = rendezvous.gathered() {
                    break gathered;
                }
            };
            self.send(at, Side::Above, &Frame::Gathered(gathered).encode());
        }
        while let Some((at, from, bytes)) = self.queue.pop_front() {
            self.deliver(at, from, &bytes);
        }
        for node in &mut self.nodes {
            let Launcher::Host(rendezvous) = &mut node.launcher else { continue };
            assert!(rendezvous.next_outgoing(0).is_some(), "the round is complete everywhere");
            for pe in 0..self.pes[0].len() as u32 {
                while rendezvous.next_outgoing(pe).is_some() {
                    rendezvous.sent(pe);
                }
            }
        }
    }

    /// The end of all PEs. Most hosts do not know yet, when theirs end, that those of others have.
    fn end(&mut self) {
        for at in 0..self.nodes.len() {
            let Launcher::Host(rendezvous) = &mut self.nodes[at].launcher else { continue };
            let mut gone = vec![];
            for pe in 0..self.pes[0].len() as u32 {
                rendezvous.ended(pe);
                gone.extend(rendezvous.gone());
            }
            gone.into_iter().for_each(|pe| self.send(at, Side::Above, &Frame::Gone { pe }.encode()));
            if at.is_multiple_of(3)
                && let Some((at, from, bytes)) = self.queue.pop_front()
            {
                self.deliver(at, from, &bytes);
            }
        }
        while let Some((at, from, bytes)) = self.queue.pop_front() {
            self.deliver(at, from, &bytes);
        }
    }

    /// The traffic of all launchers on each host, with that over pipes within the host, for the first head and the one
    /// of the other hosts that has most.
    fn traffic(&self) -> (Traffic, Traffic) {
        let most = self.nodes[1..].iter().map(|node| node.traffic).max_by_key(|traffic| traffic.sent.0 + traffic.got.0);
        (self.nodes[0].traffic, most.expect("there are hosts"))
    }
}

/// Catches a launcher that sends more than one message for each of its links in a round.
#[test]
fn a_start_on_512_hosts_takes_a_message_for_each_link_and_round() {
    const HOSTS: usize = 512;
    let mut tree = Tree::new(HOSTS, 8);
    assert_eq!(height(HOSTS, FAN_OUT), 2, "levels of launchers");
    for (seq, (kind, tag, bytes)) in (1..).zip(ROUNDS) {
        tree.round(seq, kind, tag, bytes);
    }
    let rounds = ROUNDS.len() as u64;
    for (number, node) in tree.nodes.iter().enumerate() {
        let (above, below) = (u64::from(node.above.is_some()), node.below.len() as u64);
        assert!(below as usize <= FAN_OUT + 1);
        let Traffic { sent, got } = node.traffic;
        assert_eq!((sent.0, got.0), (rounds * (above + below), rounds * (above + below)), "launcher {number}");
    }
    let (head, most) = tree.traffic();
    // Each PE's bytes come to each launcher once, and go to each launcher below it: docs/clusters.md has these figures.
    println!("{rounds} rounds; the launcher that was started: {head:?}; the most of another one: {most:?}");
}

/// Catches a launcher that tells the others of each PE that ends, or of one from each host: the messages would be as
/// many as the square of the number of hosts or PEs.
#[test]
fn the_end_on_512_hosts_takes_at_most_a_message_for_each_link_and_direction() {
    let mut tree = Tree::new(512, 8);
    tree.round(1, MessageKind::Finalize, "", [0, 0]);
    tree.nodes.iter_mut().for_each(|node| node.traffic = Traffic::default());
    tree.end();
    for (number, node) in tree.nodes.iter().enumerate() {
        let links = u64::from(node.above.is_some()) + node.below.len() as u64;
        let Traffic { sent, got } = node.traffic;
        assert!(sent.0 <= links && got.0 <= links, "launcher {number} of {links} links: {sent:?}, {got:?}");
        assert!(sent.0 + got.0 > 0, "launcher {number} knows of no PE that has ended");
    }
}

/// The same with fewer hosts, for comparison with what was measured.
#[test]
fn each_host_gets_the_contributions_of_all_once() {
    for hosts in [2, 4, 32, 33, 64] {
        let mut tree = Tree::new(hosts, 2);
        tree.round(1, MessageKind::Gather, "names", [100, 100]);
        let (head, most) = tree.traffic();
        let frame = Frame::Complete { seq: 1, all: vec![vec![7; 100]; 2 * hosts] }.encode().len() as u64;
        let links = hosts.min(FAN_OUT) as u64;
        assert_eq!(head.sent, (links, links * frame), "{hosts} hosts");
        assert!(most.got.1 >= frame);
    }
}
