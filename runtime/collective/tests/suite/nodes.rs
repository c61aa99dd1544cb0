//! Members on several nodes, as threads of one process, with the worst network that is permitted. A put stays with its
//! sender until somebody needs it, and is read and written only then. A flag waits only for what the same member put to
//! the same member before. A member that touches memory of another node without the network panics.

use cushmem_collective::*;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::*};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// No member waits this long, unless another never arrives.
const LIMIT: Duration = Duration::from_secs(60);

/// Flags and stages of a member, or a leader's replica of those of another leader.
struct Area {
    steps: [AtomicU64; STEPS as usize],
    done: AtomicU64,
    stages: Vec<(AtomicU64, Vec<AtomicU8>)>,
}

/// One member's memory.
pub struct Pe {
    area: Area,
    pub source: Vec<AtomicU8>,
    pub dest: Vec<AtomicU8>,
    state: Mutex<State>,
}

/// What a member does.
#[derive(Clone, Copy)]
enum State {
    Runs,
    /// Waits for a flag to reach a value.
    Waits(Place, Flag, u64),
    /// The late member, waiting for all others.
    Lags,
    Ended,
}

/// Where flags and stages are.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A member's, for its node.
    Near(u32),
    /// Those of the leader of node `of`, at the leader of node `at`, which may be the same.
    Replica { at: u32, of: u32 },
}

/// All members, and the network between them.
pub struct World {
    pub layout: Layout,
    pub pes: Vec<Pe>,
    replicas: Vec<Vec<Area>>,
    network: Mutex<Network>,
    late: Option<u32>,
    /// Whether a member has panicked.
    failed: AtomicBool,
}

/// How bad the network is.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    pub seed: u64,
    /// Nothing arrives as long as any member can continue without it.
    pub lazy: bool,
    /// From the first of these nodes to the second, everything arrives last.
    pub slow: Option<(u32, u32)>,
}

struct Network {
    weather: Weather,
    random: u64,
    /// What is in flight, by sender and receiver.
    links: BTreeMap<(u32, u32), VecDeque<Sent>>,
}

/// A member, one of its objects, and a position in it.
type Spot = (u32, Side, usize);

enum Data {
    /// Read on arrival.
    At(Spot),
    Here(Vec<u8>),
}

enum Sent {
    /// The level says what must have arrived when its member completes its puts.
    Put(Data, Spot, usize, Level),
    Stage(Place, Place, usize),
    Flag(Place, Flag, u64),
}

impl Area {
    fn new(stage_bytes: usize) -> Self {
        let word = || AtomicU64::new(0);
        let stages = (0..STAGES).map(|_| (word(), memory(stage_bytes))).collect();
        Self { steps: std::array::from_fn(|_| word()), done: word(), stages }
    }

    fn flag(&self, flag: Flag) -> &AtomicU64 {
        match flag {
            Flag::Step(step) => &self.steps[step],
            Flag::Done => &self.done,
            Flag::Stage(stage) => &self.stages[stage].0,
        }
    }
}

fn memory(bytes: usize) -> Vec<AtomicU8> {
    (0..bytes).map(|_| AtomicU8::new(0)).collect()
}

pub fn write(to: &[AtomicU8], bytes: &[u8]) {
    to.iter().zip(bytes).for_each(|(to, &byte)| to.store(byte, Relaxed));
}

pub fn read(from: &[AtomicU8]) -> Vec<u8> {
    from.iter().map(|byte| byte.load(Relaxed)).collect()
}

impl World {
    /// `nodes` gives the node of each member; each member's source and dest have `bytes` bytes.
    pub fn new(nodes: &[u32], bytes: usize, weather: Weather, late: Option<u32>) -> Arc<Self> {
        let layout = Layout::new(nodes.iter().copied(), 0);
        let pe = || Pe {
            area: Area::new(STAGE_BYTES),
            source: memory(bytes),
            dest: memory(bytes),
            state: Mutex::new(State::Runs),
        };
        let replica = || Area::new(FAR_STAGE_BYTES);
        let replicas = (0..layout.nodes()).map(|_| (0..layout.nodes()).map(|_| replica()).collect()).collect();
        let network = Mutex::new(Network { weather, random: weather.seed | 1, links: BTreeMap::new() });
        Arc::new(Self {
            pes: nodes.iter().map(|_| pe()).collect(),
            layout,
            replicas,
            network,
            late,
            failed: AtomicBool::new(false),
        })
    }

    fn area(&self, place: Place) -> &Area {
        match place {
            Place::Near(member) => &self.pes[member as usize].area,
            Place::Replica { at, of } => &self.replicas[at as usize][of as usize],
        }
    }

    fn object(&self, member: u32, side: Side) -> &[AtomicU8] {
        let pe = &self.pes[member as usize];
        if side == Side::Source { &pe.source } else { &pe.dest }
    }

    fn set_state(&self, member: u32, state: State) {
        *self.pes[member as usize].state.lock().expect("no member panics here") = state;
    }

    /// Whether no other member can continue, as far as anyone can tell.
    fn stuck_but_for(&self, member: Option<u32>) -> bool {
        let stuck = |pe: &Pe| match *pe.state.lock().expect("no member panics here") {
            State::Runs => false,
            State::Waits(place, flag, value) => self.area(place).flag(flag).load(Acquire) < value,
            State::Lags | State::Ended => true,
        };
        (0..self.pes.len() as u32).all(|m| Some(m) == member || stuck(&self.pes[m as usize]))
    }

    /// Lets the network work, and looks until there is something to see.
    fn until<T>(&self, mut look: impl FnMut() -> Option<T>) -> T {
        let end = Instant::now() + LIMIT;
        loop {
            if let Some(seen) = look() {
                return seen;
            }
            if let Ok(mut network) = self.network.try_lock()
                && if network.weather.lazy { self.stuck_but_for(None) } else { network.below(4) == 0 }
            {
                network.work(self);
            }
            assert!(!self.failed.load(Relaxed), "another member failed");
            assert!(Instant::now() < end, "a member never comes");
            std::thread::yield_now();
        }
    }

    /// Delivers what is still in flight.
    pub fn end(&self) {
        let mut network = self.network.lock().expect("no member panicked");
        for sent in std::mem::take(&mut network.links).into_values().flatten() {
            self.deliver(sent);
        }
    }

    fn deliver(&self, sent: Sent) {
        match sent {
            Sent::Put(from, (to, to_side, to_at), bytes, _) => {
                let data = match from {
                    Data::At((from, side, at)) => read(&self.object(from, side)[at..at + bytes]),
                    Data::Here(data) => data,
                };
                write(&self.object(to, to_side)[to_at..to_at + bytes], &data);
            }
            Sent::Stage(from, to, stage) => {
                write(&self.area(to).stages[stage].1, &read(&self.area(from).stages[stage].1));
            }
            Sent::Flag(to, flag, value) => {
                let before = self.area(to).flag(flag).swap(value, Release);
                assert!(before < value, "{flag:?} of {to:?} went from {before} to {value}");
            }
        }
    }
}

impl Network {
    fn below(&mut self, end: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % end as u64) as usize
    }

    /// The senders and receivers of flags in flight.
    fn flags(&self) -> Vec<(u32, u32)> {
        let flagged = |sent: &VecDeque<Sent>| sent.iter().any(|sent| matches!(sent, Sent::Flag(..)));
        self.links.iter().filter(|(_, sent)| flagged(sent)).map(|(&link, _)| link).collect()
    }

    /// Delivers some flags together with what was put before them, and sometimes a put out of order.
    fn work(&mut self, world: &World) {
        for _ in 0..=self.below(1 + self.links.len() / 4) {
            let mut links = self.flags();
            if links.len() > 1
                && let Some((from, to)) = self.weather.slow
            {
                let leader = |node: u32| world.layout.leader(node % world.layout.nodes());
                links.retain(|&link| link != (leader(from), leader(to)));
            }
            if links.is_empty() {
                return;
            }
            let link = links[self.below(links.len())];
            let sent = self.links.get_mut(&link).expect("it has a flag");
            let first = sent.iter().position(|sent| matches!(sent, Sent::Flag(..))).expect("it has a flag");
            let flag = sent.remove(first).expect("it is there");
            let before: Vec<Sent> = sent.drain(..first).collect();
            before.into_iter().rev().for_each(|sent| world.deliver(sent));
            world.deliver(flag);
            if self.below(4) == 0 {
                self.links.insert(link, VecDeque::new()).into_iter().flatten().for_each(|sent| match sent {
                    Sent::Put(..) => world.deliver(sent),
                    _ => self.links.get_mut(&link).expect("just inserted").push_back(sent),
                });
            }
        }
    }

    /// Delivers everything that a member put, but for what leaders put to each other.
    fn complete(&mut self, world: &World, member: u32) {
        for sent in self.links.iter_mut().filter(|(link, _)| link.0 == member).map(|(_, sent)| sent) {
            let is_put = |sent: &Sent| matches!(sent, Sent::Put(.., level) if *level != Level::Leaders);
            let (puts, rest): (Vec<_>, Vec<_>) = sent.drain(..).partition(is_put);
            puts.into_iter().rev().for_each(|put| world.deliver(put));
            sent.extend(rest);
        }
    }

    /// Reads the sources of everything that a member put.
    fn settle(&mut self, world: &World, member: u32) {
        for sent in self.links.iter_mut().filter(|(link, _)| link.0 == member).flat_map(|(_, sent)| sent) {
            if let Sent::Put(data @ Data::At(_), _, bytes, _) = sent
                && let Data::At((from, side, at)) = *data
            {
                *data = Data::Here(read(&world.object(from, side)[at..at + *bytes]));
            }
        }
    }
}

/// One running member. Elements are `u32`, combined by [`combined`].
pub struct Member {
    pub world: Arc<World>,
    layout: Layout,
    level: Level,
    from: Side,
    to: Side,
    node: Progress,
    leaders: Progress,
    /// The offset of this collective's buffers.
    pub base: usize,
    /// Whether source and dest are the same.
    pub in_place: bool,
    accumulator: Vec<u8>,
    /// Whether the network may still read the accumulator.
    is_given: bool,
}

impl Member {
    pub fn new(world: &Arc<World>, nodes: &[u32], me: u32) -> Self {
        let layout = Layout::new(nodes.iter().copied(), me);
        let node = Progress::new(0, layout.members(layout.node()).len() as u32);
        let leaders = Progress::new(0, layout.nodes());
        let (level, from, to) = (Level::Team, Side::Source, Side::Dest);
        let (world, accumulator) = (world.clone(), vec![]);
        Self { world, layout, level, from, to, node, leaders, base: 0, in_place: false, accumulator, is_given: false }
    }

    /// The number in the team of a member of this level.
    fn who(&self, member: u32) -> u32 {
        match self.level {
            Level::Node => self.layout.members(self.layout.node())[member as usize],
            Level::Leaders => self.layout.leader(member),
            Level::Team => member,
        }
    }

    /// Where a member's flags and stages are.
    fn place(&self, member: u32) -> Place {
        match self.level {
            Level::Node => Place::Near(self.who(member)),
            Level::Leaders => Place::Replica { at: self.layout.node(), of: member },
            Level::Team => panic!("a team on several nodes has no flags"),
        }
    }

    fn own_place(&self) -> Place {
        self.place(self.me())
    }

    fn is_near(&self, who: u32) -> bool {
        self.layout.node_of(who) == self.layout.node()
    }

    /// Called before this member touches another's memory. The late member continues only when nothing else can.
    fn lag(&self, who: u32) {
        if who != self.layout.me() {
            self.lag_anyway();
        }
    }

    fn lag_anyway(&self) {
        if self.world.late == Some(self.layout.me()) {
            self.wait_until_others_are_stuck();
        }
    }

    pub fn wait_until_others_are_stuck(&self) {
        let me = self.layout.me();
        self.world.set_state(me, State::Lags);
        let calm = || self.world.network.try_lock().is_ok_and(|network| network.flags().is_empty());
        self.world.until(|| (self.world.stuck_but_for(Some(me)) && calm()).then_some(()));
        self.world.set_state(me, State::Runs);
    }

    /// Catches a collective that returns while the network may still read the accumulator.
    pub fn check_settled(&self) {
        assert!(!self.is_given, "member {} has not waited for what it gave", self.layout.me());
    }

    /// This member makes no more calls.
    pub fn end(&self) {
        self.world.set_state(self.layout.me(), State::Ended);
    }

    /// A position in an object.
    fn at(&self, member: u32, side: Side, at: usize) -> Spot {
        let side = if self.in_place { Side::Dest } else { side };
        (self.who(member), side, self.base + at)
    }

    fn contribution(&self, member: u32, at: usize, bytes: usize) -> Vec<u8> {
        let (who, side, at) = self.at(member, self.from, at);
        self.lag(who);
        read(&self.world.object(who, side)[at..at + bytes])
    }

    /// Immediate on the node, at some later time elsewhere.
    fn send(&self, from: Data, to: Spot, bytes: usize) {
        self.lag(to.0);
        let sent = Sent::Put(from, to, bytes, self.level);
        if self.is_near(to.0) {
            self.world.deliver(sent);
        } else {
            self.hand_over(to.0, [sent]);
        }
    }

    fn hand_over<const N: usize>(&self, to: u32, sent: [Sent; N]) {
        let mut network = self.world.network.lock().expect("no member panics here");
        network.links.entry((self.layout.me(), to)).or_default().extend(sent);
    }

    fn staged(&self, from: u32, stage: usize, at: usize, bytes: usize) -> Vec<u8> {
        self.lag(self.who(from));
        read(&self.world.area(self.place(from)).stages[stage].1[at..at + bytes])
    }

    fn set_stage(&self, stage: usize, at: usize, bytes: &[u8]) {
        // A member that reads the stage without waiting for this write does so now.
        if at == 0 {
            self.lag_anyway();
        }
        write(&self.world.area(self.own_place()).stages[stage].1[at..at + bytes.len()], bytes);
    }

    fn combine(&mut self, how: Take, bytes: &[u8]) {
        if how == Take::First {
            self.accumulator = bytes.to_vec();
            return;
        }
        assert_eq!(self.accumulator.len(), bytes.len());
        for (a, b) in self.accumulator.chunks_exact_mut(4).zip(bytes.chunks_exact(4)) {
            let number = |bytes: &[u8]| u32::from_ne_bytes(bytes.try_into().expect("four bytes"));
            let sum = combined(number(a), number(b));
            a.copy_from_slice(&sum.to_ne_bytes());
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.world.failed.store(true, Relaxed);
        }
    }
}

/// How elements are combined: as functions `x -> m * x + c`, composed, so the order matters. Zero is the identity.
pub fn combined(first: u32, second: u32) -> u32 {
    let parts = |f: u32| ((f as u16).wrapping_add(1), (f >> 16) as u16);
    let ((m1, c1), (m2, c2)) = (parts(first), parts(second));
    let (m, c) = (m1.wrapping_mul(m2), m2.wrapping_mul(c1).wrapping_add(c2));
    u32::from(m.wrapping_sub(1)) | u32::from(c) << 16
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
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize) {
        let from = self.at(self.me(), self.from, source_at);
        self.send(Data::At(from), self.at(to, self.to, dest_at), bytes);
    }
    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize) {
        let data = self.contribution(from, source_at, bytes);
        self.send(Data::Here(data), self.at(self.me(), self.to, dest_at), bytes);
    }
}

impl Flags for Member {
    fn progress(&self) -> &Progress {
        if self.level == Level::Leaders { &self.leaders } else { &self.node }
    }
    fn post(&mut self, flag: Flag, value: u64) {
        let own = self.own_place();
        self.world.area(own).flag(flag).store(value, Release);
        if self.level == Level::Leaders {
            let me = self.layout.node();
            for at in (0..self.layout.nodes()).filter(|&at| at != me) {
                let (leader, there) = (self.layout.leader(at), Place::Replica { at, of: me });
                match flag {
                    Flag::Stage(stage) => {
                        self.hand_over(leader, [Sent::Stage(own, there, stage), Sent::Flag(there, flag, value)]);
                    }
                    _ => self.hand_over(leader, [Sent::Flag(there, flag, value)]),
                }
            }
        }
    }
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        let (me, place) = (self.layout.me(), self.place(member));
        self.world.set_state(me, State::Waits(place, flag, value));
        let word = self.world.area(place).flag(flag);
        let seen = self.world.until(|| Some(word.load(Acquire)).filter(|&seen| seen >= value));
        self.world.set_state(me, State::Runs);
        seen
    }
    fn stage_word(&mut self, stage: usize, index: usize, value: u64) {
        self.set_stage(stage, index * 8, &value.to_ne_bytes());
    }
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64 {
        let bytes = self.staged(from, stage, index * 8, 8);
        u64::from_ne_bytes(bytes.try_into().expect("eight bytes"))
    }
}

impl Stages for Member {
    fn stage(&mut self, stage: usize, at: usize, source_at: usize, bytes: usize) {
        self.set_stage(stage, at, &self.contribution(self.me(), source_at, bytes));
    }
    fn unstage(&mut self, from: u32, stage: usize, at: usize, dest_at: usize, bytes: usize) {
        let data = self.staged(from, stage, at, bytes);
        self.send(Data::Here(data), self.at(self.me(), self.to, dest_at), bytes);
    }
}

impl Fold for Member {
    fn element(&self) -> usize {
        4
    }
    fn chunk(&self) -> usize {
        if self.level == Level::Node { CHUNK_BYTES } else { FAR_STAGE_BYTES + 2 }
    }
    fn zero(&mut self, bytes: usize) {
        self.accumulator = vec![0; bytes];
    }
    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize) {
        assert!(bytes <= self.chunk());
        let data = self.contribution(from, source_at, bytes);
        self.combine(how, &data);
    }
    fn give(&mut self, to: u32, dest_at: usize, bytes: usize) {
        assert_eq!(self.accumulator.len(), bytes);
        self.is_given |= !self.is_near(self.who(to));
        self.send(Data::Here(self.accumulator.clone()), self.at(to, self.to, dest_at), bytes);
    }
    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize) {
        let data = self.contribution(member, at, bytes);
        self.give(member, at, bytes);
        self.combine(how, &data);
    }
}

impl StagedFold for Member {
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, bytes: usize) {
        let data = self.staged(from, stage, 0, bytes);
        self.combine(how, &data);
    }
    fn give_stage(&mut self, stage: usize, bytes: usize) {
        assert_eq!(self.accumulator.len(), bytes);
        self.set_stage(stage, 0, &self.accumulator);
    }
}

impl Levels for Member {
    fn layout(&self) -> &Layout {
        &self.layout
    }
    fn enter(&mut self, level: Level, from: Side, to: Side) {
        assert!(level != Level::Leaders || self.layout.is_leader(), "only leaders are at the level of leaders");
        (self.level, self.from, self.to) = (level, from, to);
    }
    fn settle(&mut self) {
        self.is_given = false;
        self.world.network.lock().expect("no member panics here").settle(&self.world, self.layout.me());
    }
    fn complete(&mut self) {
        self.settle();
        self.world.network.lock().expect("no member panics here").complete(&self.world, self.layout.me());
    }
}
