//! What libfabric's providers have on this machine, for people.

use crate::ofi::library::{Info, Wanted, crashes, library};
use crate::ofi::order::Order;
use crate::ofi::sys::*;

/// A provider of libfabric at an address of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its name, for `CUSHMEM_NET=ofi:PROVIDER`.
    pub provider: String,
    /// The network's device.
    pub domain: String,
    /// What it has, if it can be used.
    pub abilities: Option<String>,
    /// Why it cannot be used.
    pub refused: Option<String>,
}

/// The providers at an address of this machine, in the order in which libfabric prefers them. `file` is that of the
/// library, [`OfiSettings::library`](crate::OfiSettings::library).
///
/// # Errors
///
/// In one line, if libfabric is not there.
pub fn offers(file: &str, address: &str) -> Result<Vec<Offer>, String> {
    let library = library(file)?;
    let mut offers: Vec<Offer> = Vec::new();
    let Ok(all) = library.everything(address) else { return Ok(offers) };
    for (provider, _) in all.each() {
        if offers.iter().all(|offer| offer.provider != provider) {
            let wanted = |atomics| library.find(&Wanted { library: file, provider: &provider, address, atomics });
            offers.push(match wanted(false) {
                // A longer name that the shorter one also finds.
                Ok(info) if info.provider() != provider => continue,
                Ok(info) => {
                    let abilities = Some(abilities(&info, wanted(true).ok()));
                    Offer { domain: info.domain(), provider, abilities, refused: None }
                }
                Err(_) => {
                    let refused = Some(lacking(&provider, &all).to_owned());
                    Offer { provider, domain: String::new(), abilities: None, refused }
                }
            });
        }
    }
    Ok(offers)
}

fn abilities(info: &Info, atomics: Option<Info>) -> String {
    let order = if Order::of(info.get()).waw > 0 { "keeps the order of puts" } else { "keeps no order" };
    // SAFETY: the offer has all its parts.
    let progress = unsafe { (*info.get().domain_attr).data_progress };
    let progress = if progress == FI_PROGRESS_AUTO { "has a thread of its own" } else { "is driven by the library" };
    let atomics = match atomics.map(|other| other.provider()) {
        Some(other) if other == info.provider() => "offers atomic operations".to_owned(),
        Some(other) => format!("offers atomic operations by {other}"),
        None => "has no atomic operations".to_owned(),
    };
    format!("{order}, {atomics}, {progress}")
}

/// What a provider that cannot be used lacks.
fn lacking(provider: &str, all: &Info) -> &'static str {
    let own = || all.each().filter(|(name, _)| name == provider).map(|(_, offer)| offer);
    // SAFETY: the offers have all their parts.
    let is_datagram = |offer: &fi_info| unsafe { (*offer.ep_attr).type_ == FI_EP_RDM };
    if let Some(why) = own().find_map(|offer| crashes(provider, offer)) {
        why
    } else if !own().any(is_datagram) {
        "has no reliable datagrams (FI_EP_RDM)"
    } else if !own().any(|offer| is_datagram(offer) && offer.caps & FI_RMA != 0) {
        "has no one-sided operations (FI_RMA)"
    } else {
        "does not offer all that is needed at the same time"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_can_be_used_or_says_why_not() {
        let found = match offers(&crate::tests::library(), "127.0.0.1") {
            Ok(found) => found,
            Err(why) => return xtask::left_out::record("net::each_provider over libfabric", &why),
        };
        let of = |name| found.iter().find(|offer| offer.provider == name);
        let has = |offer: &Offer, what: &str| offer.abilities.as_ref().is_some_and(|text| text.starts_with(what));
        let layered = of("tcp;ofi_rxm").expect("it is everywhere");
        assert!(has(layered, "keeps the order of puts, offers atomic operations, "), "{layered:?}");
        // From version 1.18 on.
        if let Some(tcp) = of("tcp") {
            assert!(has(tcp, "keeps the order of puts, offers atomic operations by tcp;ofi_rxm, "), "{tcp:?}");
        }
        for offer in &found {
            assert!(offer.abilities.is_some() != offer.refused.is_some(), "{offer:?}");
            let is_over_rxd = offer.provider.contains("ofi_rxd");
            assert!(!is_over_rxd || offer.refused.as_ref().is_some_and(|why| why.contains("atomic")), "{offer:?}");
        }
        let mut names: Vec<_> = found.iter().map(|offer| &offer.provider).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), found.len(), "each once");
    }
}
