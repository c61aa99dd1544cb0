use cushmem_abi::lane::WarpOp;
use std::mem::discriminant;

/// Lanes in a warp.
pub(super) const LANES: usize = 32;

/// Lanes that meet for one operation.
struct Meeting {
    mask: u32,
    arrived: u32,
    op: WarpOp,
}

/// One warp: the meetings in which some of its lanes wait. Divergent lanes may take part in several at once, each with
/// its own mask.
pub(super) struct Warp {
    /// Lanes that exist: only the last warp of a block can lack some.
    existing: u32,
    ended: u32,
    meetings: Vec<Meeting>,
    /// The argument of each waiting lane's shuffle.
    arguments: [u32; LANES],
}

impl Warp {
    pub fn new(lanes: usize) -> Self {
        Self { existing: u32::MAX >> (LANES - lanes), ended: 0, meetings: Vec::with_capacity(2), arguments: [0; LANES] }
    }

    pub fn reset(&mut self) {
        self.ended = 0;
        self.meetings.clear();
    }

    /// Lane number `lane` of the warp wants to carry out `op` with the lanes of `mask`; its contribution is in
    /// `values[lane]`. If it is the last to arrive, returns the mask of the lanes that go on, and `values` then holds
    /// their results.
    pub fn arrive(&mut self, lane: u32, mask: u32, op: WarpOp, values: &mut [u64]) -> Result<Option<u32>, String> {
        let bit = 1 << lane;
        // As on hardware, lanes that do not exist take no part.
        let mask = mask & self.existing;
        if mask & bit == 0 {
            return Err(format!("lane {lane} of a warp is not in its own mask {mask:#010x} of {op:?}"));
        }
        if mask & self.ended != 0 {
            return Err(format!(
                "{op:?} of lanes {mask:#010x} of a warp: lanes {:#010x} have ended",
                mask & self.ended
            ));
        }
        self.arguments[lane as usize] = match op {
            WarpOp::ShuffleIdx(n) | WarpOp::ShuffleDown(n) | WarpOp::ShuffleUp(n) | WarpOp::ShuffleXor(n) => n,
            WarpOp::Sync | WarpOp::Ballot | WarpOp::MatchAny => 0,
        };
        let mut found = None;
        for (i, meeting) in self.meetings.iter_mut().enumerate() {
            if meeting.mask == mask && discriminant(&meeting.op) == discriminant(&op) {
                meeting.arrived |= bit;
                found = Some(i);
                break;
            }
            // Two such lanes would wait for each other for ever.
            if meeting.mask & bit != 0 && meeting.arrived & mask != 0 {
                let Meeting { mask: other_mask, arrived, op: other } = meeting;
                return Err(format!(
                    "lane {lane} of a warp wants {op:?} of lanes {mask:#010x}, but lanes {arrived:#010x} want {other:?} of {other_mask:#010x}"
                ));
            }
        }
        let index = found.unwrap_or_else(|| {
            self.meetings.push(Meeting { mask, arrived: bit, op });
            self.meetings.len() - 1
        });
        if self.meetings[index].arrived != mask {
            return Ok(None);
        }
        self.meetings.swap_remove(index);
        self.finish(mask, op, values);
        Ok(Some(mask))
    }

    fn finish(&self, mask: u32, op: WarpOp, values: &mut [u64]) {
        let mut given = [0u64; LANES];
        given[..values.len()].copy_from_slice(values);
        let takes_part = |lane: u32| lane < 32 && mask >> lane & 1 != 0;
        let which = |wanted: &dyn Fn(u64) -> bool| {
            lanes(mask).filter(|&l| wanted(given[l as usize])).fold(0, |bits, l| bits | 1u64 << l)
        };
        match op {
            WarpOp::Sync => lanes(mask).for_each(|l| values[l as usize] = 0),
            WarpOp::ShuffleIdx(_) | WarpOp::ShuffleDown(_) | WarpOp::ShuffleUp(_) | WarpOp::ShuffleXor(_) => {
                for lane in lanes(mask) {
                    let argument = self.arguments[lane as usize];
                    let source = match op {
                        WarpOp::ShuffleDown(_) => lane + (argument & 31),
                        WarpOp::ShuffleUp(_) => lane.checked_sub(argument & 31).unwrap_or(lane),
                        WarpOp::ShuffleXor(_) => lane ^ argument & 31,
                        _ => argument & 31,
                    };
                    let source = if takes_part(source) { source } else { lane };
                    values[lane as usize] = given[source as usize];
                }
            }
            WarpOp::Ballot => {
                let ballot = which(&|value| value != 0);
                lanes(mask).for_each(|l| values[l as usize] = ballot);
            }
            WarpOp::MatchAny => {
                lanes(mask).for_each(|l| values[l as usize] = which(&|value| value == given[l as usize]))
            }
        }
    }

    /// A lane returned from the kernel. This is an error if others wait for it.
    pub fn lane_ended(&mut self, lane: u32) -> Result<(), String> {
        self.ended |= 1 << lane;
        match self.meetings.iter().find(|m| m.mask >> lane & 1 != 0) {
            None => Ok(()),
            Some(Meeting { mask, arrived, op }) => Err(format!(
                "lane {lane} of a warp ended, but lanes {arrived:#010x} wait for it in {op:?} of {mask:#010x}"
            )),
        }
    }

    /// Describes what lanes wait for, for a report.
    pub fn describe(&self) -> impl Iterator<Item = String> {
        self.meetings.iter().map(|m| format!("{:?} has lanes {:#010x} of {:#010x}", m.op, m.arrived, m.mask))
    }
}

/// Returns the numbers of the lanes in a mask.
pub(super) fn lanes(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            lane
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(mask: u32, op: impl Fn(u32) -> WarpOp) -> [u64; LANES] {
        let mut warp = Warp::new(LANES);
        let mut values = std::array::from_fn(|l| l as u64 / 2 * 10);
        let last = 31 - mask.leading_zeros();
        for lane in lanes(mask) {
            assert_eq!(warp.arrive(lane, mask, op(lane), &mut values), Ok((lane == last).then_some(mask)));
        }
        values
    }

    /// Catches wrong results at the edges: sources outside the warp or the mask, lanes outside the mask.
    #[test]
    fn results_at_the_edges() {
        let down = meet(u32::MAX, |_| WarpOp::ShuffleDown(2));
        assert_eq!((down[0], down[29], down[30], down[31]), (10, 150, 150, 150));
        let up = meet(u32::MAX, |_| WarpOp::ShuffleUp(2));
        assert_eq!((up[0], up[1], up[2], up[31]), (0, 0, 0, 140));
        let xor = meet(0xffff, |_| WarpOp::ShuffleXor(16));
        assert_eq!((xor[0], xor[15]), (0, 70));
        assert_eq!(meet(u32::MAX, |_| WarpOp::ShuffleXor(5))[8], 60);
        let half = meet(0xffff, |_| WarpOp::ShuffleIdx(20));
        assert_eq!((half[0], half[15]), (0, 70));
        assert_eq!(meet(u32::MAX, WarpOp::ShuffleIdx)[7], 30);
        assert_eq!(meet(u32::MAX, |_| WarpOp::Ballot)[3], 0xffff_fffc);
        assert_eq!(meet(0xff, |_| WarpOp::MatchAny)[5], 0b11_0000);
        // A GPU takes the low five bits of the argument.
        assert_eq!(meet(u32::MAX, |_| WarpOp::ShuffleDown(u32::MAX))[0], 150);
        assert_eq!(meet(u32::MAX, |_| WarpOp::ShuffleDown(34)), down);
        assert_eq!(meet(u32::MAX, |_| WarpOp::ShuffleUp(34)), up);
    }

    /// Catches a warp that forbids a divergence that is allowed, or that waits for ever if its lanes disagree.
    #[test]
    fn masks_that_agree_and_disagree() {
        let mut values = [0; LANES];
        let mut warp = Warp::new(LANES);
        assert_eq!(warp.arrive(0, 0b11, WarpOp::Sync, &mut values), Ok(None));
        assert_eq!(warp.arrive(2, 0b1100, WarpOp::Sync, &mut values), Ok(None));
        assert_eq!(warp.arrive(1, 0b10, WarpOp::Sync, &mut values), Ok(Some(0b10)));
        assert!(warp.arrive(1, 0b11, WarpOp::Ballot, &mut values).is_err());
        assert!(warp.lane_ended(3).is_err());
        assert_eq!(warp.arrive(1, 0b11, WarpOp::Sync, &mut values), Ok(Some(0b11)));
        assert!(Warp::new(8).arrive(7, u32::MAX, WarpOp::Sync, &mut values).is_ok());
    }
}
