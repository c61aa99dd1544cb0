//! `cargo xtask cxx`: writes the header of kernels in CUDA C++, `include/shmemx_device.cuh`, from the crate `device/cxx`
//! and the table of the C API.

mod body;
mod collectives;
mod ir;
pub mod library;
mod names;
pub mod nvcc;
#[cfg(test)]
mod tests;

use crate::ptx::Outcome;
use crate::ptx::emit::emit;
use crate::ptx::toolchain::Toolchain;
use crate::workspace::{Build, Workspace};
use anyhow::{Context, Result, bail};
use body::{Body, Function, Functions, body, functions};
use cushmem_abi::{
    ABI_VERSION, ARRAY_ELSEWHERE, ARRAY_WORDS, ArrayMode, CHUNK_BYTES, CTX_HANDLE_BITS, CommandKind, DeviceContext,
    GivenTask, KernelOperation, KernelWork, RING_CONTEXTS, TASK_EXECUTOR_WORDS, TASK_SHARED_WORDS, WordOp,
};
use cushmem_capi_table::{device_declarations, device_definitions, device_generics, device_grid_forms};
use std::fmt::Write as _;
use std::fs;
use std::mem::offset_of;

/// Options of `cargo xtask cxx`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Options {
    /// Compare with the file instead of writing it
    #[arg(long)]
    pub check: bool,
}

const CRATE: &str = "cushmem-cxx";
const FILE: &str = "include/shmemx_device.cuh";

/// Writes the header, or compares it with what the sources give.
pub fn cxx(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(Outcome::LeftOut(reason)),
    };
    let package = workspace.package(CRATE).with_context(|| format!("{CRATE} is no member of the workspace"))?;
    let [near, far] = [Build::Near, Build::Far].map(|build| emit(&workspace, &toolchain, package, build, &[]));
    let text = header(&near?, &far?)?;
    let path = workspace.root.join(FILE);
    if !options.check {
        fs::write(&path, text).with_context(|| format!("write {FILE}"))?;
        println!("{FILE} was written");
    } else if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
        bail!("{FILE} is not what the sources give: `cargo xtask cxx` writes it");
    }
    Ok(Outcome::Done)
}

/// How a function appears in the header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the kernel; the compiler may move it, or leave it out.
    Pure,
    /// In the kernel.
    Inline,
    /// Called.
    Call,
    /// Called by every unit, however it is compiled.
    Far,
    /// Called like [`Place::Call`], but of the build for jobs with PEs that are not mapped: with more than 64
    /// registers, it could not be linked with kernels for blocks of 1,024 threads.
    FarCall,
    /// Called, and it does not return.
    End,
}

/// How the names of functions start that ask the CPU for something: they are from the build for jobs with PEs that are
/// not mapped, and all others from the build for jobs without.
const FAR: &str = "far_";
/// How the names of functions start that only units with `SHMEMX_RECORDED` have. All units call them, like those that
/// ask the CPU.
const RECORD: &str = "record_";
/// How the names of functions start that units with this macro have instead of those without it.
const WIDE: &str = "wide_";

/// Whether a function is from the build for jobs with PEs that are not mapped.
fn is_far(name: &str) -> bool {
    [FAR, RECORD].iter().any(|start| name.starts_with(start))
}

fn place(name: &str) -> Place {
    const CALLED: [&str; 13] = [
        "wait_",
        "array_",
        "leave_",
        "test_many_",
        "barrier_",
        "sync_",
        "iput_",
        "iget_",
        "team_",
        "task_",
        "collective_",
        "reduce_short_",
        "fold_",
    ];
    match name {
        "reach" | "reach_atomics" | "scope_thread" | "scope_warp" | "scope_block" | "block_number" | "block_count" => {
            Place::Pure
        }
        "array_len" | "array_line_of" => Place::Pure,
        "task_head" | "task_place" | "task_store" => Place::Inline,
        _ if ["array_read_", "array_write_", "array_place_"].iter().any(|start| name.starts_with(start)) => {
            Place::Inline
        }
        _ if ["lane_", "in_chunks_"].iter().any(|start| name.starts_with(start)) => Place::Pure,
        "refuse_member" | "refuse_signal_op" | "refuse_strides" | "global_exit" => Place::End,
        "far_task_claim" | "far_array_apart" | "far_array_flush" => Place::FarCall,
        _ if is_far(name) => Place::Far,
        _ if CALLED.iter().any(|start| name.starts_with(start)) => Place::Call,
        _ => Place::Inline,
    }
}

/// The words of the kernels' context: their offsets, which the header asserts, their bits and their names.
const CONTEXT: [(usize, u32, &str); 24] = [
    (offset_of!(DeviceContext, abi_version), 32, "abi_version"),
    (offset_of!(DeviceContext, my_pe), 32, "my_pe"),
    (offset_of!(DeviceContext, n_pes), 32, "n_pes"),
    (offset_of!(DeviceContext, my_place), 32, "my_place"),
    (offset_of!(DeviceContext, direct_pes), 32, "direct_pes"),
    (offset_of!(DeviceContext, atomic_pes), 32, "atomic_pes"),
    (offset_of!(DeviceContext, far), 32, "far"),
    (offset_of!(DeviceContext, host.first), 32, "host_first"),
    (offset_of!(DeviceContext, host.count), 32, "host_count"),
    (offset_of!(DeviceContext, host.stride), 32, "host_stride"),
    (offset_of!(DeviceContext, gpu.first), 32, "gpu_first"),
    (offset_of!(DeviceContext, gpu.count), 32, "gpu_count"),
    (offset_of!(DeviceContext, gpu.stride), 32, "gpu_stride"),
    (offset_of!(DeviceContext, put_to_processor), 32, "put_to_processor"),
    (offset_of!(DeviceContext, processor), 64, "processor"),
    (offset_of!(DeviceContext, tables), 64, "tables"),
    (offset_of!(DeviceContext, sync_area), 64, "sync_area"),
    (offset_of!(DeviceContext, reports), 64, "reports"),
    (offset_of!(DeviceContext, ring), 64, "ring"),
    (offset_of!(DeviceContext, wait_limit_ns), 64, "wait_limit_ns"),
    (offset_of!(DeviceContext, get_to_processor), 32, "get_to_processor"),
    (offset_of!(DeviceContext, record_every), 32, "record_every"),
    (offset_of!(DeviceContext, record), 64, "record"),
    (offset_of!(DeviceContext, record_slots), 32, "record_slots"),
];

/// What the CPU can be asked for.
const OPERATIONS: [(&str, CommandKind); 10] = [
    ("SHMEM_IMPL_SET_BEHIND", CommandKind::SetBehind),
    ("SHMEM_IMPL_ADD_BEHIND", CommandKind::AddBehind),
    ("SHMEM_IMPL_FETCH", CommandKind::Word(WordOp::Fetch)),
    ("SHMEM_IMPL_SET", CommandKind::Word(WordOp::Set)),
    ("SHMEM_IMPL_COMPARE_SWAP", CommandKind::Word(WordOp::CompareSwap)),
    ("SHMEM_IMPL_SWAP", CommandKind::Word(WordOp::Swap)),
    ("SHMEM_IMPL_ADD", CommandKind::Word(WordOp::Add)),
    ("SHMEM_IMPL_AND", CommandKind::Word(WordOp::And)),
    ("SHMEM_IMPL_OR", CommandKind::Word(WordOp::Or)),
    ("SHMEM_IMPL_XOR", CommandKind::Word(WordOp::Xor)),
];

/// The part for contexts.
fn contexts() -> String {
    // Beside the default one.
    let number = format!("OTHER_CONTEXTS = {}", RING_CONTEXTS - 1);
    include_str!("contexts.cuh").replace("@CONTEXTS@", &number)
}

fn header(near: &str, far: &str) -> Result<String> {
    let fields = CONTEXT.iter().map(|(_, bits, name)| format!("    u{bits} {name};\n")).collect();
    let offsets = CONTEXT.iter().map(|(offset, _, name)| {
        format!("static_assert(__builtin_offsetof(context_t, {name}) == {offset}, \"the library's offset\");\n")
    });
    let operations = OPERATIONS.map(|(name, op)| format!("{name} = {}", op.number())).join(", ");
    let parts = [
        ("@VERSION@", ABI_VERSION.to_string()),
        ("@BYTES@", size_of::<DeviceContext>().to_string()),
        ("@FIELDS@\n", fields),
        ("@OFFSETS@\n", offsets.collect()),
        ("@OPERATIONS@", operations),
        ("@CHUNK@", CHUNK_BYTES.to_string()),
        ("@CTX_BITS@", CTX_HANDLE_BITS.to_string()),
        ("@TASKS@", tasks()),
        ("@ARRAYS@", arrays()),
        ("@FAR_BODIES@\n", bodies(far, true)?),
        ("@BODIES@\n", bodies(near, false)?),
        (
            "@USES@\n",
            include_str!("operations.cuh").to_owned()
                + include_str!("tasks.cuh")
                + &collectives::collectives(&functions(near)?)
                + &contexts()
                + include_str!("cached_arrays.cuh"),
        ),
        ("@RECORDED@\n", recorded(&functions(near)?)),
        ("@DECLARATIONS@\n", device_declarations()),
        ("@DEFINITIONS@\n", device_definitions()),
        ("@GRID_FORMS@\n", device_grid_forms()),
        ("@GENERICS@\n", device_generics()),
    ];
    let text =
        parts.into_iter().fold(include_str!("frame.cuh").to_owned(), |text, (mark, part)| text.replace(mark, &part));
    Ok(names::hidden(&text))
}

/// The part for units that record what their kernels do.
fn recorded(functions: &Functions) -> String {
    let numbers =
        KernelOperation::ALL.iter().map(|op| format!("recorded_{} = {}", op.name().replace('-', "_"), *op as u8));
    let numbers = numbers.chain([format!("recorded_no_pe = {:#x}u", KernelWork::NO_PE)]).collect::<Vec<_>>().join(", ");
    let waits: String = [("u16", 2), ("i16", 2), ("u32", 4), ("i32", 4), ("u64", 8), ("i64", 8)]
        .map(|(name, bytes)| format!("SHMEM_IMPL_WAIT({name}, {bytes})\n"))
        .concat();
    include_str!("recorded.cuh")
        .replace("@NUMBERS@", &numbers)
        .replace("@WAITS@\n", &waits)
        .replace("@REDUCTIONS@\n", &collectives::reductions(functions))
}

/// Numbers of puts with a task.
fn tasks() -> String {
    let numbers = [("SHARED", TASK_SHARED_WORDS), ("OWN", TASK_EXECUTOR_WORDS), ("BYTES", size_of::<GivenTask>())];
    numbers.map(|(name, number)| format!("SHMEM_IMPL_TASK_{name} = {number}")).join(", ")
}

/// Numbers of cached arrays.
fn arrays() -> String {
    let modes = [("READS", ArrayMode::ReadOnly), ("WRITES", ArrayMode::ReadWrite), ("ADDS", ArrayMode::Accumulate)];
    let modes = modes.map(|(name, mode)| format!(", SHMEM_IMPL_{name} = {}", mode as u32)).concat();
    format!("SHMEM_IMPL_ARRAY_WORDS = {ARRAY_WORDS}, SHMEM_IMPL_ELSEWHERE = {ARRAY_ELSEWHERE}u{modes}")
}

/// The functions of C++ for those in the PTX that are from the build for jobs with PEs that are not mapped, or for the
/// others.
fn bodies(ptx: &str, are_far: bool) -> Result<String> {
    let functions = functions(ptx)?;
    let define = |name: &str, of: &str| {
        let body = body(&functions, of, are_far).with_context(|| format!("convert {of}"))?;
        definition(name, &functions[of], &body)
    };
    let either = |name: &String| {
        if name.starts_with(RECORD) {
            return Ok(format!("#ifdef SHMEMX_RECORDED\n{}#endif\n", define(name, name)?));
        }
        let (usual, wide) = (define(name, name)?, format!("{WIDE}{name}"));
        if !functions.contains_key(&wide) {
            return Ok(usual);
        }
        Ok(format!("#ifdef SHMEMX_WIDE\n{}#else\n{usual}#endif\n", define(name, &wide)?))
    };
    // The others are called by these. Their names are mangled.
    let named = functions.keys().filter(|name| !name.starts_with('_') && !name.starts_with(WIDE));
    named.filter(|name| is_far(name) == are_far).map(either).collect()
}

/// A word of the context, or half of one, in C++.
fn context_word(offset: usize, bits: u32) -> Result<String> {
    let field = |at, width| CONTEXT.iter().find(|known| (known.0, known.1) == (at, width)).map(|known| known.2);
    let half = |at, shift| field(at, 64).filter(|_| bits == 32).map(|name| format!("(u32)(context.{name} >> {shift})"));
    let whole = field(offset, bits).map(|name| format!("context.{name}"));
    whole
        .or_else(|| half(offset, 0))
        .or_else(|| half(offset.wrapping_sub(4), 32))
        .with_context(|| format!("the context has no word of {bits} bits at {offset}"))
}

/// A function of C++ that contains the body.
fn definition(name: &str, function: &Function, body: &Body) -> Result<String> {
    let place = place(name);
    let is_far = matches!(place, Place::Far | Place::FarCall);
    let (space, prefix) = if is_far { ("shmem_impl_device::", "shmem_impl_") } else { ("", "") };
    let kind = |bits: &u32| format!("{space}{}", if *bits == 64 { "u64" } else { "u32" });
    let letter = |bits: &u32| if *bits == 64 { 'l' } else { 'r' };
    let result = match &function.results[..] {
        [] => "void".to_owned(),
        [bits] => kind(bits),
        _ => format!("{space}looked"),
    };
    let parameters: Vec<_> =
        function.parameters.iter().enumerate().map(|(i, bits)| format!("{} p{i}", kind(bits))).collect();
    // The text may still read operands after it has written a result.
    let outputs = match &function.results[..] {
        [] => String::new(),
        [bits] => format!("\"=&{}\"(result)", letter(bits)),
        _ => "\"=&l\"(result.word), \"=&l\"(result.found)".to_owned(),
    };
    let mut inputs: Vec<_> =
        function.parameters.iter().enumerate().map(|(i, bits)| format!("\"{}\"(p{i})", letter(bits))).collect();
    for (offset, bits) in &body.context {
        inputs.push(format!("\"{}\"({})", letter(bits), context_word(*offset as usize, *bits)?));
    }
    if is_far {
        inputs.push(format!("\"l\"(&{space}context)"));
    }
    let head = match place {
        Place::Pure | Place::Inline => "SHMEM_IMPL_INLINE",
        Place::Call | Place::FarCall => "SHMEM_IMPL_CALLED",
        Place::Far => "SHMEM_IMPL_FAR",
        Place::End => "SHMEM_IMPL_END",
    };
    let (volatile, clobbers) = if place == Place::Pure { ("", "") } else { (" volatile", " : \"memory\"") };
    let mut text = format!("{head} {result} {prefix}{name}({}) {{\n", parameters.join(", "));
    if is_far || matches!(place, Place::Call | Place::End) {
        let _ = writeln!(text, "    {space}told();");
    }
    if result != "void" {
        let _ = writeln!(text, "    {result} result;");
    }
    let _ = writeln!(
        text,
        "    asm{volatile}(\n{}        : {outputs} : {}{clobbers});",
        strings(&body.text),
        inputs.join(", ")
    );
    text += match place {
        Place::End => "    __builtin_unreachable();\n",
        _ if result != "void" => "    return result;\n",
        _ => "",
    };
    Ok(text + "}\n")
}

/// The most columns of a string.
const COLUMNS: usize = 160;

/// The lines as strings of C, as many in each as there is room for.
fn strings(text: &str) -> String {
    let (mut all, mut now, text) = (String::new(), String::new(), text.replace('"', "\\\""));
    for line in text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        if !now.is_empty() && now.len() + line.len() > COLUMNS {
            let _ = writeln!(all, "        \"{now} \"");
            now.clear();
        }
        if !now.is_empty() {
            now.push(' ');
        }
        now += &line;
    }
    let _ = writeln!(all, "        \"{now}\"");
    all
}
