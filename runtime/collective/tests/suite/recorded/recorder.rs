//! A member that records what it does, and for which all others are always far enough.

use cushmem_collective::*;
use std::ops::Range;

/// No member does this much between two looks at its record.
const MOST: usize = 10_000;

/// What a member did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    Sync,
    Post(Flag, u64),
    Wait(u32, Flag, u64),
    Put(u32, Range<usize>),
    Get(u32, Range<usize>),
    Stage(Range<usize>),
    Unstage(u32, Range<usize>),
    Take(u32, Range<usize>),
}

/// One member, alone.
pub struct Recorder {
    me: u32,
    size: u32,
    pub progress: Progress,
    pub element: usize,
    /// The rounds that each member is done with.
    pub done: Vec<u64>,
    /// The length of every other member's block.
    pub theirs: usize,
    pub did: Vec<Did>,
}

impl Recorder {
    pub fn new(me: u32, size: u32) -> Self {
        let (progress, done) = (Progress::new(0, size), vec![0; size as usize]);
        Self { me, size, progress, element: 1, done, theirs: 0, did: vec![] }
    }

    /// What it did since the last call.
    pub fn take_record(&mut self) -> Vec<Did> {
        std::mem::take(&mut self.did)
    }

    fn note(&mut self, did: Did) {
        assert!(self.did.len() < MOST, "a schedule without end: {did:?}");
        self.did.push(did);
    }

    fn look_at(&mut self, member: u32, did: Did) {
        assert!(member < self.size, "{did:?}: there are {} members", self.size);
        self.note(did);
    }
}

/// What every member of a new team does.
pub fn record(size: u32, call: impl Fn(&mut Recorder)) -> Vec<Vec<Did>> {
    let of = |me| {
        let mut recorder = Recorder::new(me, size);
        call(&mut recorder);
        recorder.did
    };
    (0..size).map(of).collect()
}

impl Group for Recorder {
    fn size(&self) -> u32 {
        self.size
    }
    fn me(&self) -> u32 {
        self.me
    }
    fn sync(&mut self) {
        self.note(Did::Sync);
    }
}

impl Copies for Recorder {
    fn put(&mut self, to: u32, dest_at: usize, _: usize, bytes: usize) {
        self.look_at(to, Did::Put(to, dest_at..dest_at + bytes));
    }
    fn get(&mut self, from: u32, _: usize, source_at: usize, bytes: usize) {
        self.look_at(from, Did::Get(from, source_at..source_at + bytes));
    }
}

impl Flags for Recorder {
    fn progress(&self) -> &Progress {
        &self.progress
    }
    fn post(&mut self, flag: Flag, value: u64) {
        self.note(Did::Post(flag, value));
    }
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        self.look_at(member, Did::Wait(member, flag, value));
        if flag == Flag::Done { value.max(self.done[member as usize]) } else { value }
    }
    fn stage_word(&mut self, _: usize, _: usize, _: u64) {}
    fn staged_word(&mut self, _: u32, _: usize, _: usize) -> u64 {
        self.theirs as u64
    }
}

impl Stages for Recorder {
    fn stage(&mut self, _: usize, at: usize, _: usize, bytes: usize) {
        assert!(at + bytes <= STAGE_BYTES);
        self.note(Did::Stage(at..at + bytes));
    }
    fn unstage(&mut self, from: u32, _: usize, at: usize, _: usize, bytes: usize) {
        self.look_at(from, Did::Unstage(from, at..at + bytes));
    }
}

impl Fold for Recorder {
    fn element(&self) -> usize {
        self.element
    }
    fn zero(&mut self, _: usize) {}
    fn take(&mut self, _: Take, from: u32, source_at: usize, bytes: usize) {
        self.look_at(from, Did::Take(from, source_at..source_at + bytes));
    }
    fn give(&mut self, _: u32, _: usize, _: usize) {}
    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize) {
        self.take(how, member, at, bytes);
    }
}

impl StagedFold for Recorder {
    fn take_stage(&mut self, _: Take, _: u32, _: usize, _: usize) {}
    fn give_stage(&mut self, _: usize, _: usize) {}
}

impl Counts for Recorder {
    fn sums(&mut self, mine: usize) -> (usize, usize) {
        (0, mine)
    }
}

/// The step flags that a member posts.
pub fn posted_steps(did: &[Did]) -> Vec<usize> {
    did.iter().filter_map(|did| if let Did::Post(Flag::Step(step), _) = did { Some(*step) } else { None }).collect()
}

/// The stages that a member publishes.
pub fn posted_stages(did: &[Did]) -> Vec<usize> {
    did.iter().filter_map(|did| if let Did::Post(Flag::Stage(stage), _) = did { Some(*stage) } else { None }).collect()
}

pub fn looks_at_done(did: &[Did]) -> Vec<(u32, u64)> {
    let look = |did: &Did| if let Did::Wait(member, Flag::Done, value) = *did { Some((member, value)) } else { None };
    did.iter().filter_map(look).collect()
}

pub fn puts(did: &[Did]) -> Vec<u32> {
    did.iter().filter_map(|did| if let Did::Put(to, _) = did { Some(*to) } else { None }).collect()
}

pub fn syncs(did: &[Did]) -> usize {
    did.iter().filter(|&did| *did == Did::Sync).count()
}
