//! The networks between nodes that libfabric has.

use serde::Serialize;

/// The address of virtual nodes, which are all on this machine.
const HERE: &str = "127.0.0.1";

/// What libfabric has at an address.
#[derive(Serialize)]
pub struct Networks {
    pub address: &'static str,
    pub providers: Vec<Provider>,
    /// Why there are none.
    pub reason: Option<String>,
}

/// A provider of libfabric.
#[derive(Serialize)]
pub struct Provider {
    pub name: String,
    /// The network's device.
    pub domain: String,
    /// What it has, if it can be used.
    pub abilities: Option<String>,
    /// Why it cannot be used.
    pub refused: Option<String>,
}

impl Networks {
    /// Asks libfabric.
    pub fn find() -> Self {
        let library = cushmem_environment::libfabric().map_err(|bad| bad.to_string());
        let (offers, reason) = match library.and_then(|library| cushmem_net::offers(&library, HERE)) {
            Ok(offers) => (offers, None),
            Err(why) => (vec![], Some(why)),
        };
        let provider = |offer: cushmem_net::Offer| {
            let cushmem_net::Offer { provider: name, domain, abilities, refused } = offer;
            Provider { name, domain, abilities, refused }
        };
        Self { address: HERE, providers: offers.into_iter().map(provider).collect(), reason }
    }
}
