//! Explores collectives on several nodes. As on one node, a member that looks a few times in vain drops out, and the
//! executions in which all waits succeed are checked. What goes to another node is stored later, by its sender: a put
//! with the next flag to the same leader, or when it must be complete; a flag at its sender's next wait, or at its end.

use cushmem_collective::*;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;
use std::sync::Arc as StdArc;
use std::sync::atomic::AtomicUsize as StdAtomicUsize;
use std::time::Duration;

/// The largest models are explored only for this long, not to their end.
const LONGEST: Duration = Duration::from_secs(3);
/// How often a member looks before it drops out.
const LOOKS: usize = 3;

/// Flags, and a word of data in each stage.
struct Area {
    steps: Vec<AtomicU64>,
    done: AtomicU64,
    stages: Vec<(AtomicU64, AtomicU64)>,
}

/// What a member owns: flags and stages for its node, replicas of the leaders' flags and stages, and a word of source
/// and dest.
struct Memory {
    near: Area,
    replicas: Vec<Area>,
    source: AtomicU64,
    dest: AtomicU64,
}

impl Area {
    fn new() -> Self {
        let word = || AtomicU64::new(0);
        let stages = (0..STAGES).map(|_| (word(), word())).collect();
        Self { steps: (0..STEPS).map(|_| word()).collect(), done: word(), stages }
    }

    fn flag(&self, flag: Flag) -> &AtomicU64 {
        match flag {
            Flag::Step(step) => &self.steps[step],
            Flag::Done => &self.done,
            Flag::Stage(stage) => &self.stages[stage].0,
        }
    }
}

impl Memory {
    fn object(&self, side: Side) -> &AtomicU64 {
        if side == Side::Source { &self.source } else { &self.dest }
    }
}

/// What this member has put to another node.
enum Sent {
    Put(Side, u32, Side),
    Flag(u32, Flag, u64),
}

struct Member {
    all: Arc<Vec<Memory>>,
    layout: Layout,
    level: Level,
    from: Side,
    to: Side,
    node: Progress,
    leaders: Progress,
    sent: Vec<Sent>,
    dropped_out: bool,
    accumulator: u64,
}

impl Member {
    fn new(all: &Arc<Vec<Memory>>, nodes: &[u32], me: u32) -> Self {
        let layout = Layout::new(nodes.iter().copied(), me);
        let node = Progress::new(0, layout.members(layout.node()).len() as u32);
        let leaders = Progress::new(0, layout.nodes());
        let (level, from, to) = (Level::Team, Side::Source, Side::Dest);
        let (all, sent) = (all.clone(), vec![]);
        Self { all, layout, level, from, to, node, leaders, sent, dropped_out: false, accumulator: 0 }
    }

    fn own(&self) -> &Memory {
        &self.all[self.layout.me() as usize]
    }

    /// The number in the team of a member of this level.
    fn who(&self, member: u32) -> u32 {
        match self.level {
            Level::Node => self.layout.members(self.layout.node())[member as usize],
            Level::Leaders => self.layout.leader(member),
            Level::Team => member,
        }
    }

    fn area(&self, member: u32) -> &Area {
        match self.level {
            Level::Leaders => &self.own().replicas[member as usize],
            _ => &self.all[self.who(member) as usize].near,
        }
    }

    fn own_area(&self) -> &Area {
        self.area(self.me())
    }

    fn set_stage(&self, stage: usize, value: u64) {
        if !self.dropped_out {
            self.own_area().stages[stage].1.store(value, Relaxed);
        }
    }

    fn set_dest(&self, value: u64) {
        if !self.dropped_out {
            self.own().object(self.to).store(value, Relaxed);
        }
    }

    fn contribution(&self, member: u32) -> u64 {
        self.all[self.who(member) as usize].object(self.from).load(Relaxed)
    }

    fn combine(&mut self, how: Take, value: u64) {
        self.accumulator = if how == Take::First { value } else { self.accumulator + value };
    }

    /// Delivers flags, each after what was put to the same leader before.
    fn flush(&mut self) {
        let mut sent = std::mem::take(&mut self.sent);
        while let Some(first) = sent.iter().position(|sent| matches!(sent, Sent::Flag(..))) {
            let Sent::Flag(to, flag, value) = sent.remove(first) else { unreachable!() };
            let mut index = 0;
            sent.retain(|put| {
                index += 1;
                let before = index <= first && matches!(put, Sent::Put(_, receiver, _) if *receiver == to);
                if before {
                    self.arrive(put);
                }
                !before
            });
            let me = self.layout.node() as usize;
            let replica = &self.all[to as usize].replicas[me];
            if let Flag::Stage(stage) = flag {
                replica.stages[stage].1.store(self.own().replicas[me].stages[stage].1.load(Relaxed), Relaxed);
            }
            replica.flag(flag).store(value, Release);
        }
        self.sent = sent;
    }

    fn arrive(&self, put: &Sent) {
        if let &Sent::Put(from, to, side) = put {
            self.all[to as usize].object(side).store(self.own().object(from).load(Relaxed), Relaxed);
        }
    }
}

impl Group for Member {
    fn size(&self) -> u32 {
        match self.level {
            Level::Node => self.layout.members(self.layout.node()).len() as u32,
            Level::Leaders => self.layout.nodes(),
            Level::Team => self.layout.size(),
        }
    }
    fn me(&self) -> u32 {
        match self.level {
            Level::Node => self.layout.inner_of(self.layout.me()),
            Level::Leaders => self.layout.node(),
            Level::Team => self.layout.me(),
        }
    }
    fn sync(&mut self) {
        panic!("levels say which synchronisation they want");
    }
}

impl Copies for Member {
    fn put(&mut self, to: u32, _: usize, _: usize, _: usize) {
        let to = self.who(to);
        if self.dropped_out {
        } else if self.layout.node_of(to) == self.layout.node() {
            let value = self.own().object(self.from).load(Relaxed);
            self.all[to as usize].object(self.to).store(value, Relaxed);
        } else {
            self.sent.push(Sent::Put(self.from, to, self.to));
        }
    }
    fn get(&mut self, from: u32, _: usize, _: usize, _: usize) {
        self.set_dest(self.contribution(from));
    }
}

impl Flags for Member {
    fn progress(&self) -> &Progress {
        if self.level == Level::Leaders { &self.leaders } else { &self.node }
    }
    fn post(&mut self, flag: Flag, value: u64) {
        if self.dropped_out {
            return;
        }
        self.own_area().flag(flag).store(value, Release);
        if self.level == Level::Leaders {
            let (me, layout) = (self.layout.node(), &self.layout);
            let others = (0..layout.nodes()).filter(|&node| node != me);
            self.sent.extend(others.map(|node| Sent::Flag(layout.leader(node), flag, value)));
        }
    }
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        self.flush();
        for _ in 0..LOOKS {
            if self.dropped_out {
                break;
            }
            let seen = self.area(member).flag(flag).load(Acquire);
            if seen >= value {
                return seen;
            }
            thread::yield_now();
        }
        self.dropped_out = true;
        value
    }
    fn stage_word(&mut self, stage: usize, _: usize, value: u64) {
        self.set_stage(stage, value);
    }
    fn staged_word(&mut self, from: u32, stage: usize, _: usize) -> u64 {
        self.area(from).stages[stage].1.load(Relaxed)
    }
}

impl Stages for Member {
    fn stage(&mut self, stage: usize, _: usize, source_at: usize, _: usize) {
        self.set_stage(stage, self.contribution(self.me()) + source_at as u64);
    }
    fn unstage(&mut self, from: u32, stage: usize, _: usize, _: usize, _: usize) {
        self.set_dest(self.area(from).stages[stage].1.load(Relaxed));
    }
}

impl Fold for Member {
    fn element(&self) -> usize {
        8
    }
    fn zero(&mut self, _: usize) {
        self.accumulator = 0;
    }
    fn take(&mut self, how: Take, from: u32, source_at: usize, _: usize) {
        let value = self.contribution(from) + source_at as u64;
        self.combine(how, value);
    }
    fn give(&mut self, to: u32, dest_at: usize, _: usize) {
        assert_eq!(to, self.me(), "all these sums go through stages");
        let before = if dest_at == 0 { 0 } else { self.own().object(self.to).load(Relaxed) };
        self.set_dest(with_piece(before, self.accumulator));
    }
    fn give_and_take(&mut self, _: Take, _: u32, _: usize, _: usize) {
        panic!("all these sums go through stages");
    }
}

impl StagedFold for Member {
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, _: usize) {
        let value = self.area(from).stages[stage].1.load(Relaxed);
        self.combine(how, value);
    }
    fn give_stage(&mut self, stage: usize, _: usize) {
        self.set_stage(stage, self.accumulator);
    }
}

impl Levels for Member {
    fn layout(&self) -> &Layout {
        &self.layout
    }
    fn enter(&mut self, level: Level, from: Side, to: Side) {
        (self.level, self.from, self.to) = (level, from, to);
    }
    fn settle(&mut self) {
        self.complete();
    }
    fn complete(&mut self) {
        let sent = std::mem::take(&mut self.sent);
        let (puts, flags): (Vec<_>, Vec<_>) = sent.into_iter().partition(|sent| matches!(sent, Sent::Put(..)));
        puts.iter().rev().for_each(|put| self.arrive(put));
        self.sent = flags;
    }
}

/// What a member does in a round; returns what it must then find in its dest.
type Round = fn(&mut Member, u64) -> u64;

/// Runs the rounds on each member. The source of round `r` is `100 * r + member`; it is overwritten after each round.
fn explore(nodes: &'static [u32], rounds: &'static [Round], preemptions: usize) {
    let n = nodes.len() as u32;
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    // The number of executions between two looks at the clock.
    model.checkpoint_interval = 500;
    model.max_branches = 20_000;
    let passed = StdArc::new(StdAtomicUsize::new(0));
    let count = passed.clone();
    model.check(move || {
        let leaders = Layout::new(nodes.iter().copied(), 0).nodes();
        let area = || (0..leaders).map(|_| Area::new()).collect();
        let word = || AtomicU64::new(0);
        let memory = || Memory { near: Area::new(), replicas: area(), source: word(), dest: word() };
        let all = Arc::new((0..n).map(|_| memory()).collect::<Vec<_>>());
        let run = |mut member: Member, passed: StdArc<StdAtomicUsize>| {
            let me = member.layout.me();
            for (r, round) in rounds.iter().enumerate() {
                let base = 100 * (r as u64 + 1);
                member.own().source.store(base + u64::from(me), Relaxed);
                let expected = round(&mut member, base);
                if member.dropped_out {
                    return;
                }
                assert_eq!(member.own().dest.load(Relaxed), expected, "round {r} on member {me}");
                member.own().source.store(99, Relaxed);
            }
            member.flush();
            passed.fetch_add(1, Relaxed);
        };
        let others: Vec<_> = (1..n)
            .map(|me| {
                let (member, passed) = (Member::new(&all, nodes, me), passed.clone());
                thread::spawn(move || run(member, passed))
            })
            .collect();
        run(Member::new(&all, nodes, 0), passed.clone());
        others.into_iter().for_each(|t| t.join().unwrap());
    });
    assert!(count.load(Relaxed) >= n as usize, "no execution passed, so nothing was checked");
}

/// After the meeting, a member sees what all others stored before it.
fn meeting(member: &mut Member, base: u64) -> u64 {
    levels::sync(member);
    for m in 0..member.layout.size() {
        let seen = member.all[m as usize].source.load(Relaxed);
        // A member that has continued has overwritten it.
        assert!(member.dropped_out || seen == base + u64::from(m) || seen == 99, "{seen} of member {m}");
    }
    0
}

fn sum(member: &mut Member, base: u64) -> u64 {
    sum_in_pieces::<1>(member, base)
}

/// Through as many stages. Each byte of a source counts as its position, and the word of dest tells all pieces apart.
fn sum_in_pieces<const PIECES: usize>(member: &mut Member, base: u64) -> u64 {
    levels::reduce(member, if PIECES == 1 { 8 } else { PIECES * FAR_STAGE_BYTES });
    let piece = |number| (0..u64::from(member.layout.size())).map(|m| base + m + number * FAR_STAGE_BYTES as u64).sum();
    (0..PIECES as u64).map(piece).fold(0, with_piece)
}

fn with_piece(before: u64, piece: u64) -> u64 {
    7 * before + piece
}

fn broadcast<const ROOT: u32, const BYTES: usize>(member: &mut Member, base: u64) -> u64 {
    levels::broadcast(member, BYTES, ROOT, true);
    base + u64::from(ROOT)
}

/// More bytes than go through stages.
const LONG: usize = STAGE_BYTES + 8;

#[test]
fn two_nodes_meet() {
    explore(&[0, 1, 0, 1], &[meeting], 1);
}

#[test]
fn three_leaders_meet() {
    explore(&[0, 1, 2], &[meeting], 2);
}

#[test]
fn two_nodes_sum() {
    explore(&[0, 0, 1, 1], &[sum], 1);
}

/// There are more rounds than stages.
#[test]
fn two_leaders_sum() {
    const ROUNDS: [Round; STAGES as usize + 1] = [sum; STAGES as usize + 1];
    explore(&[0, 1], &ROUNDS, 2);
}

#[test]
fn three_leaders_sum() {
    explore(&[0, 1, 2], &[sum, sum], 1);
}

/// Two windows, of two stages and of one, and then those that use the stages of the first one again.
#[test]
fn two_leaders_sum_in_windows() {
    explore(&[0, 1], &[sum_in_pieces::<3>, sum_in_pieces::<3>], 2);
}

/// A window behind a single stage, so that it begins at another stage each time.
#[test]
fn windows_begin_at_any_stage() {
    explore(&[0, 1], &[sum, sum_in_pieces::<2>, sum, sum_in_pieces::<2>], 2);
}

#[test]
fn two_nodes_broadcast() {
    explore(&[0, 0, 1, 1], &[broadcast::<1, 8>], 2);
}

/// The root runs ahead, but must not overwrite what others have not read.
#[test]
fn broadcasts_run_ahead() {
    const ROUNDS: [Round; STAGES as usize + 2] = [broadcast::<0, 8>; STAGES as usize + 2];
    explore(&[0, 1], &ROUNDS, 2);
}

/// The root must not return before its puts have read the source.
#[test]
fn two_nodes_broadcast_directly() {
    explore(&[0, 0, 1, 1], &[broadcast::<0, LONG>], 2);
}

#[test]
fn three_leaders_broadcast_directly() {
    explore(&[0, 1, 2], &[broadcast::<1, LONG>], 2);
}
