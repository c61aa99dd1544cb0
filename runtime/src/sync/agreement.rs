//! Checks that all PEs make the same collective call with the same arguments.
//!
//! Each PE *announces* its call in its own control area, meets the others in a barrier that the call needs anyway, and
//! then compares its call with what the next PE announced. This costs two cache lines written and two read, over the
//! network if that PE is on another node. If the calls differ, the job cannot continue, because the heaps would no
//! longer be alike; it ends with a line that says which PE asked for what.
//!
//! ```text
//!  word  0        1 … 4                  5 … 9
//!        | number | name of the routine  | arguments |      twice: for odd and even numbers
//! ```
//!
//! *Writer*: only the owner, before it enters the barrier with that number. *Readers*: PEs that have left that barrier;
//! by then all PEs have written. *Why it is not overwritten too early*: the owner writes the same words again for a
//! barrier that is at least two further on. It gets that far only after the reader has entered the barrier in between,
//! too. *A PE that is not in the call* but in another barrier has not written this number; this is how it is found.
//! *When a PE dies*, the wait in the barrier notices.
//!
//! Collectives of teams have no such barrier; in check mode their members exchange their calls first.

use crate::Team;
use crate::job::Pe;
use crate::sync::Sync;
use crate::sync::call::{Call, WORDS, difference};
use crate::sync::child::{WRONG_CALL, refuse_children};
use crate::sync::control::Control;
use crate::sync::network_lane::{Region, RemoteAddr};
use std::sync::atomic::Ordering;

/// How long other PEs give the reporting PE to print its report.
const SPEAKING: std::time::Duration = std::time::Duration::from_secs(5);

impl Sync {
    /// Meets all PEs, and ends the job unless they make the same call. The caller has completed its operations.
    pub(crate) fn meet_in(&self, call: &Call) {
        refuse_children(self.me().number(), call.routine);
        // Relaxed: only this PE counts its barriers, and only one of its threads at a time is in a collective call.
        let number = self.barriers.load(Ordering::Relaxed) + 1;
        let own = call.words(number);
        for (word, value) in self.control.announcement(self.me(), number).0.iter().zip(own) {
            // Relaxed: the barrier orders this store, like everything before it.
            word.store(value, Ordering::Relaxed);
        }
        self.meet(call.routine);
        let next = self.me().number() + 1;
        let next = self.job.pe(next).unwrap_or(Pe::member(0));
        if self.announced(next, number) != own {
            self.end_disagreement(call, number);
        }
    }

    fn announced(&self, pe: Pe, number: u64) -> [u64; WORDS] {
        if let Some(network) = self.network.as_ref().filter(|_| !self.control.is_near(pe)) {
            let at = Control::announcement_at(number) as u64;
            let words = network.collective().get_words(RemoteAddr { pe, region: Region::Control, at });
            return words.unwrap_or_else(|error| self.job.end("compare calls", &error));
        }
        let words = &self.control.announcement(pe, number).0;
        // Relaxed: the barrier orders this load after the owner's store.
        std::array::from_fn(|i| words[i].load(Ordering::Relaxed))
    }

    /// The first PE that sees a difference reports it; the others wait for the end of the job.
    #[cold]
    fn end_disagreement(&self, call: &Call, number: u64) -> ! {
        let (n, my_pe) = (self.job.n_pes(), self.job.my_pe());
        let all: Vec<_> = self.job.pes().map(|pe| self.announced(pe, number)).collect();
        let sees = |pe: u32| all[pe as usize][0] == number && all[pe as usize] != all[((pe + 1) % n) as usize];
        if (0..my_pe).any(sees) {
            std::thread::sleep(SPEAKING);
            self.job.bootstrap().abort(WRONG_CALL, "");
        }
        let (own, theirs) = (all[my_pe as usize], all[((my_pe + 1) % n) as usize]);
        let absent = |words: &[u64; WORDS]| words[0] != number;
        let like = |words: &[u64; WORDS]| if absent(&theirs) { absent(words) } else { *words == theirs };
        let same: Vec<u32> = (0..n).filter(|pe| like(&all[*pe as usize])).collect();
        self.end_wrong_call(call.routine, &difference(call, own, theirs, &same))
    }

    #[cold]
    pub(crate) fn end_wrong_call(&self, routine: &str, text: &str) -> ! {
        self.job.bootstrap().abort_with_line(WRONG_CALL, &format!("{routine}: {text}"))
    }

    /// In check mode: ends the job unless all members of the team make the same call.
    #[inline(always)]
    pub(crate) fn agree(&self, team: &Team, call: impl FnOnce() -> Call) {
        if self.check {
            self.agree_on(team, &call());
        }
    }

    /// All members hear from all, so all see a difference, and the first member reports it.
    #[cold]
    fn agree_on(&self, team: &Team, call: &Call) {
        let (own, mut others) = (call.words(0), vec![]);
        self.gather(call.routine, team, own, |member, theirs| others.push((member, theirs)));
        let Some(&(_, first)) = others.iter().find(|(_, theirs)| *theirs != own) else { return };
        if team.my_pe() != 0 {
            std::thread::sleep(SPEAKING);
            self.job.bootstrap().abort(WRONG_CALL, "");
        }
        let same =
            others.iter().filter(|(_, theirs)| *theirs == first).filter_map(|(member, _)| team.pes().pe(*member));
        self.end_wrong_call(call.routine, &difference(call, own, first, &same.collect::<Vec<u32>>()))
    }
}
