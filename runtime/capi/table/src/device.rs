//! The names of routines in kernels, for the header of CUDA C++.

use crate::header::NORETURN;
use crate::routine::{Family, Prototype};
use crate::routines::{KERNEL, SHMEMX, prototypes};

/// The scopes whose lanes can call a routine together, other than a thread.
const SCOPES: [&str; 2] = ["warp", "block"];

/// The header of kernels, which `cargo xtask cxx` writes.
pub const DEVICE_HEADER: (&str, &str) = ("shmemx_device.cuh", include_str!("../../../../include/shmemx_device.cuh"));

/// Declares what only kernels have, such as the forms for warps and blocks.
pub fn device_declarations() -> String {
    let declare = |p: &Prototype| format!("__device__ {} {}({});\n", p.returns, p.name, p.parameters);
    of_kernels().iter().chain(&scoped()).map(declare).collect()
}

/// Defines all names for kernels.
pub fn device_definitions() -> String {
    let define = |p: &Prototype, place| {
        let back = if p.returns.ends_with("void") { "" } else { "return " };
        let body = p.device.replace("SCOPE", "thread").replace('@', "shmem_impl_device::");
        let called = match body.split_once(" = ") {
            Some((result, call)) => format!("{result} = SHMEM_IMPL_CALLS::{call}"),
            None => format!("{back}SHMEM_IMPL_CALLS::{body}"),
        };
        let returns = p.returns.trim_start_matches(NORETURN);
        format!("{place} {returns} {}({}) {{ {called}; }}\n", p.name, p.parameters)
    };
    let all: String = with_host().iter().map(|p| define(p, "SHMEM_IMPL_BOTH")).collect();
    all + &of_kernels().iter().chain(&scoped()).map(|p| define(p, "SHMEM_IMPL_KERNEL")).collect::<String>()
}

/// Defines the forms for grids. They are templates: the grid comes from CUDA's cooperative groups, whose header is
/// included only by programs that launch such kernels. The host's compiler needs definitions too, so it has empty ones.
pub fn device_grid_forms() -> String {
    let form = |p: &Prototype| {
        let body = p.device.replace('@', "shmem_impl_device::");
        let head = "template <class SHMEM_IMPL_GRID> __device__ __forceinline__";
        format!("{head} {} {}({}) {{ SHMEM_IMPL_OF_GRID({body}); }}\n", p.returns, p.name, p.parameters)
    };
    of_grids().iter().map(form).collect()
}

/// Kernels that call each name once, for a compiler of CUDA C++.
pub fn device_calls() -> String {
    with_host().iter().chain(&of_kernels()).chain(&scoped()).map(call).collect()
}

/// The same for the forms for grids, with a grid of this type.
pub fn device_grid_calls(grid: &str) -> String {
    of_grids().iter().map(|p| call(p).replace("SHMEM_IMPL_GRID", grid)).collect()
}

/// A kernel that passes its parameters on to a routine.
fn call(p: &Prototype) -> String {
    let parameters = if p.parameters == "void" { "" } else { &p.parameters };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let arguments = parameters.split(", ").map(|one| &one[one.rfind(|c| !is_name(c)).map_or(0, |at| at + 1)..]);
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    format!("__global__ void call_{0}({parameters}) {{ {0}({arguments}); }}\n", p.name)
}

/// Routines that the host has too.
fn with_host() -> Vec<Prototype> {
    let extensions = SHMEMX.iter().copied().flatten().flat_map(Family::prototypes);
    prototypes().into_iter().chain(extensions).filter(|p| !p.device.is_empty()).collect()
}

/// Routines that only kernels have.
fn of_kernels() -> Vec<Prototype> {
    KERNEL.iter().flat_map(Family::prototypes).collect()
}

/// The forms for warps and blocks.
pub(crate) fn scoped() -> Vec<Prototype> {
    let of = |p: Prototype| SCOPES.map(|scope| by(&p, scope));
    with_host().into_iter().chain(of_kernels()).filter(|p| p.device.contains("SCOPE")).flat_map(of).collect()
}

/// The forms for grids: of barriers and of the routines that all members of a team call.
fn of_grids() -> Vec<Prototype> {
    let is_of_all = |p: &Prototype| {
        let is_of_team = p.device.contains("@scope_SCOPE(), ") && p.parameters.contains("shmem_team_t team");
        is_of_team || p.device.contains("_all_SCOPE()")
    };
    let of = |p: Prototype| {
        let parameters = if p.parameters == "void" { String::new() } else { format!(", {}", p.parameters) };
        let device = p.device.replace("SCOPE()", "SCOPE(grid)");
        by(&Prototype { device, parameters: format!("SHMEM_IMPL_GRID grid{parameters}"), ..p }, "grid")
    };
    with_host().into_iter().chain(of_kernels()).filter(is_of_all).map(of).collect()
}

/// The form of a routine for a scope.
fn by(p: &Prototype, scope: &str) -> Prototype {
    let name = format!("{}_{scope}", p.name.replacen("shmem_", "shmemx_", 1));
    Prototype { name, device: p.device.replace("SCOPE", scope), ..p.clone() }
}
