//! The replicas of teams on several nodes (`level`), which are registered with the network when a team needs them.
//! Those of the teams of all PEs are registered at the start, with the control areas.
//!
//! ```text
//!   leader of the new team on a node                          leaders on other nodes
//!   registers the replicas of the team's slot
//!   its card ───────── gather among the parent's members ───▶ learn of them: they may put
//! ```
//!
//! * *Nobody puts too early*: each leader registers before it gives its card to the others, and puts once it has
//!   theirs.
//! * *All agree*: all members of the parent hear from each leader whether it has registered, so they return the same.
//! * *They stay registered* when the team ends, because a late flag may still be under way. The next team with this
//!   slot uses them.

use super::Sync;
use super::locked;
use super::network_lane::Region;
use super::team::Team;
use crate::error::{Cause, Error, Result};
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use zerocopy::IntoBytes;

/// What this PE has registered and learned, by slot.
#[derive(Default)]
pub(super) struct Replicas(Mutex<HashMap<usize, Known>>);

#[derive(Default)]
struct Known {
    /// The card of this PE's replicas, if they are registered.
    card: Option<Card>,
    /// The leaders of whose replicas this PE knows.
    leaders: BTreeSet<u32>,
}

/// A card as it travels: its length, or what follows, and its bytes.
type Card = [u64; 8];

/// In place of the length: the PE is not a leader, or it could not register.
const NONE: u64 = 0;
const FAILED: u64 = u64::MAX;

impl Sync {
    /// Collective over the parent, which has members on several nodes. `team` is the new team of this PE, if it is in
    /// one. Its leaders register their replicas and learn of each other's.
    pub(super) fn share_replicas(&self, operation: &'static str, parent: &Team, team: Option<&Team>) -> Result<()> {
        let led = team.filter(|team| team.is_leader());
        let own = led.map_or(Ok([NONE; 8]), |team| self.register_replicas(team.slot()));
        let mine = *own.as_ref().unwrap_or(&[FAILED; 8]);
        let (mut failed, mut cards) = (None, vec![]);
        self.gather(operation, parent, mine, |member, card| {
            let pe = parent.pes().at(member);
            match card[0] {
                NONE => (),
                FAILED => failed = failed.or(Some(pe)),
                _ if led.is_some_and(|team| team.pes().number_of(pe.number()).is_some()) => cards.push((pe, card)),
                _ => (),
            }
        });
        own?;
        if let Some(pe) = failed {
            let why = "it could not register the memory of the team with the network".to_owned();
            return Err(Error::new(operation, Cause::OnPe { pe: pe.number(), why }));
        }
        let Some(team) = led else { return Ok(()) };
        let (network, mut known) = (self.network.as_ref(), locked(&self.replicas.0));
        let known = known.entry(team.slot()).or_default();
        for (pe, [bytes, card @ ..]) in cards {
            let card = card.as_bytes().get(..bytes as usize).unwrap_or(&[]);
            if !self.control.is_near(pe)
                && known.leaders.insert(pe.number())
                && let Some(Err(error)) =
                    network.map(|network| network.learn(pe, Region::Replicas, team.slot() as u32, card))
            {
                // The others will put to this PE, and wait for it.
                self.job.end(operation, &error);
            }
        }
        Ok(())
    }

    /// Registers this PE's replicas of a slot, unless they are, and returns their card.
    fn register_replicas(&self, slot: usize) -> Result<Card> {
        let mut known = locked(&self.replicas.0);
        let known = known.entry(slot).or_default();
        if let Some(card) = known.card {
            return Ok(card);
        }
        let network = self.network.as_ref().expect("a team on several nodes has a network between them");
        let card = network.register(Region::Replicas, slot as u32, self.control.replicas(slot))?;
        Ok(*known.card.insert(packed(&card)?))
    }
}

fn packed(card: &[u8]) -> Result<Card> {
    let mut words = [card.len() as u64; 8];
    let room = words[1..].as_mut_bytes().get_mut(..card.len());
    let why = || format!("the network's card of {} bytes is too long", card.len());
    room.ok_or_else(|| Error::new("create a team", Cause::Mismatch(why())))?.copy_from_slice(card);
    Ok(words)
}
