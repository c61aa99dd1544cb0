//! How PEs of different nodes come to stage with each other. The chunks of their pairs are mapped and registered on
//! first use: a job that stages nothing registers none, and a PE has chunks only for the PEs that it stages with.
//!
//! ```text
//!   initiator                                                         owner
//!   maps and registers its chunks
//!   its card ───────────────────────── network ─────────────────────▶ card: sees all words
//!                                                                     maps and registers its own, learns of the other's
//!   card: sees all words ◀──────────── network ────────────────────── its card
//!   learns of the chunks: the two have met, and requests travel
//! ```
//!
//! * *Who writes.* The `card` of a pair is written once, by the other PE alone, through the network, and read by the PE
//!   that has the pair. Each PE sends its card once: when it first has a request, or when it finds the other's card. So
//!   it does not matter who is first, or whether both are.
//! * *What pairs with what.* A card is sealed with a number, so it is complete when the seal agrees, in whatever order
//!   its bytes arrive (`sealed.rs`). Chunks are registered before their card is sent.
//! * *Who may use what.* A PE makes requests, and looks for those of the other, only once it has the other's card. On a
//!   network without order, a request may arrive before its PE's card; it stays in its line until the card is here.
//! * *Nobody waits.* Each round of the proxy looks for cards. Nobody leaves the job before its own requests are carried
//!   out, and so not before it has the card of each PE that it has sent its own to: a card is sent for a request, or in
//!   return for a card whose PE has requests.

use super::own;
use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::memory::{LINE, Pair, StageArea};
use crate::sync::network::Network;
use crate::sync::network_lane::{NetLane, Region};
use crate::sync::sealed::{sealed, unsealed};
use zerocopy::IntoBytes;

/// The number that cards are sealed with. Before, their words are zeros.
const NUMBER: u64 = 1;

/// The most bytes of a card. The other words of its line are its length and the seal.
const MOST_BYTES: usize = (LINE - 2) * size_of::<u64>();

/// What this PE knows of the chunks of others.
pub(super) struct Cards {
    me: Pe,
    /// By PE, whether requests can travel between it and this PE.
    met: Vec<bool>,
    /// PEs of other nodes that this one has not met.
    strangers: Vec<Stranger>,
}

struct Stranger {
    pe: Pe,
    /// The card of this PE's chunks for it, if they are registered.
    card: Option<[u64; LINE]>,
    sent: bool,
}

/// What the initiator needs for its transfers with a PE.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Nothing,
    /// Its own chunks.
    Chunks,
    /// The help of the owner.
    Owner,
}

impl Cards {
    pub(super) fn new(job: &Job) -> Self {
        let met: Vec<bool> = job.pes().map(|pe| job.place(pe).is_some()).collect();
        let far = job.pes().filter(|pe| job.place(*pe).is_none());
        let strangers = far.map(|pe| Stranger { pe, card: None, sent: false }).collect();
        Self { me: job.me(), met, strangers }
    }

    /// Whether requests can travel between a PE and this one.
    pub(super) fn has_met(&self, pe: Pe) -> bool {
        self.met[pe.index()]
    }

    /// Sends and looks for cards. Returns whether anything happened.
    pub(super) fn progress(
        &mut self,
        area: &StageArea,
        network: &Network,
        net: &NetLane,
        need: impl Fn(Pe) -> Need,
    ) -> Result<bool> {
        let (mut moved, mut at) = (false, 0);
        while let Some(stranger) = self.strangers.get_mut(at) {
            let (pe, me) = (stranger.pe, self.me);
            let (pair, need) = (own(area, me, pe), need(pe));
            // SYNC(stage) acquire, in `unsealed`: pairs with the network's release.
            let theirs = unsealed(NUMBER, pair.card());
            if theirs.is_some() || need > Need::Nothing {
                let card = stranger.register(pair, network)?;
                if !stranger.sent && (theirs.is_some() || need == Need::Owner) {
                    net.put_inline(StageArea::card_at(pe, me), card.as_bytes())?;
                    (stranger.sent, moved) = (true, true);
                }
            }
            let Some([bytes, card @ .., _]) = theirs else {
                at += 1;
                continue;
            };
            let card = card.as_bytes().get(..bytes as usize).unwrap_or(&[]);
            network.learn(pe, Region::Pair(me), 0, card)?;
            self.met[pe.index()] = true;
            self.strangers.swap_remove(at);
            moved = true;
        }
        Ok(moved)
    }
}

impl Stranger {
    /// Maps and registers this PE's chunks for it, unless they are. Returns their card, as it travels.
    fn register(&mut self, pair: Pair<'_>, network: &Network) -> Result<[u64; LINE]> {
        if let Some(card) = self.card {
            return Ok(card);
        }
        pair.make()?;
        let card = network.register(Region::Pair(self.pe), 0, pair.local())?;
        Ok(*self.card.insert(packed(&card)?))
    }
}

/// A card as it travels: its length, its bytes, and the seal.
fn packed(card: &[u8]) -> Result<[u64; LINE]> {
    let mut words = [0; LINE];
    words[0] = card.len() as u64;
    let room = words[1..LINE - 1].as_mut_bytes().get_mut(..card.len());
    let why = || format!("the network's card of {} bytes is longer than {MOST_BYTES}", card.len());
    room.ok_or_else(|| Error::new("share memory to stage in", Cause::Mismatch(why())))?.copy_from_slice(card);
    Ok(sealed(NUMBER, words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_net::MOST_INLINE;
    use std::sync::atomic::AtomicU64;

    /// Catches a card that is cut, or taken before all of it has arrived, and one that no single put carries.
    #[test]
    fn a_card_is_believed_when_it_is_whole() {
        for length in [1, 32, MOST_BYTES] {
            let card: Vec<u8> = (1..=length as u8).collect();
            let words = packed(&card).expect("it fits");
            assert!(words.as_bytes().len() <= MOST_INLINE);
            let read = |words: [u64; LINE]| unsealed(NUMBER, words.map(AtomicU64::new).each_ref());
            let [bytes, found @ .., _] = read(words).expect("it is whole");
            assert_eq!(&found.as_bytes()[..bytes as usize], card);
            for missing in (0..LINE).filter(|word| words[*word] != 0) {
                let mut torn = words;
                torn[missing] = 0;
                assert_eq!(read(torn), None, "{length}, {missing}");
            }
        }
        assert_eq!(unsealed(NUMBER, [0; LINE].map(AtomicU64::new).each_ref()), None);
        let error = packed(&[0; MOST_BYTES + 1]).expect_err("it has no room").to_string();
        assert!(error.ends_with("the network's card of 49 bytes is longer than 48"), "{error}");
    }
}
