//! At which address the PEs of other hosts reach this one.
//!
//! Each PE lists the addresses of its host. The PEs take the first network of PE 0 in which every host has an address
//! of its own. An address that two hosts have, such as that of a bridge for containers, is not one at which anybody
//! could reach them.

use crate::error::{Cause, Error, Result};
use crate::job::Job;
use cushmem_bootstrap::interfaces::{self, Address};
use std::collections::HashMap;

/// The address of PEs that are all on one host.
const HERE: &str = "127.0.0.1";
const FIND: &str = "find a network between the hosts";

/// Collective. The address of this PE for all others.
pub(super) fn of_this_host(job: &Job) -> Result<String> {
    if job.hosts() == 1 {
        return Ok(HERE.to_owned());
    }
    let wrong = |why: String| Error::new(FIND, Cause::Mismatch(why));
    // The settings of other PEs may differ, so a mistake is told to all.
    let own = listed().unwrap_or_else(|why| format!("!{why}"));
    let all = job.bootstrap().allgather("addresses", own.as_bytes())?;
    let mut hosts: Vec<(u32, Vec<Address>)> = Vec::with_capacity(all.len());
    for (pe, text) in job.pes().zip(&all) {
        let addresses = read(text).map_err(|why| wrong(format!("PE {}{why}", pe.number())))?;
        hosts.push((job.host(pe), addresses));
    }
    let place = choose(&hosts).map_err(wrong)?;
    Ok(hosts[job.me().index()].1[place[job.me().index()]].ip.to_string())
}

/// The addresses of this host for others, one in a line, of the interface that the user names or of all.
fn listed() -> std::result::Result<String, String> {
    let wanted = cushmem_environment::net_interface().map_err(|bad| bad.to_string())?;
    let all = interfaces::addresses().map_err(|error| format!("list the network interfaces: {error}"))?;
    let is_wanted = |address: &&Address| wanted.as_ref().is_none_or(|wanted| *wanted == address.interface);
    if let Some(wanted) = wanted.as_ref().filter(|_| !all.iter().any(|address| is_wanted(&address))) {
        let mut names: Vec<&str> = all.iter().map(|address| address.interface.as_str()).collect();
        names.dedup();
        let variable = cushmem_environment::NET_INTERFACE.name;
        return Err(format!("{variable}='{wanted}': this host has {}", names.join(", ")));
    }
    Ok(all
        .iter()
        .filter(is_wanted)
        .filter(|address| address.is_global())
        .map(|address| format!("{address}\n"))
        .collect())
}

/// Reads what a PE has listed, or its mistake instead. The error follows the name of the PE.
fn read(text: &[u8]) -> std::result::Result<Vec<Address>, String> {
    let text = String::from_utf8_lossy(text);
    if let Some(why) = text.strip_prefix('!') {
        return Err(format!(": {why}"));
    }
    text.lines().map(|line| line.parse().map_err(|()| " sent what is no address".to_owned())).collect()
}

/// Which of its addresses each PE takes. `all` has the host and the addresses of each PE.
fn choose(all: &[(u32, Vec<Address>)]) -> std::result::Result<Vec<usize>, String> {
    let candidates = all.first().map_or(&[][..], |(_, addresses)| addresses);
    for candidate in candidates {
        let mut owners = HashMap::new();
        let within = |(host, addresses): &(u32, Vec<Address>)| {
            let place = addresses.iter().position(|address| address.network() == candidate.network())?;
            (*owners.entry(addresses[place].ip).or_insert(*host) == *host).then_some(place)
        };
        if let Some(places) = all.iter().map(within).collect() {
            return Ok(places);
        }
    }
    let mut hosts: Vec<u32> = vec![];
    let mut lines = String::new();
    for (pe, (host, addresses)) in all.iter().enumerate() {
        if !hosts.contains(host) {
            hosts.push(*host);
            let list: Vec<String> = addresses.iter().map(Address::to_string).collect();
            let list = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
            lines += &format!("; host of PE {pe}: {list}");
        }
    }
    let variable = cushmem_environment::NET_INTERFACE.name;
    Err(format!("no network in which each host has an address of its own ({variable} names an interface){lines}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(number: u32, addresses: &[&str]) -> (u32, Vec<Address>) {
        (number, addresses.iter().map(|text| text.parse().expect("an address")).collect())
    }

    #[test]
    fn the_first_network_that_all_hosts_share_is_taken() {
        let all = [
            host(0, &["192.0.2.1/24 eth0", "10.1.0.1/16 ib0"]),
            host(0, &["192.0.2.1/24 eth0", "10.1.0.1/16 ib0"]),
            host(1, &["10.1.7.2/16 ib0", "198.51.100.2/24 eth0"]),
        ];
        assert_eq!(choose(&all), Ok(vec![1, 1, 0]), "eth0 is in another network there");
        let all = [host(0, &["2001:db8::1/64 eth0"]), host(1, &["192.0.2.2/24 eth0", "2001:db8::2/64 eth0"])];
        assert_eq!(choose(&all), Ok(vec![0, 1]));
    }

    /// Catches two hosts that try to meet at the address of a bridge that each of them has for itself.
    #[test]
    fn an_address_that_several_hosts_have_is_not_taken() {
        let all = [
            host(0, &["172.17.0.1/16 docker0", "192.0.2.1/24 eth0"]),
            host(1, &["172.17.0.1/16 docker0", "192.0.2.2/24 eth0"]),
        ];
        assert_eq!(choose(&all), Ok(vec![1, 1]));
        let why = choose(&[host(0, &["172.17.0.1/16 docker0"]), host(1, &["172.17.0.1/16 docker0"])]).unwrap_err();
        assert!(why.contains("host of PE 0: 172.17.0.1/16 docker0; host of PE 1: 172.17.0.1/16 docker0"), "{why}");
        let why = choose(&[host(0, &["192.0.2.1/24 a"]), host(1, &[])]).unwrap_err();
        assert!(why.ends_with("host of PE 0: 192.0.2.1/24 a; host of PE 1: none"), "{why}");
    }
}

#[cfg(test)]
mod fuzz {
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line, within};

    #[test]
    fn addresses() {
        let two = "192.0.2.1/24 eth0\n2001:db8::1/64 ib0\n";
        let parser = Parser::new("addresses", env!("CARGO_PKG_NAME")).sample("two", two).sample("mistake", "!no eth1");
        parser.tokens(&["/", "/0 ", "/32 ", "/128 ", "/129 ", "::", "\n", "255.255.255.255", "\u{1b}"]).run(|text| {
            let found = match within(32 * text.len() + 1024, || read(text)) {
                Ok(found) => found,
                Err(why) => return is_one_line(&why, text),
            };
            let again: String = found.iter().map(|address| format!("{address}\n")).collect();
            assert_eq!(read(again.as_bytes()), Ok(found.clone()));
            let own = [host(0, &["192.0.2.9/24 eth0"]), (1, found)];
            match choose(&own) {
                Ok(places) => assert!(places.iter().zip(&own).all(|(place, (_, addresses))| *place < addresses.len())),
                Err(why) => is_one_line(&why, text),
            }
        });
    }

    fn host(number: u32, addresses: &[&str]) -> (u32, Vec<Address>) {
        (number, addresses.iter().map(|text| text.parse().expect("an address")).collect())
    }
}
