//! NVSHMEM's names: the headers in `include/nvshmem`, and what the library forwards.
//!
//! A routine of OpenSHMEM or `shmemx.h` that NVSHMEM has too differs in its prefix, in the type of a team's handle and
//! in that of a stream. What differs in more than that is in `host.h`, and in the library's `nvshmem.c`.

use crate::device::scoped;
use crate::routine::{Family, Prototype};
use crate::routines::{OF_HEADERS, SHMEMX, prototypes};
use std::collections::HashSet;

/// A name that is a call of another one, on the host and in kernels.
struct Name {
    returns: String,
    name: String,
    /// As in the header.
    parameters: String,
    /// What the library does; empty if the host has no such routine.
    host: String,
    /// What kernels do; empty if they have no such routine.
    device: String,
}

/// Routines of these names are declared in `host.h`, or NVSHMEM has none of them.
const OTHERWISE: [&str; 23] = [
    "shmem_init",
    "shmem_init_thread",
    "shmem_query_thread",
    "shmem_query_initialized",
    "shmem_finalize",
    "shmem_global_exit",
    "shmem_pe_accessible",
    "shmem_addr_accessible",
    "shmem_info_get_version",
    "shmem_info_get_name",
    "shmem_pcontrol",
    "shmem_ptr",
    "shmem_malloc",
    "shmem_calloc",
    "shmem_align",
    "shmem_realloc",
    "shmem_free",
    "shmem_malloc_with_hints",
    "shmem_team_get_config",
    "shmem_team_split_strided",
    "shmem_team_split_2d",
    "shmem_team_destroy",
    "shmem_team_ptr",
];
/// Parts of names that NVSHMEM does not have.
const NOT_THERE: [&str; 14] = [
    "ctx",
    "_lock",
    "longdouble",
    "complex",
    "scan",
    "alltoalls",
    "alltoallmemv",
    "_trigger_",
    "_ibput",
    "_ibget",
    "_pe_quiet",
    "_signal_exchange",
    "_put_task",
    "shmemx_array_",
];

fn is_there(p: &Prototype) -> bool {
    let is_collect = p.name.contains("collect") && !p.name.contains("fcollect");
    let is_atomic_nbi = p.name.contains("atomic") && p.name.ends_with("_nbi");
    let is_short =
        p.name.contains("_short_wait_until") || p.name.contains("_ushort_wait_until") || p.name.contains("short_test");
    !(OTHERWISE.contains(&p.name.as_str())
        || NOT_THERE.iter().any(|part| p.name.contains(part))
        || (p.deprecated && !is_short)
        || is_collect
        || is_atomic_nbi)
}

/// The operations on streams that NVSHMEM has too.
fn of_streams() -> Vec<Prototype> {
    let all = SHMEMX.iter().copied().flatten().flat_map(Family::prototypes);
    all.filter(|p| p.name.ends_with("_on_stream") && is_there(p)).collect()
}

fn arguments(parameters: &str, with: impl Fn(&str) -> Option<String>) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let of = |one: &str| {
        let name = &one[one.rfind(|c| !is_name(c)).map_or(0, |at| at + 1)..];
        with(one).unwrap_or_else(|| name.to_owned())
    };
    if parameters == "void" { String::new() } else { parameters.split(", ").map(of).collect::<Vec<_>>().join(", ") }
}

/// Passes a team's handle on.
fn forward(name: &str, parameters: &str) -> String {
    let team = |one: &str| one.strip_prefix("shmem_team_t ").map(|name| format!("team_of({name})"));
    format!("{name}({})", arguments(parameters, team))
}

fn translated(p: &Prototype) -> Name {
    let name = match p.name.strip_prefix("shmemx_") {
        Some(rest) => format!("nvshmemx_{rest}"),
        None => p.name.replacen("shmem_", "nvshmem_", 1),
    };
    let half = match &p.name {
        name if name.contains("_half_") => Some("__half"),
        name if name.contains("_bfloat16_") => Some("__nv_bfloat16"),
        _ => None,
    };
    let mut parameters =
        p.parameters.replace("shmem_team_t", "nvshmem_team_t").replace("void *stream", "cudaStream_t stream");
    if let Some(half) = half {
        parameters = parameters.replace("void *dest", &format!("{half} *dest"));
        parameters = parameters.replace("void *source", &format!("{half} *source"));
    }
    let call = forward(&p.name, &p.parameters);
    let device = match &p.name {
        _ if p.device.is_empty() => String::new(),
        name if name.ends_with("_p") => "shmem_impl_p(dest, value, pe)".to_owned(),
        name if name.ends_with("_g") => "shmem_impl_g(source, pe)".to_owned(),
        _ => call.clone(),
    };
    Name { returns: p.returns.clone(), name, parameters, host: call, device }
}

/// Everything that only forwards.
fn names() -> Vec<Name> {
    let host = prototypes().into_iter().filter(is_there).chain(of_streams());
    let mut names: Vec<Name> = host.map(|p| translated(&p)).collect();
    // One list may have what kernels do, and another one what the host does.
    let mut add = |new: Name| match names.iter_mut().find(|n| n.name == new.name) {
        Some(known) => {
            let or = |known: &mut String, new| *known = if known.is_empty() { new } else { std::mem::take(known) };
            or(&mut known.host, new.host);
            or(&mut known.device, new.device);
        }
        None => names.push(new),
    };
    halves().into_iter().chain(reduce_scatters()).chain(barriers()).for_each(&mut add);
    let specified: HashSet<String> = prototypes().into_iter().filter(|p| !p.deprecated).map(|p| p.name).collect();
    let is_extension = |by_thread: &str| !specified.contains(&by_thread.replacen("shmemx_", "shmem_", 1));
    for p in scoped().into_iter().filter(is_there) {
        let name = Name { host: String::new(), ..translated(&p) };
        // What only kernels have is an extension of OpenSHMEM for a thread too.
        if let Some(by_thread) = p.name.strip_suffix("_block").filter(|by| is_extension(by)) {
            let plain = by_thread.replacen("shmemx_", "nvshmem_", 1);
            let (returns, parameters) = (name.returns.clone(), name.parameters.clone());
            add(Name {
                returns,
                name: plain,
                parameters,
                host: String::new(),
                device: forward(by_thread, &p.parameters),
            });
        }
        add(name);
    }
    names
}

/// Whether kernels can call the routines of teams.
fn has_teams() -> bool {
    prototypes().iter().any(|p| p.name == "shmem_team_sync" && !p.device.is_empty())
}

/// The barrier of a team, and synchronisation under NVSHMEM's second name.
fn barriers() -> [Name; 2] {
    let team = |name: &str, host: &str, device: &str| Name {
        returns: "int".to_owned(),
        name: name.to_owned(),
        parameters: "nvshmem_team_t team".to_owned(),
        host: host.to_owned(),
        device: device.to_owned(),
    };
    let sync = "shmem_team_sync(team_of(team))";
    [
        team("nvshmem_barrier", "(shmem_quiet(), shmem_team_sync(team_of(team)))", ""),
        team("nvshmem_sync", sync, if has_teams() { sync } else { "" }),
    ]
}

const HALVES: [(&str, &str); 2] = [("half", "__half"), ("bfloat16", "__nv_bfloat16")];

/// Remote memory access by 16-bit floating-point types, and their collectives on the host.
fn halves() -> Vec<Name> {
    const COPY: &str = "TYPE *dest, const TYPE *source, size_t nelems, int pe";
    const STRIDED: &str = "TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe";
    const SIGNAL: &str =
        "TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe";
    const MOVE: &str = "nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems";
    const REDUCE: &str = "nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce";
    // The name's end, the parameters, and the call.
    let signal = "(dest, source, nelems * 2, sig_addr, signal, sig_op, pe";
    let rows = [
        ("put", COPY, "putmem", "(dest, source, nelems * 2, pe"),
        ("get", COPY, "getmem", "(dest, source, nelems * 2, pe"),
        ("put_nbi", COPY, "putmem_nbi", "(dest, source, nelems * 2, pe"),
        ("get_nbi", COPY, "getmem_nbi", "(dest, source, nelems * 2, pe"),
        ("put_signal", SIGNAL, "putmem_signal", signal),
        ("put_signal_nbi", SIGNAL, "putmem_signal_nbi", signal),
        ("iput", STRIDED, "iput16", "(dest, source, dst, sst, nelems, pe"),
        ("iget", STRIDED, "iget16", "(dest, source, dst, sst, nelems, pe"),
    ];
    let name = |returns: &str, name: String, parameters: String, host: String, device: String| Name {
        returns: returns.to_owned(),
        name,
        parameters,
        host,
        device,
    };
    let mut all = vec![];
    for (half, kind) in HALVES {
        let put = |text: &str| text.replace("TYPE", kind);
        for (end, parameters, called, with) in rows {
            let own = format!("shmem_{called}{with})");
            all.push(name("void", format!("nvshmem_{half}_{end}"), put(parameters), own.clone(), own));
            let on_stream = format!("{}, cudaStream_t stream", put(parameters));
            let call = format!("shmemx_{called}_on_stream{with}, stream)");
            all.push(name("void", format!("nvshmemx_{half}_{end}_on_stream"), on_stream, call, String::new()));
            for scope in ["warp", "block"] {
                let call = format!("shmemx_{called}_{scope}{with})");
                let named = format!("nvshmemx_{half}_{end}_{scope}");
                all.push(name("void", named, put(parameters), String::new(), call));
            }
        }
        let value = format!("{kind} *dest, const {kind} value, int pe");
        let bits = "shmem_ushort_p((unsigned short *)dest, BITS, pe)";
        let on_device = "shmem_impl_p((unsigned short *)dest, shmem_impl_bits_16(value), pe)".to_owned();
        all.push(name("void", format!("nvshmem_{half}_p"), value, bits.replace("BITS", "value.bits"), on_device));
        let value = format!("{kind} *dest, const {kind} value, int pe, cudaStream_t stream");
        let bits = "shmemx_ushort_p_on_stream((unsigned short *)dest, value.bits, pe, stream)".to_owned();
        all.push(name("void", format!("nvshmemx_{half}_p_on_stream"), value, bits, String::new()));
        let own = "(half_t){shmem_ushort_g((const unsigned short *)source, pe)}".to_owned();
        let device = format!("shmem_impl_of_16<{kind}>(shmem_impl_g((const unsigned short *)source, pe))");
        all.push(name(kind, format!("nvshmem_{half}_g"), format!("const {kind} *source, int pe"), own, device));
        let bytes = "(team_of(team), dest, source, nelems * 2";
        let rooted = format!("{}, int PE_root", put(MOVE));
        let host = format!("shmem_broadcastmem{bytes}, PE_root)");
        all.push(name("int", format!("nvshmem_{half}_broadcast"), rooted, host, String::new()));
        for end in ["fcollect", "alltoall"] {
            let host = format!("shmem_{end}mem{bytes})");
            all.push(name("int", format!("nvshmem_{half}_{end}"), put(MOVE), host, String::new()));
        }
        for op in ["min", "max", "sum", "prod"] {
            let host = format!("shmemx_{half}_{op}_reduce_on_stream(team_of(team), dest, source, nreduce, stream)");
            all.push(name("int", format!("nvshmem_{half}_{op}_reduce"), put(REDUCE), host, String::new()));
        }
    }
    all
}

/// On the host, the C API has them on streams only.
fn reduce_scatters() -> Vec<Name> {
    let on_streams = of_streams().into_iter().filter(|p| p.name.contains("_reducescatter_"));
    let plain = |p: Prototype| {
        let name = translated(&p);
        Name {
            name: name.name.replacen("nvshmemx_", "nvshmem_", 1).replace("_on_stream", ""),
            parameters: name.parameters.replace(", cudaStream_t stream", ""),
            ..name
        }
    };
    on_streams.map(plain).collect()
}

/// Whether the host has a name that needs CUDA's types.
fn is_half(name: &Name) -> bool {
    name.parameters.contains("__half") || name.parameters.contains("__nv_bfloat16")
}

/// Returns a status if a team or a root is wrong, where there is one.
fn checks(name: &Name) -> String {
    if name.returns != "int" {
        return String::new();
    }
    let is_number = name.name.starts_with("nvshmem_team_") && name.name.ends_with("_pe") || name.name.ends_with("_pes");
    let status = if is_number { "-1" } else { "NVSHMEMX_ERROR_INVALID_VALUE" };
    let check = |one: &str| match one.split_once(' ')? {
        ("nvshmem_team_t", team) => Some(format!("if (!is_team({team})) return {status}; ")),
        ("int", root @ "PE_root") => Some(format!("if (!is_root({root}, team)) return {status}; ")),
        _ => None,
    };
    name.parameters.split(", ").filter_map(check).collect()
}

/// What the library forwards, in C without CUDA.
pub fn nvshmem_library() -> String {
    let define = |n: &Name| {
        let plain = |text: &str| {
            let of_half = |text: &str, half: &str| {
                let text = text.replace(&format!("const {half} value"), "half_t value");
                text.replace(&format!("{half} *"), "void *").replace(half, "half_t")
            };
            HALVES
                .iter()
                .fold(text.replace("cudaStream_t stream", "void *stream"), |text, (_, half)| of_half(&text, half))
        };
        let body = if n.host.ends_with("stream)") && !n.parameters.contains("stream") {
            format!("ON_OWN_STREAM({})", n.host)
        } else if n.returns == "void" {
            n.host.clone()
        } else {
            format!("return {}", n.host)
        };
        // Behind the barrier, in which a PE may wait long, because the start has a limit.
        let is_barrier = ["nvshmem_barrier_all", "nvshmem_sync_all"].contains(&&*n.name);
        let (checks, start) = (checks(n), if is_barrier { " start_chosen();" } else { "" });
        format!("{} {}({}) {{ {checks}{body};{start} }}\n", plain(&n.returns), n.name, plain(&n.parameters))
    };
    let images = OF_HEADERS.iter().map(|name| {
        let (more, argument) = if name.contains("remove") { (", int cuda_error", ", cuda_error") } else { ("", "") };
        format!(
            "void {name}(const void *image{more});\nvoid nv{name}(const void *image{more}) {{ {name}(image{argument}); }}\n"
        )
    });
    names().iter().filter(|n| !n.host.is_empty()).map(define).chain(images).collect()
}

const VERSION: &str = include_str!("nvshmem/version.h");
const TYPES: &str = include_str!("nvshmem/types.h");
const HOST: &str = include_str!("nvshmem/host.h");
const DEVICE: &str = include_str!("nvshmem/device.cuh");
const LAUNCH: &str = include_str!("nvshmem/launch.h");
const TILE: &str = include_str!("nvshmem/tile.cuh");
const GROUPS: &str = include_str!("nvshmem/groups.cuh");
const TILE_KERNELS: &str = include_str!("nvshmem/tile_kernels.cuh");
const MAIN: &str = include_str!("nvshmem/nvshmem.h");

/// Headers of NVSHMEM that programs include; all of it is in `nvshmem.h`.
const FORWARDING: [&str; 17] = [
    "nvshmemx.h",
    "nvshmem_host.h",
    "host/nvshmem_api.h",
    "host/nvshmemx_api.h",
    "host/nvshmem_coll_api.h",
    "host/nvshmemx_coll_api.h",
    "device/nvshmem_defines.h",
    "device/nvshmemx_defines.h",
    "device/nvshmemx_collective_launch_apis.h",
    "device/nvshmem_coll_defines.cuh",
    "device/nvshmemx_coll_defines.cuh",
    "device/tile/nvshmemx_tile_api.hpp",
    "device/tile/nvshmemx_tile_api_defines.cuh",
    "device_host/nvshmem_types.h",
    "device_host/nvshmem_common.cuh",
    "device_host/nvshmem_tensor.h",
    "bootstrap_device_host/nvshmem_uniqueid.h",
];

/// The headers with NVSHMEM's names: paths below `nvshmem/include`, and texts.
pub fn nvshmem_headers() -> Vec<(&'static str, String)> {
    let version = |text: &str| text.replace("cushmem VERSION", concat!("cushmem ", env!("CARGO_PKG_VERSION")));
    let names = names();
    let declare = |n: &Name| {
        let place = match (n.host.is_empty(), n.device.is_empty()) {
            (false, false) => "NVSHMEM_IMPL_BOTH ",
            (false, true) => "",
            (true, _) => "NVSHMEM_IMPL_KERNEL ",
        };
        format!("{place}{} {}({});\n", n.returns, n.name, n.parameters)
    };
    let declared = |half, on_host| -> String {
        names.iter().filter(|n| is_half(n) == half && n.host.is_empty() != on_host).map(declare).collect()
    };
    let define = |n: &Name| {
        let back = if n.returns == "void" { "" } else { "return " };
        let place = if n.host.is_empty() { "NVSHMEM_IMPL_KERNEL" } else { "NVSHMEM_IMPL_BOTH" };
        format!(
            "{place} NVSHMEM_IMPL_INLINE {} {}({}) {{ {back}{}; }}\n",
            n.returns,
            n.name,
            n.parameters,
            n.device.replace("team_of(", "nvshmem_impl::team_of(").replace("shmem_impl_", "nvshmem_impl::")
        )
    };
    let defined: String = names.iter().filter(|n| !n.device.is_empty()).map(define).collect();
    let host = HOST.replace("@NAMES@\n", &declared(false, true)).replace("@HALVES@\n", &declared(true, true));
    let renamed = |before: &str| OF_HEADERS.map(|name| before.replace("NAME", name)).concat();
    let device = DEVICE
        .replace("@RENAMED@\n", &renamed("#define NAME nvNAME\n"))
        .replace("@NAMED@\n", &renamed("#undef NAME\n"))
        .replace("@DECLARATIONS@\n", &(declared(false, false) + &declared(true, false)))
        .replace("@DEFINITIONS@\n", &defined)
        .replace("@TEAMS@\n", if has_teams() { GROUPS } else { "" });
    let own = [
        ("nvshmem.h", MAIN.to_owned()),
        ("non_abi/nvshmem_version.h", VERSION.to_owned()),
        ("nvshmem_impl/types.h", version(TYPES)),
        ("nvshmem_impl/host.h", host),
        ("nvshmem_impl/device.cuh", device),
        ("nvshmem_impl/launch.h", LAUNCH.to_owned()),
        ("nvshmem_impl/tile.cuh", TILE.replace("@KERNELS@\n", if has_teams() { TILE_KERNELS } else { "" })),
    ];
    let forward = |name: &'static str| {
        let up = "../".repeat(name.matches('/').count());
        (
            name,
            format!(
                "/* All names are in nvshmem.h. `cargo xtask headers` writes this file. */\n#include \"{up}nvshmem.h\"\n"
            ),
        )
    };
    own.into_iter().chain(FORWARDING.map(forward)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Catches a header that was edited by hand, and a table that was changed without the headers.
    #[test]
    fn the_committed_headers_are_those_of_the_table() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../include/nvshmem"));
        for (name, text) in nvshmem_headers() {
            let committed = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            assert!(committed == text, "include/nvshmem/{name} is out of date: `cargo xtask headers` writes it");
        }
    }

    /// A name that is declared twice with different parameters does not compile.
    #[test]
    fn a_name_stands_once() {
        let names = names();
        let mut all: Vec<&str> = names.iter().map(|n| n.name.as_str()).collect();
        all.sort_unstable();
        let doubled: Vec<_> = all.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
    }
}
