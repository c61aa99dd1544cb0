//! Members as threads of one process. The bytes of their memory are atomics, so a schedule that lets two members touch
//! the same byte gives wrong bytes and not undefined behaviour. One member may be late: it touches another's memory
//! only when all others have ended or wait in vain. If all wait in vain, or for one that has failed, the test fails at
//! once.

use cushmem_collective::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::*};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// No member waits this long, unless another never arrives.
const LIMIT: Duration = Duration::from_secs(60);
/// After this many looks, a member asks whether the others wait too.
const LOOKS: u32 = 100;

/// One member's memory.
pub struct Memory {
    steps: [AtomicU64; STEPS as usize],
    done: AtomicU64,
    stages: Vec<(AtomicU64, Vec<AtomicU8>)>,
    /// How often its flags were posted.
    posts: AtomicU64,
    pub source: Vec<AtomicU8>,
    pub dest: Vec<AtomicU8>,
    pub state: Mutex<State>,
}

/// What a member does.
#[derive(Clone, Copy)]
pub enum State {
    Runs,
    /// Waits for another member's flag to reach a value.
    Waits(u32, Flag, u64),
    Ended,
}

impl Memory {
    pub fn new(bytes: usize) -> Self {
        let memory = |n: usize| (0..n).map(|_| AtomicU8::new(0)).collect::<Vec<_>>();
        let stages = (0..STAGES).map(|_| (AtomicU64::new(0), memory(STAGE_BYTES))).collect();
        Self {
            steps: std::array::from_fn(|_| AtomicU64::new(0)),
            done: AtomicU64::new(0),
            stages,
            posts: AtomicU64::new(0),
            source: memory(bytes),
            dest: memory(bytes),
            state: Mutex::new(State::Runs),
        }
    }

    fn flag(&self, flag: Flag) -> &AtomicU64 {
        match flag {
            Flag::Step(step) => &self.steps[step],
            Flag::Done => &self.done,
            Flag::Stage(stage) => &self.stages[stage].0,
        }
    }
}

pub fn write(to: &[AtomicU8], bytes: &[u8]) {
    to.iter().zip(bytes).for_each(|(to, &byte)| to.store(byte, Relaxed));
}

pub fn read(from: &[AtomicU8]) -> Vec<u8> {
    from.iter().map(|byte| byte.load(Relaxed)).collect()
}

/// Looks until there is something to see.
fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < end, "a member never comes");
        std::thread::yield_now();
    }
}

/// One running member. Elements are `u32`, combined by wrapping addition.
pub struct Member {
    pub all: Arc<Vec<Memory>>,
    pub progress: Progress,
    pub me: u32,
    /// The offset of this collective's buffers.
    pub base: usize,
    pub accumulator: Vec<u8>,
    pub late: bool,
}

impl Member {
    pub fn new(all: &Arc<Vec<Memory>>, me: u32) -> Self {
        let progress = Progress::new(0, all.len() as u32);
        Self { all: all.clone(), progress, me, base: 0, accumulator: vec![], late: false }
    }

    fn memory(&self, member: u32) -> &Memory {
        &self.all[member as usize]
    }

    fn own(&self) -> &Memory {
        self.memory(self.me)
    }

    /// Called before this member touches another's memory.
    fn lag(&self, member: u32) {
        if self.late && member != self.me {
            until(|| self.others_are_stuck().then_some(()));
        }
    }

    /// Whether all others have ended or wait in vain.
    fn others_are_stuck(&self) -> bool {
        let state = |other: &Memory| *other.state.lock().expect("no member panics here");
        let stuck = |other: &Memory| match state(other) {
            State::Runs => false,
            State::Waits(member, flag, value) => self.memory(member).flag(flag).load(Acquire) < value,
            State::Ended => true,
        };
        let posts = || self.all.iter().map(|memory| memory.posts.load(SeqCst)).sum::<u64>();
        let before = posts();
        // If nobody has posted since, a member that was stuck still is.
        self.all.iter().enumerate().all(|(m, memory)| m as u32 == self.me || stuck(memory)) && posts() == before
    }

    fn set_state(&self, state: State) {
        *self.own().state.lock().expect("no member panics here") = state;
    }

    fn staged(&self, from: u32, stage: usize, at: usize, bytes: usize) -> Vec<u8> {
        self.lag(from);
        read(&self.memory(from).stages[stage].1[at..at + bytes])
    }

    fn source(&self, member: u32, at: usize, bytes: usize) -> Vec<u8> {
        self.lag(member);
        let at = self.base + at;
        read(&self.memory(member).source[at..at + bytes])
    }

    fn set_dest(&self, member: u32, at: usize, bytes: &[u8]) {
        self.lag(member);
        let at = self.base + at;
        write(&self.memory(member).dest[at..at + bytes.len()], bytes);
    }

    fn combine(&mut self, how: Take, bytes: &[u8]) {
        if how == Take::First {
            self.accumulator = bytes.to_vec();
            return;
        }
        assert_eq!(self.accumulator.len(), bytes.len());
        for (a, b) in self.accumulator.chunks_exact_mut(4).zip(bytes.chunks_exact(4)) {
            let number = |bytes: &[u8]| u32::from_ne_bytes(bytes.try_into().expect("four bytes"));
            let sum = number(a).wrapping_add(number(b));
            a.copy_from_slice(&sum.to_ne_bytes());
        }
    }
}

/// This member makes no more calls, or has failed.
impl Drop for Member {
    fn drop(&mut self) {
        self.set_state(State::Ended);
    }
}

impl Group for Member {
    fn size(&self) -> u32 {
        self.all.len() as u32
    }
    fn me(&self) -> u32 {
        self.me
    }
    fn sync(&mut self) {
        sync(self);
    }
}

impl Copies for Member {
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize) {
        self.set_dest(to, dest_at, &self.source(self.me, source_at, bytes));
    }
    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize) {
        self.set_dest(self.me, dest_at, &self.source(from, source_at, bytes));
    }
}

impl Flags for Member {
    fn progress(&self) -> &Progress {
        &self.progress
    }
    fn post(&mut self, flag: Flag, value: u64) {
        let before = self.own().flag(flag).swap(value, AcqRel);
        self.own().posts.fetch_add(1, SeqCst);
        assert!(before < value, "flags only grow: {flag:?} goes from {before} to {value}");
        assert!(value <= self.progress.highest(), "{flag:?} is beyond the highest number");
    }
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        self.set_state(State::Waits(member, flag, value));
        let look = || Some(self.memory(member).flag(flag).load(Acquire)).filter(|&seen| seen >= value);
        let mut looks = 0u32;
        let seen = until(|| {
            looks += 1;
            let in_vain = looks.is_multiple_of(LOOKS) && self.others_are_stuck();
            look().or_else(|| {
                assert!(!in_vain, "{flag:?} of member {member} never comes to {value}");
                None
            })
        });
        self.set_state(State::Runs);
        seen
    }
    fn stage_word(&mut self, stage: usize, index: usize, value: u64) {
        write(&self.own().stages[stage].1[index * 8..][..8], &value.to_ne_bytes());
    }
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64 {
        let bytes = self.staged(from, stage, index * 8, 8);
        u64::from_ne_bytes(bytes.try_into().expect("eight bytes"))
    }
}

impl Stages for Member {
    fn stage(&mut self, stage: usize, at: usize, source_at: usize, bytes: usize) {
        let data = self.source(self.me, source_at, bytes);
        write(&self.own().stages[stage].1[at..at + bytes], &data);
    }
    fn unstage(&mut self, from: u32, stage: usize, at: usize, dest_at: usize, bytes: usize) {
        let data = self.staged(from, stage, at, bytes);
        self.set_dest(self.me, dest_at, &data);
    }
}

impl Fold for Member {
    fn element(&self) -> usize {
        4
    }
    fn zero(&mut self, bytes: usize) {
        self.accumulator = vec![0; bytes];
    }
    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize) {
        let data = self.source(from, source_at, bytes);
        assert!(bytes <= CHUNK_BYTES);
        self.combine(how, &data);
    }
    fn give(&mut self, to: u32, dest_at: usize, bytes: usize) {
        assert_eq!(self.accumulator.len(), bytes);
        self.set_dest(to, dest_at, &self.accumulator);
    }
    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize) {
        let data = self.source(member, at, bytes);
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
        write(&self.own().stages[stage].1[..bytes], &self.accumulator);
    }
}

impl Counts for Member {
    fn sums(&mut self, mine: usize) -> (usize, usize) {
        let (me, mut before, mut all) = (self.me, 0, 0);
        gather_words(self, [mine as u64], |member, [theirs]| {
            if member == me {
                before = all;
            }
            all += theirs as usize;
        });
        (before, all)
    }
}
