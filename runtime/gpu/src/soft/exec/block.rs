use super::barrier::Barriers;
use super::lane::{LaneRun, Outcome};
use super::shared::Shared;
use super::stack::{self, Pool, Stack};
use super::warp::{self, Warp};
use super::{Failure, place};
use cushmem_abi::KernelEntry;
use cushmem_abi::lane::{Dim3, Event, Lane};
use std::collections::VecDeque;
use std::ffi::c_void;

/// A block resumes this many lanes, per lane of the block, before other blocks get their turn.
const TURNS: usize = 16;

/// What all blocks of a launch have in common.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub entry: KernelEntry,
    pub arguments: *const *const c_void,
    /// The description of a lane, without its indices.
    pub template: Lane,
}

/// What happened during a turn of one block, or of all of them.
#[derive(Default)]
pub(super) struct Visit {
    /// How many lanes asked to be run again later.
    pub polls: u32,
    /// Whether a barrier or a warp operation was completed, or a lane ended.
    pub progressed: bool,
}

impl Visit {
    pub fn add(&mut self, other: &Self) {
        self.polls += other.polls;
        self.progressed |= other.progressed;
    }
}

/// A resident block. Each of its lanes is ready, is polling, waits at a barrier or in a warp operation, or has ended.
pub(super) struct Block {
    shape: Shape,
    number: u64,
    lane_count: u32,
    live: u32,
    /// The lane that is running or ran last.
    running: u16,
    lanes: Vec<LaneRun>,
    /// What each waiting lane contributes, and the result that it gets when it goes on.
    values: Vec<u64>,
    ready: VecDeque<u16>,
    polling: Vec<u16>,
    barriers: Barriers,
    /// The bits that lanes waiting at an [`Event::BarrierOr`] contribute.
    bits: u64,
    warps: Vec<Warp>,
    shared: Shared,
    /// Lanes that wait at an [`Event::Together`], with its place.
    together: Vec<(u16, u64)>,
    /// Stacks for the lanes, kept between two blocks.
    stacks: Vec<Stack>,
}

impl Block {
    pub fn new(shape: Shape, stacks: Vec<Stack>) -> Self {
        let n = stacks.len();
        let warps = (0..n).step_by(warp::LANES).map(|first| Warp::new((n - first).min(warp::LANES))).collect();
        Self {
            shape,
            number: 0,
            lane_count: n as u32,
            live: 0,
            running: 0,
            lanes: Vec::with_capacity(n),
            values: vec![0; n],
            ready: VecDeque::with_capacity(n),
            polling: Vec::with_capacity(n),
            barriers: Barriers::default(),
            bits: 0,
            warps,
            shared: Shared::default(),
            together: vec![],
            stacks,
        }
    }

    /// Makes this the block with the given number. The previous block has finished.
    pub fn start(&mut self, number: u64, block_idx: Dim3) {
        assert!(self.is_finished() && self.ready.is_empty() && self.polling.is_empty(), "a block in use was started");
        self.stacks.extend(self.lanes.drain(..).map(LaneRun::into_stack));
        self.number = number;
        self.live = self.lane_count;
        self.barriers.reset();
        self.bits = 0;
        self.warps.iter_mut().for_each(Warp::reset);
        self.together.clear();
        self.shared.reset();
        let Shape { entry, arguments, template } = self.shape;
        for (i, stack) in self.stacks.drain(..).enumerate() {
            let lane = Lane { thread_idx: place(&template, i as u32), block_idx, ..template };
            // SAFETY: `exec::run` guarantees that the arguments are valid until it has dropped its blocks.
            self.lanes.push(unsafe { LaneRun::new(stack, entry, arguments, lane) });
            self.ready.push_back(i as u16);
        }
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of the lane that ran last.
    pub fn running(&self) -> u32 {
        self.running.into()
    }

    pub fn is_finished(&self) -> bool {
        self.live == 0
    }

    /// Runs each lane that can run, including lanes whose wait for others ends during the visit, until all that remain
    /// poll or the block has had its share.
    pub fn visit(&mut self) -> Result<Visit, Failure> {
        let mut visit = Visit::default();
        self.ready.extend(self.polling.drain(..));
        for _ in 0..TURNS * self.lane_count as usize {
            if self.ready.is_empty() {
                self.go_on_together();
            }
            let Some(lane) = self.ready.pop_front() else { break };
            self.running = lane;
            let value = self.values[lane as usize];
            match self.lanes[lane as usize].resume(value) {
                Outcome::Event(Event::Yield) => {
                    self.polling.push(lane);
                    visit.polls += 1;
                }
                Outcome::Event(&Event::Barrier { id, count }) => {
                    visit.progressed |= self
                        .barriers
                        .arrive(lane, id, count, self.live, self.lane_count, &mut self.ready)
                        .map_err(Failure::Stuck)?;
                }
                Outcome::Event(&Event::BarrierOr { bits }) => {
                    self.bits |= bits;
                    let complete = self.barriers.arrive(lane, 0, 0, self.live, self.lane_count, &mut self.ready);
                    if complete.map_err(Failure::Stuck)? {
                        self.tell_bits();
                        visit.progressed = true;
                    }
                }
                Outcome::Event(&Event::Shared { id, bytes }) => {
                    self.values[lane as usize] = self.shared.piece(id, bytes).map_err(Failure::Stuck)?;
                    self.ready.push_front(lane);
                }
                Outcome::Event(&Event::Together { place }) => self.together.push((lane, place)),
                Outcome::Event(&Event::IsGlobal { address }) => {
                    let is_private = stack::area().contains(&address) || self.shared.contains(address);
                    self.values[lane as usize] = u64::from(!is_private);
                    self.ready.push_front(lane);
                }
                Outcome::Event(&Event::Warp { mask, op, value }) => {
                    self.values[lane as usize] = value;
                    let (index, first) = (lane as usize / warp::LANES, lane as usize / warp::LANES * warp::LANES);
                    let end = (first + warp::LANES).min(self.values.len());
                    let values = &mut self.values[first..end];
                    let complete = self.warps[index].arrive(lane as u32 - first as u32, mask, op, values);
                    if let Some(mask) = complete.map_err(Failure::Stuck)? {
                        self.ready.extend(warp::lanes(mask).map(|l| first as u16 + l as u16));
                        visit.progressed = true;
                    }
                }
                Outcome::Trap => return Err(Failure::Trap { thread: lane.into() }),
                Outcome::End => {
                    self.lane_ended(lane)?;
                    visit.progressed = true;
                }
            }
        }
        if self.live > 0 && self.ready.is_empty() && self.polling.is_empty() && self.together.is_empty() {
            return Err(Failure::Stuck(self.describe()));
        }
        Ok(visit)
    }

    /// Lets the lanes that wait at an [`Event::Together`] go on, each with the mask of those of its warp that waited at
    /// the same place.
    fn go_on_together(&mut self) {
        let group = |&(lane, place): &(u16, u64)| (usize::from(lane) / warp::LANES, place);
        for one in &self.together {
            let alike = self.together.iter().filter(|other| group(other) == group(one));
            let mask = alike.fold(0, |mask, (other, _)| mask | 1u32 << (usize::from(*other) % warp::LANES));
            self.values[usize::from(one.0)] = mask.into();
        }
        self.ready.extend(self.together.drain(..).map(|(lane, _)| lane));
    }

    /// Gives the combined bits to the ready lanes. All lanes are ready then, because they have just come through one
    /// barrier.
    fn tell_bits(&mut self) {
        for lane in &self.ready {
            self.values[*lane as usize] = self.bits;
        }
        self.bits = 0;
    }

    fn lane_ended(&mut self, lane: u16) -> Result<(), Failure> {
        self.live -= 1;
        if self.barriers.lane_ended(self.live, &mut self.ready) {
            self.tell_bits();
        }
        self.warps[lane as usize / warp::LANES].lane_ended(u32::from(lane) % warp::LANES as u32).map_err(Failure::Stuck)
    }

    /// Describes which lanes wait for what, when all lanes wait.
    fn describe(&self) -> String {
        let mut waits = self.barriers.describe(self.live);
        let warps = self.warps.iter().enumerate();
        waits.extend(warps.flat_map(|(n, w)| w.describe().map(move |what| format!("warp {n}: {what}"))).take(4));
        format!("deadlock of its {} threads that have not exited: {}", self.live, waits.join(", "))
    }
}

impl Drop for Block {
    /// Cuts off lanes that still wait.
    fn drop(&mut self) {
        let stacks = self.lanes.drain(..).map(LaneRun::into_stack).chain(self.stacks.drain(..));
        Pool::get().expect("the stacks came from the pool").give(stacks);
    }
}
