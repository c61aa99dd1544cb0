//! The lanes on which this PE's engine copies, and where contexts get theirs.

use super::context::Context;
use super::unfit;
use crate::error::{Cause, Error, Result};
use crate::memory::Memory;
use crate::sync::control::Control;
use crate::sync::locked;
use crate::transport::copy_engine::{CopyEngine, Lane, LaneWord, Words};
use crate::transport::stage;
use cushmem_gpu::Gpu;
use cushmem_path::Path;
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// The lanes of a PE, and what they are made from.
pub(super) struct Lanes {
    words: Words,
    all: Mutex<Vec<Weak<Lane>>>,
    /// This PE's GPU in the context of the library's own threads, once these threads copy.
    internal_gpu: OnceLock<Arc<dyn Gpu>>,
    engine: OnceLock<CopyEngine>,
}

/// The lanes for copies through host memory, by direction.
pub(super) type StageLanes = [[Lane; stage::LANES]; 2];

/// What a lane is made for.
const OPERATION: &str = "prepare the copy engine";

impl Lanes {
    /// Opens no GPU.
    pub(super) fn new() -> Self {
        Self { words: Words::new(), all: Mutex::default(), internal_gpu: OnceLock::new(), engine: OnceLock::new() }
    }

    /// A word in which a lane counts, if one is left.
    pub(super) fn take_word(&self) -> Option<LaneWord> {
        self.words.take()
    }

    /// Creates the lane of a context, and opens the GPU if nobody has.
    #[cold]
    pub(super) fn begin<'a>(
        &self,
        (memory, control): (&Memory, &Control),
        context: &'a Context,
    ) -> Result<&'a Arc<Lane>> {
        let gpu = memory.own_gpu("copy")?;
        let word = context.word().ok_or_else(|| unfit(Path::CopyEngine))?;
        let mut lanes = locked(&self.all);
        // Another thread may have been faster.
        if let Some(lane) = context.lane() {
            return Ok(lane);
        }
        let lane = self.engine(gpu, control)?.lane(control, word).map_err(Error::of(OPERATION))?;
        let lane = context.begin(lane);
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(lane));
        Ok(lane)
    }

    /// Creates the lane of a context, which has a first one, for long copies in a direction. If no more lanes are
    /// available, there is none.
    pub(super) fn begin_side<'a>(
        &self,
        (memory, control): (&Memory, &Control),
        context: &'a Context,
        direction: usize,
    ) -> Result<Option<&'a Arc<Lane>>> {
        let side = &context.sides()[direction];
        let mut lanes = locked(&self.all);
        // Another thread may have been faster.
        if side.get().is_none() {
            let Some(word) = self.words.take_side() else { return Ok(None) };
            let engine = self.engine(memory.own_gpu("copy")?, control)?;
            let lane = engine.lane(control, &Arc::new(word)).map_err(Error::of(OPERATION))?;
            lanes.push(Arc::downgrade(side.get_or_init(|| Arc::new(lane))));
        }
        Ok(side.get())
    }

    /// Creates the lane of a context that belongs to a thread of the library, if it has none.
    pub(super) fn begin_internal(
        &self,
        (memory, control): (&Memory, &Control),
        context: &Context,
        operation: &'static str,
    ) -> Result<()> {
        let mut lanes = locked(&self.all);
        if context.lane().is_none() {
            let word = context.word().ok_or_else(|| unfit(Path::CopyEngine))?;
            let lane = self.internal((memory, control), word, operation)?;
            lanes.push(Arc::downgrade(context.begin(lane)));
        }
        Ok(())
    }

    /// A lane in the GPU context of the library's own threads. Called by one thread at a time.
    fn internal(
        &self,
        (memory, control): (&Memory, &Control),
        word: &Arc<LaneWord>,
        operation: &'static str,
    ) -> Result<Lane> {
        let engine = self.engine(memory.own_gpu(operation)?, control)?;
        let gpu = self.internal_gpu(memory, operation)?;
        engine.lane_of(&**gpu, control, word).map_err(Error::of(operation))
    }

    /// This PE's GPU, in the context of the library's own threads.
    pub(super) fn internal_gpu(&self, memory: &Memory, operation: &'static str) -> Result<&Arc<dyn Gpu>> {
        if self.internal_gpu.get().is_none() {
            let gpu = memory.own_gpu(operation)?.in_own_context().map_err(Error::of(operation))?;
            let _ = self.internal_gpu.set(gpu);
        }
        Ok(self.internal_gpu.get().expect("it was set above, if not before"))
    }

    /// That GPU if it was opened, otherwise the one in the program's context, if that was.
    pub(super) fn opened_gpu<'a>(&'a self, memory: &'a Memory) -> Option<&'a Arc<dyn Gpu>> {
        self.internal_gpu.get().or_else(|| memory.opened_gpu())
    }

    /// The lanes for copies through host memory, by direction.
    pub(super) fn for_stage(&self, ends: (&Memory, &Control), operation: &'static str) -> Result<StageLanes> {
        let too_many = || Error::new(operation, Cause::Exhausted("there are too many contexts".to_owned()));
        let _one = locked(&self.all);
        let lane = || self.internal(ends, &Arc::new(self.words.take().ok_or_else(too_many)?), operation);
        let lanes = || -> Result<[Lane; stage::LANES]> { Ok([lane()?, lane()?, lane()?]) };
        Ok([lanes()?, lanes()?])
    }

    /// What lanes are made from. Called by one thread at a time.
    fn engine(&self, gpu: &Arc<dyn Gpu>, control: &Control) -> Result<&CopyEngine> {
        if self.engine.get().is_none() {
            let engine = CopyEngine::create(gpu, control).map_err(Error::of(OPERATION))?;
            let _ = self.engine.set(engine);
        }
        Ok(self.engine.get().expect("it was set above, if not before"))
    }

    /// The existing lanes. The list is not locked during waits, because other threads may create contexts then.
    pub(super) fn all(&self) -> Vec<Arc<Lane>> {
        let lanes = locked(&self.all);
        lanes.iter().filter_map(Weak::upgrade).collect()
    }

    /// Waits until no stream writes a report any more, because its memory is about to be unpinned.
    pub(super) fn settle(&self) {
        for lane in self.all() {
            let _ = lane.settle();
        }
    }

    /// Unpins the words that the lanes' streams write.
    pub(super) fn give_back(&self, control: &Control) {
        if let Some(engine) = self.engine.get() {
            engine.give_back(control);
        }
    }
}
