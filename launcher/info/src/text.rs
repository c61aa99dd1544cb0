//! The report as text for people: each section has a heading and two columns.

use crate::gpus::{Gpus, Link};
use crate::heaps::{Heap, Heaps, HugePages};
use crate::libraries::Library;
use crate::machine::MachineReport;
use crate::networks::{Networks, Provider};
use crate::nics::{Nics, Port, Used};
use crate::report::{Environment, Features, Report, Variable};
use cushmem_command_line::printable;
use cushmem_environment::Audience;

/// The greatest width of a line, in columns.
const WIDTH: usize = 110;
/// The width of the labels, in columns, with the space after them.
const LABEL: usize = 20;

/// The whole report.
pub fn of(report: &Report) -> String {
    let sections = [
        section(&format!("cushmem {}", report.version), features(&report.features)),
        section("GPUs", gpus(&report.gpus)),
        section("libraries", libraries(&report.libraries)),
        section("networks", networks(&report.networks)),
        section("NICs", nics(&report.nics)),
        section("machine", machine(&report.machine)),
        section("heaps", heaps(&report.heaps)),
        section("environment", environment(&report.environment)),
    ];
    sections.join("\n")
}

fn section(title: &str, lines: Vec<String>) -> String {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("{title}\n{body}")
}

fn row(label: &str, text: &str) -> String {
    let mut lines = wrapped(text, WIDTH - 2 - LABEL).into_iter();
    let first = format!("  {label:LABEL$}{}", lines.next().unwrap_or_default());
    lines.fold(first, |all, line| format!("{all}\n  {:LABEL$}{line}", ""))
}

/// Lines of whole words. A word longer than `width` gets a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `4 GiB`, `141.2 GiB`, `1536 bytes`.
fn size(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let Some((shift, unit)) = units.into_iter().find(|(shift, _)| bytes >> shift > 0) else {
        return format!("{bytes} bytes");
    };
    let value = format!("{:.1}", bytes as f64 / (1u64 << shift) as f64);
    format!("{} {unit}", value.strip_suffix(".0").unwrap_or(&value))
}

fn features(features: &Features) -> Vec<String> {
    let build = if features.debug_assertions { "with debug assertions" } else { "without debug assertions" };
    vec![
        row("specification", features.specification),
        row("built for", &format!("{}, {build}", features.target)),
        row("kernels", &format!("written in Rust, ABI version {}", features.kernel_abi)),
        row("kinds of GPUs", &features.gpu_backends.join(", ")),
    ]
}

fn gpus(gpus: &Gpus) -> Vec<String> {
    let mut lines = vec![];
    lines.push(match gpus.chosen {
        Some(chosen) => row("PEs use", &format!("{chosen} ({})", gpus.chosen_because)),
        None => row("PEs cannot start", &gpus.chosen_because),
    });
    lines.extend(gpus.cuda_driver.iter().map(|version| row("driver", &format!("supports CUDA {version}"))));
    if gpus.devices.is_empty() {
        lines.push(row("NVIDIA", &format!("none: {}", gpus.reason.as_deref().unwrap_or("the driver finds no GPU"))));
    }
    for gpu in &gpus.devices {
        let short = gpu.uuid.get(..12).unwrap_or(&gpu.uuid);
        let mut text = format!(
            "{}, compute capability {}, {} SMs, {}, {short}",
            gpu.name,
            gpu.compute_capability,
            gpu.sm_count,
            size(gpu.memory_bytes)
        );
        text.extend(gpu.pci.iter().map(|pci| format!(", PCI {pci}")));
        text.extend(gpu.numa_node.iter().map(|node| format!(", NUMA node {node}")));
        text.extend(gpu.lacks.iter().map(|what| format!("; cannot be used: it or its driver lacks {what}")));
        lines.push(row(&format!("GPU {}", gpu.ordinal), &text));
    }
    lines.extend(links(&gpus.links));
    if let (false, Some(reason)) = (gpus.devices.is_empty(), &gpus.reason) {
        lines.push(row("links", &format!("some are unknown: {reason}")));
    }
    let emulated = &gpus.emulated;
    lines.push(match &emulated.reason {
        None => row(
            "emulated GPU",
            &format!(
                "any number, {} SMs each, the machine's {}, {} of device addresses",
                emulated.sm_count,
                size(emulated.memory_bytes),
                size(emulated.address_space_bytes)
            ),
        ),
        Some(reason) => row("emulated GPU", &format!("not available: {reason}")),
    });
    lines
}

/// One row for each kind of link: a machine with eight GPUs has 56 links.
fn links(links: &[Link]) -> Vec<String> {
    let mut kinds: Vec<(String, Vec<String>)> = vec![];
    for link in links {
        let pair = format!("{}→{}", link.from, link.to);
        let atomics = if link.native_atomics { "native atomics" } else { "no native atomics" };
        let kind = match link.peer_access {
            true => format!("peer access, {atomics}, performance rank {}", link.performance_rank),
            false => "no peer access".to_owned(),
        };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, pairs)) => pairs.push(pair),
            None => kinds.push((kind, vec![pair])),
        }
    }
    kinds.iter().map(|(kind, pairs)| row("links", &format!("{kind}: {}", pairs.join(" ")))).collect()
}

fn libraries(libraries: &[Library]) -> Vec<String> {
    let line = |library: &Library| {
        let state = match (&library.path, &library.reason) {
            (Some(path), _) => format!("found, {path}"),
            (None, None) => "found".to_owned(),
            (None, Some(reason)) => format!("not found: {reason}"),
        };
        let use_today = if library.used { "" } else { "; not used yet" };
        row(&library.name, &format!("{state} ({}{use_today})", library.purpose))
    };
    libraries.iter().map(line).collect()
}

fn networks(networks: &Networks) -> Vec<String> {
    let line = |provider: &Provider| {
        let text = match (&provider.abilities, &provider.refused) {
            (Some(abilities), _) => format!("domain {}, address {}: {abilities}", provider.domain, networks.address),
            (None, why) => format!("not used: {}", why.as_deref().unwrap_or_default()),
        };
        row(&provider.name, &text)
    };
    let reason = networks.reason.iter().map(|why| row("none", why));
    networks.providers.iter().map(line).chain(reason).collect()
}

fn nics(nics: &Nics) -> Vec<String> {
    let port = |port: &Port| {
        let Port { device, port, state, kind, gbit, gid, numa_node, atomics, gpus, refused } = port;
        let mut text = format!("{kind}, {state}");
        if *gbit > 0 {
            text += &format!(", {gbit} Gbit/s");
        }
        text.extend(gid.iter().map(|gid| format!(", GID {gid}")));
        text.extend(numa_node.iter().map(|node| format!(", NUMA node {node}")));
        text += &format!(", atomic operations: {atomics}");
        text.extend(gpus.iter().map(|from| format!("; GPU {}: {}", from.gpu, from.distance)));
        text.extend(refused.iter().map(|why| format!("; not used: {why}")));
        row(&format!("{device}:{port}"), &text)
    };
    let used = |used: &Used| {
        let Used { gpu, device, port, because } = used;
        let who = gpu.map_or("a PE uses".to_owned(), |gpu| format!("GPU {gpu} uses"));
        row(&who, &format!("{device}:{port} ({because})"))
    };
    let none = (!nics.ports.is_empty() && nics.used.is_empty()).then(|| row("PEs use", "none of them"));
    let reason = nics.reason.iter().map(|why| row("none", why));
    nics.ports.iter().map(port).chain(nics.used.iter().map(used)).chain(none).chain(reason).collect()
}

fn machine(machine: &MachineReport) -> Vec<String> {
    let mut lines: Vec<String> = machine.reason.iter().map(|reason| row("unknown", reason)).collect();
    for node in &machine.numa_nodes {
        let cores = if node.cores == 1 { "core" } else { "cores" };
        let text = format!("{} physical {cores}, CPUs {}", node.cores, node.cpus);
        lines.push(row(&format!("NUMA node {}", node.node), &text));
    }
    let quota = machine.quota_milli_cpus.map(|milli| format!(", quota {:.2} CPUs", milli as f64 / 1000.0));
    lines.push(row("usable CPUs", &format!("{}{}", machine.usable_cpus, quota.unwrap_or_default())));
    lines.extend(machine.memory_bytes.map(|bytes| row("memory", &size(bytes))));
    lines
}

fn heaps(heaps: &Heaps) -> Vec<String> {
    let heap = |name: &str, heap: &Heap| match heap.limit_bytes {
        Some(bytes) => row(name, &format!("up to {} per PE ({}, {})", size(bytes), heap.because, heap.variable)),
        None => row(name, &format!("none: {}", heap.because)),
    };
    let range = format!("{} to {}", size(heaps.least_bytes), size(heaps.most_bytes));
    let HugePages { asked, shmem_enabled, reserved_free } = &heaps.huge_pages;
    let (Ok(asked) | Err(asked)) = asked.as_ref().map(|asked| (*asked).to_owned()).map_err(Clone::clone);
    let enabled = shmem_enabled.as_deref().unwrap_or("unknown");
    let pages = format!("{asked}; shmem_enabled is {enabled}, {} reserved are free", reserved_free.unwrap_or(0));
    vec![
        heap("host heap", &heaps.host),
        heap("GPU heap", &heaps.gpu),
        row("huge pages", &pages),
        row("may be set to", &range),
    ]
}

fn environment(environment: &Environment) -> Vec<String> {
    let mut lines = vec![];
    for audience in [Audience::User, Audience::Pe, Audience::Launcher, Audience::Internal] {
        lines.push(format!("  {}", title(audience)));
        for variable in environment.variables.iter().filter(|v| v.audience == audience.word()) {
            lines.extend(variable_lines(variable));
        }
    }
    if !environment.unknown.is_empty() {
        lines.push("  set, but not known".to_owned());
    }
    for unknown in &environment.unknown {
        let hint = unknown.nearest.map(|nearest| format!(" (did you mean {nearest}?)")).unwrap_or_default();
        lines.push(format!("    {}{hint}", printable(&unknown.name)));
    }
    lines
}

const fn title(audience: Audience) -> &'static str {
    match audience {
        Audience::User => "for users",
        Audience::Pe => "set by shmemrun for each PE",
        Audience::Launcher => "set by other launchers",
        Audience::Internal => "between launcher and library",
        Audience::Chore => "for tests and chores",
    }
}

fn variable_lines(variable: &Variable) -> Vec<String> {
    let plain = |markdown: &str| markdown.replace('`', "");
    let default = match (variable.default, variable.default_words) {
        (Some(value), _) => format!("default {value}"),
        (None, Some("none") | None) => "no default".to_owned(),
        (None, Some(words)) => format!("default: {}", plain(words)),
    };
    let state = match &variable.value {
        Some(value) => format!("= {}", printable(value)),
        None => "is not set".to_owned(),
    };
    let meaning = wrapped(&plain(variable.meaning), WIDTH - 6).into_iter().map(|line| format!("      {line}"));
    let head = format!("    {} {state} ({default}; {})", variable.name, plain(variable.values));
    std::iter::once(head).chain(meaning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nics::FromGpu;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [(0, "0 bytes"), (1023, "1023 bytes"), (1 << 20, "1 MiB"), (3 << 29, "1.5 GiB")] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn links_of_one_kind_share_a_row() {
        let link = |from, to, peer_access| Link { from, to, peer_access, native_atomics: true, performance_rank: 0 };
        let all = [link(0, 1, true), link(0, 2, false), link(1, 0, true), link(2, 0, false)];
        let rows = links(&all);
        assert_eq!(rows.len(), 2);
        assert!(rows[0].ends_with("peer access, native atomics, performance rank 0: 0→1 1→0"), "{rows:?}");
        assert!(rows[1].ends_with("no peer access: 0→2 2→0"), "{rows:?}");
    }

    /// Catches a port that PEs use or not, and nobody learns why.
    #[test]
    fn nics_are_shown_with_what_decides() {
        let port = Port {
            device: "mlx5_0".to_owned(),
            port: 1,
            state: "active",
            kind: "InfiniBand".to_owned(),
            gbit: 400,
            gid: Some("fe80::1".to_owned()),
            numa_node: Some(1),
            atomics: "with this device",
            gpus: vec![FromGpu { gpu: 0, distance: "at the same PCI root as it".to_owned() }],
            refused: None,
        };
        let down = Port {
            device: "mlx5_1".to_owned(),
            state: "down",
            gbit: 0,
            gid: None,
            gpus: vec![],
            numa_node: None,
            refused: Some("it is not active".to_owned()),
            ..port.clone()
        };
        let used = Used { gpu: Some(0), device: "mlx5_0".to_owned(), port: 1, because: "for a reason".to_owned() };
        let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = |found: &Nics| nics(found).iter().map(words).collect::<Vec<_>>();
        let all = Nics { ports: vec![port, down.clone()], used: vec![used], reason: None };
        let expected = [
            "mlx5_0:1 InfiniBand, active, 400 Gbit/s, GID fe80::1, NUMA node 1, atomic operations: with this device; GPU 0: \
             at the same PCI root as it",
            "mlx5_1:1 InfiniBand, down, atomic operations: with this device; not used: it is not active",
            "GPU 0 uses mlx5_0:1 (for a reason)",
        ];
        assert_eq!(text(&all), expected);
        let none = Nics { ports: vec![down], used: vec![], reason: None };
        assert_eq!(text(&none)[1..], ["PEs use none of them"]);
        let absent = Nics { ports: vec![], used: vec![], reason: Some("this machine has none".to_owned()) };
        assert_eq!(text(&absent), ["none this machine has none"]);
    }

    #[test]
    fn long_text_stays_in_its_column() {
        assert_eq!(wrapped("a bb ccc", 4), ["a bb", "ccc"]);
        assert_eq!(wrapped("toolongword a", 4), ["toolongword", "a"]);
        assert!(row("x", &"word ".repeat(60)).lines().all(|line| line.len() <= WIDTH));
    }
}
