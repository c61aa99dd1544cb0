//! `shmem-bench net --report`: what a site can send in, so that others learn how the library does on its networks: the
//! network in use, devices, versions and GPUs of both nodes, and a few figures. It works with every network.

use crate::heading::Heading;
use crate::rounds::{Figure, Rounds};
use anyhow::{Result, ensure};
use cushmem::{Shmem, SymSlice};
use cushmem_net::{VerbsPort, VerbsPorts, VerbsSettings, gpu_addresses};
use std::fs;

/// The first words of a report; the number changes with its form.
const HEAD: &str = "cushmem network report 1";
/// The bytes that a PE has for the description of its machine.
const ROOM: usize = 64 << 10;
/// Calls of a round that is short, and puts that are under way together.
const CALLS: usize = 100;
const TOGETHER: usize = 8;
const SIZES: [usize; 4] = [4 << 10, 64 << 10, 1 << 20, 4 << 20];

pub fn run(shmem: &Shmem, rounds: usize, smoke: bool) -> Result<()> {
    let about = shmem.malloc::<u8>(ROOM)?;
    let network = shmem.network();
    ensure!(
        shmem.n_pes() == 2 && network.is_some() && about.ptr(1 - shmem.my_pe()).is_null(),
        "`shmem-bench net` measures between two PEs on two nodes: shmemrun -n 2 --nodes 2 shmem-bench net"
    );
    about.copy_from(&padded(&machine()))?;
    shmem.barrier_all()?;
    let figures = Figures { shmem, rounds: Rounds { shmem, rounds, smoke }, lines: Vec::new() }.measure()?;
    if shmem.my_pe() == 0 {
        let mut theirs = vec![0; ROOM];
        shmem.get(&mut theirs, about, 1)?;
        let Heading { machine: model, date, .. } = Heading::new("network", shmem);
        let (own, theirs) = (machine(), text(&theirs));
        let theirs = if theirs == own { "  the same\n".to_owned() } else { theirs };
        let network = network.unwrap_or_default();
        let rounds = if smoke {
            "a test of the program; the figures mean nothing".to_owned()
        } else {
            format!("{rounds} rounds")
        };
        cushmem_command_line::print(format!(
            "{HEAD}\n{date}; {model}\nnetwork: {network}\n\nnode of PE 0\n{own}\nnode of PE 1\n{theirs}\n\
             between host memory of PE 0 and PE 1: median, least and most of {rounds}\n{figures}"
        ))
        .map_err(anyhow::Error::msg)?;
    }
    Ok(shmem.barrier_all()?)
}

/// A text with zeroes behind it, cut where there is no more room.
fn padded(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(ROOM, 0);
    bytes
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// What this node has: one thing in a line.
fn machine() -> String {
    let line = |path: &str| fs::read_to_string(path).ok().and_then(|text| text.lines().next().map(str::to_owned));
    let module = |name: &str| {
        let all = fs::read_to_string("/proc/modules").unwrap_or_default();
        let is_there = all.lines().any(|line| line.split(' ').next() == Some(name));
        let version = line(&format!("/sys/module/{name}/version"));
        is_there.then(|| version.map_or(name.to_owned(), |version| format!("{name} {version}")))
    };
    let mut lines = vec![format!("kernel: {}", line("/proc/sys/kernel/osrelease").unwrap_or_default())];
    lines.push(format!("NVIDIA driver: {}", line("/proc/driver/nvidia/version").unwrap_or("none".to_owned())));
    let modules = ["nvidia_peermem", "nv_peer_mem", "mlx5_core", "mlx4_core", "irdma", "bnxt_re", "efa", "rdma_rxe"];
    let modules: Vec<String> = modules.into_iter().filter_map(module).collect();
    lines.push(format!(
        "modules: {}",
        if modules.is_empty() { "none of those asked for".to_owned() } else { modules.join(", ") }
    ));
    let gpus = gpu_addresses();
    let (library, address) = (VerbsSettings::LIBRARY.to_owned(), "127.0.0.1".to_owned());
    match VerbsPorts::find(&VerbsSettings { library, device: String::new(), gpu: None, address }) {
        Ok(ports) => lines.extend(ports.all().iter().map(|port| port_line(port, &gpus))),
        Err(why) => lines.push(format!("NICs: {why}")),
    }
    lines.extend(gpus.iter().map(|gpu| {
        let node = line(&format!("/sys/bus/pci/devices/{gpu}/numa_node")).unwrap_or_default();
        format!("GPU {gpu}: NUMA node {node}")
    }));
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn port_line(port: &VerbsPort, gpus: &[String]) -> String {
    let VerbsPort { device, port: number, state, layer, gbit, atomics, model, refused, .. } = port;
    let node = port.numa_node().map_or("unknown".to_owned(), |node| node.to_string());
    let far: String = gpus.iter().map(|gpu| format!("; GPU {gpu}: {}", port.distance(gpu))).collect();
    let refused = refused.as_ref().map(|why| format!("; not used: {why}")).unwrap_or_default();
    format!(
        "NIC {device}:{number}: {layer}, {state}, {gbit} Gbit/s, NUMA node {node}, {model}, atomic operations: {atomics}\
         {far}{refused}"
    )
}

/// What is measured.
struct Figures<'a> {
    shmem: &'a Shmem,
    rounds: Rounds<'a>,
    lines: Vec<String>,
}

impl<'a> Figures<'a> {
    fn measure(mut self) -> Result<String> {
        let (shmem, peer) = (self.shmem, 1);
        let words = shmem.malloc::<u64>(2)?;
        let (data, source) = (shmem.malloc::<u64>(SIZES[3] / 8)?, shmem.malloc::<u64>(SIZES[3] / 8)?);
        source.copy_from(&vec![1; SIZES[3] / 8])?;
        let (word, counter) = (words.slice(..1), words.at(1));
        words.copy_from(&[0, 0])?;
        let mut found = [0_u64];
        // The first use makes the connection.
        shmem.barrier_all()?;
        if shmem.my_pe() == 0 {
            shmem.put(data, source, peer)?;
            shmem.fetch_add(counter, 0, peer)?;
            shmem.quiet()?;
        }
        let rounds = &self.rounds;
        let times = rounds.alone([
            &mut || rounds.ns(CALLS, |i| shmem.put(word, &[i as u64], peer).and_then(|()| shmem.quiet())),
            &mut || rounds.ns(CALLS, |_| shmem.get(&mut found, word, peer)),
            &mut || rounds.ns(CALLS, |_| shmem.fetch_add(counter, 1, peer).map(drop)),
            &mut || rounds.ns(CALLS, |_| shmem.compare_swap(counter, 0, 1, peer).map(drop)),
        ])?;
        let names = ["put of 8 bytes and quiet", "get of 8 bytes", "fetch_add of 8 bytes", "compare_swap of 8 bytes"];
        for (name, times) in names.into_iter().zip(times) {
            self.line(name, Figure::us(&times), "us");
        }
        let [barrier] = self.rounds.together([&mut || self.rounds.ns(CALLS, |_| shmem.barrier_all())])?;
        self.line("barrier of both", Figure::us(&barrier), "us");
        for bytes in SIZES {
            self.bandwidth(bytes, data.slice(..bytes / 8), source.slice(..bytes / 8))?;
        }
        Ok(self.lines.concat())
    }

    fn bandwidth(&mut self, bytes: usize, data: SymSlice<'a, u64>, source: SymSlice<'a, u64>) -> Result<()> {
        let (shmem, peer, rounds) = (self.shmem, 1, &self.rounds);
        let together = if rounds.smoke { 1 } else { TOGETHER };
        let mut here = vec![0_u64; bytes / 8];
        let [puts, gets] = rounds.alone([
            &mut || {
                rounds.ns(1, |_| {
                    (0..together).try_for_each(|_| shmem.put_nbi(data, source, peer)).and_then(|()| shmem.quiet())
                })
            },
            &mut || rounds.ns(TOGETHER, |_| shmem.get(&mut here, source, peer)),
        ])?;
        let size = bytes >> 10;
        let figure = Figure::of(&puts, |ns| (bytes * together) as f64 / ns);
        self.line(&format!("puts of {size} KiB, {TOGETHER} together"), figure, "GB/s");
        self.line(&format!("gets of {size} KiB"), Figure::of(&gets, |ns| bytes as f64 / ns), "GB/s");
        Ok(())
    }

    fn line(&mut self, name: &str, Figure { value, low, high }: Figure, unit: &str) {
        self.lines.push(format!("  {name:<32} {value:>10.3} {low:>10.3} {high:>10.3} {unit}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a description that does not come over as it was, and one that is longer than its place.
    #[test]
    fn a_description_comes_back() {
        let own = machine();
        assert_eq!(text(&padded(&own)), own);
        let long = "x".repeat(2 * ROOM);
        assert_eq!(text(&padded(&long)).len(), ROOM);
        assert!(own.lines().all(|line| line.starts_with("  ")) && own.contains("kernel: "), "{own}");
    }
}
