use std::collections::VecDeque;

const BARRIERS: usize = 16;

/// One numbered barrier. Its release empties it at once, so a lane that comes back early joins the next round.
#[derive(Default)]
struct Barrier {
    /// The count that the waiting lanes named; 0 means all lanes of the block.
    count: u32,
    waiting: Vec<u16>,
}

/// The barriers of one block.
#[derive(Default)]
pub(super) struct Barriers {
    barriers: [Barrier; BARRIERS],
    /// One bit per barrier, set where lanes wait for all lanes of the block.
    for_all: u32,
}

impl Barriers {
    pub fn reset(&mut self) {
        self.barriers.iter_mut().for_each(|b| b.waiting.clear());
        self.for_all = 0;
    }

    /// Lets `lane` arrive at barrier `id`. Returns true if that released it and the other lanes there. `live` of the
    /// block's `lanes` lanes have not ended.
    pub fn arrive(
        &mut self,
        lane: u16,
        id: u32,
        count: u32,
        live: u32,
        lanes: u32,
        ready: &mut VecDeque<u16>,
    ) -> Result<bool, String> {
        let Some(barrier) = self.barriers.get_mut(id as usize) else {
            return Err(format!("thread {lane} used barrier {id}: barriers are 0 to {}", BARRIERS - 1));
        };
        if !count.is_multiple_of(32) || count > lanes.next_multiple_of(32) {
            return Err(format!(
                "thread {lane} gave barrier {id} a count of {count}: valid are multiples of 32 up to the block's {lanes} threads"
            ));
        }
        if barrier.waiting.is_empty() {
            barrier.count = count;
            if count == 0 {
                self.for_all |= 1 << id;
            }
        } else if barrier.count != count {
            return Err(format!("thread {lane} gave barrier {id} a count of {count}, others {}", barrier.count));
        }
        barrier.waiting.push(lane);
        let arrived = barrier.waiting.len() as u32;
        let lacking = lanes.next_multiple_of(32) - lanes;
        let complete = match count {
            0 => arrived == live,
            // Hardware counts whole warps: if the last warp lacks lanes, they count as arrived once its last lane
            // arrives.
            _ if lacking > 0 && barrier.waiting.iter().any(|l| u32::from(*l) + 1 == lanes) => {
                arrived + lacking == count
            }
            _ => arrived == count,
        };
        if complete {
            ready.extend(barrier.waiting.drain(..));
            self.for_all &= !(1 << id);
        }
        Ok(complete)
    }

    /// A lane ended, and `live` lanes are left, so barriers for all lanes may be complete now. Returns true if that
    /// released lanes.
    pub fn lane_ended(&mut self, live: u32, ready: &mut VecDeque<u16>) -> bool {
        let (mut left, mut released) = (self.for_all, false);
        while left != 0 {
            let id = left.trailing_zeros();
            left &= left - 1;
            let waiting = &mut self.barriers[id as usize].waiting;
            if waiting.len() == live as usize {
                ready.extend(waiting.drain(..));
                self.for_all &= !(1 << id);
                released = true;
            }
        }
        released
    }

    /// Describes which lanes wait where, for a report.
    pub fn describe(&self, live: u32) -> Vec<String> {
        let occupied = self.barriers.iter().enumerate().filter(|(_, b)| !b.waiting.is_empty());
        occupied
            .map(|(id, b)| {
                let needed = if b.count == 0 { live } else { b.count };
                format!("barrier {id} has {} of {needed} threads", b.waiting.len())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a barrier that counts a lane twice if it comes back before the others have left.
    #[test]
    fn early_lane_joins_the_next_round() {
        let (mut barriers, mut ready) = (Barriers::default(), VecDeque::new());
        for lane in 0..32 {
            assert_eq!(barriers.arrive(lane, 0, 0, 32, 32, &mut ready), Ok(lane == 31));
        }
        assert_eq!(ready.len(), 32);
        assert_eq!(barriers.arrive(31, 0, 0, 32, 32, &mut ready), Ok(false));
        assert_eq!(ready.len(), 32);
        assert_eq!(barriers.describe(32), ["barrier 0 has 1 of 32 threads"]);
    }

    /// Catches a barrier for all lanes that waits for lanes that have ended.
    #[test]
    fn an_ended_lane_completes_a_barrier() {
        let (mut barriers, mut ready) = (Barriers::default(), VecDeque::new());
        assert_eq!(barriers.arrive(0, 3, 0, 2, 2, &mut ready), Ok(false));
        assert!(barriers.lane_ended(1, &mut ready));
        assert_eq!(ready, [0]);
        assert!(!barriers.lane_ended(0, &mut ready));
    }
}
