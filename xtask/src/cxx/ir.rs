//! The device library as text of LLVM's language, which older and newer versions read than rustc's (tried: those of
//! Triton 3.4, 3.6 and 3.9): such compilers link it into kernels.

use anyhow::{Context, Result, ensure};
use cushmem_abi::{CONTEXT_SYMBOL, DeviceContext, VERSION_SYMBOL};

/// What LLVM 22 writes and older versions do not read. Nothing depends on it.
const NEW: [&str; 3] = [" nocreateundeforpoison", ", target_mem0: none", ", target_mem1: none"];

/// How device code reads a word of the context (`device/src/arch/nvptx/context.rs`).
const READ: &str = "@llvm.nvvm.read.ptx.sreg.envreg";

/// Turns what rustc writes into text for all of them. What the crate says in PTX, its context and version, become
/// variables: CuTe DSL links the text once for each function that a kernel names, and would define them as often.
/// `externally_initialized` keeps LLVM from reading the context's zeros at compile time. What stands for reads of the
/// context becomes loads of it, which LLVM may move and merge.
pub fn portable(emitted: &str) -> Result<String> {
    let (mut text, mut found) = (String::with_capacity(emitted.len()), 0);
    let numbers = emitted.lines().filter_map(|line| line.strip_prefix('!')?.split_once(" = ")?.0.parse::<u32>().ok());
    let nothing = numbers.max().map_or(0, |last| last + 1);
    for line in emitted.lines() {
        if let Some(ptx) = line.strip_prefix("module asm \"").and_then(|rest| rest.strip_suffix('"')) {
            let words: Vec<&str> = ptx.split_whitespace().collect();
            let defines = |symbol: &str| words.iter().any(|word| word.starts_with(symbol));
            if defines(CONTEXT_SYMBOL) {
                text += &context(ptx)?;
            } else {
                ensure!(defines(VERSION_SYMBOL), "a statement for the assembler that is not known: {ptx}");
                let version: u32 = after(ptx, "= ", ";")?.parse()?;
                text +=
                    &format!("@{VERSION_SYMBOL} = addrspace(1) externally_initialized global i32 {version}, align 4\n");
            }
            found += 1;
            continue;
        }
        // These name a file that is there no more.
        if line.starts_with("; ModuleID") || line.starts_with("source_filename") {
            continue;
        }
        if let Some((before, number)) = line.split_once(READ) {
            if !before.starts_with("declare ") {
                text += &load(before, number, nothing)?;
            }
            continue;
        }
        if line.starts_with("attributes #") {
            let line = NEW.iter().fold(line.to_owned(), |line, new| line.replace(new, ""));
            ensure!(!line.contains("target_mem"), "an attribute that only LLVM 22 reads: {line}");
            text += &line;
        } else {
            text += line;
        }
        text.push('\n');
    }
    ensure!(found == 2, "{CONTEXT_SYMBOL} and {VERSION_SYMBOL} are not both defined");
    let used = [(4, CONTEXT_SYMBOL), (1, VERSION_SYMBOL)]
        .map(|(space, symbol)| format!("ptr addrspacecast (ptr addrspace({space}) @{symbol} to ptr)"));
    let used = used.join(", ");
    text += &format!("@llvm.used = appending global [2 x ptr] [{used}], section \"llvm.metadata\"\n");
    text += &format!("!{nothing} = !{{}}\n");
    Ok(text)
}

/// LLVM's name of a block's barrier, and the one before, which libNVVM 13.0 and later know.
const BARRIERS: [(&str, &str); 2] = [
    ("@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", "@llvm.nvvm.barrier0()"),
    ("@llvm.nvvm.barrier.cta.sync.aligned.all(i32)", "@llvm.nvvm.barrier0()"),
];

/// The layout that libNVVM's manual asks for.
const LAYOUT: &str = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-\
     v32:32:32-v64:64:64-v128:128:128-n16:32:64";

/// Turns portable text into what libNVVM takes.
pub fn for_nvvm(portable: &str) -> Result<String> {
    let mut text = String::with_capacity(portable.len());
    let (mut numbers, mut layouts) = (0, 0);
    for line in portable.lines() {
        if let Some(number) = line.strip_prefix('!').and_then(|rest| rest.split_once(" = ")?.0.parse::<u32>().ok()) {
            numbers = numbers.max(number + 1);
        }
        if line.starts_with("target datalayout = ") {
            text += &format!("target datalayout = \"{LAYOUT}\"\n");
            layouts += 1;
            continue;
        }
        let line = BARRIERS.iter().fold(line.to_owned(), |line, (new, old)| line.replace(new, old));
        // What it does not know becomes a function that nobody defines, and ptxas then refuses the name.
        ensure!(!line.contains("@llvm.nvvm.barrier.cta"), "a barrier that libNVVM may not know: {line}");
        text += &line;
        text.push('\n');
    }
    ensure!(layouts == 1, "{layouts} lines with a layout of data");
    text += &format!("!nvvmir.version = !{{!{numbers}}}\n!{numbers} = !{{i32 2, i32 0, i32 3, i32 2}}\n");
    Ok(text)
}

/// The load of a word for a line `%name = … call … i32 @….envregNUMBER()…`. The metadata says that the word never
/// changes while the kernel runs.
fn load(before: &str, number: &str, nothing: u32) -> Result<String> {
    let (name, _) = before.split_once(" = ").context("a read of the context without a name")?;
    let number: u32 = number.split('(').next().unwrap_or_default().parse()?;
    ensure!(4 * number as usize + 4 <= size_of::<DeviceContext>(), "word {number} is not in the context");
    let word = format!("getelementptr (i8, ptr addrspace(4) @{CONTEXT_SYMBOL}, i64 {})", 4 * number);
    Ok(format!("{name} = load i32, ptr addrspace(4) {word}, align 4, !invariant.load !{nothing}\n"))
}

/// The variable for `.visible .const .align 16 .b8 NAME[BYTES] = {…};`.
fn context(ptx: &str) -> Result<String> {
    let bytes: usize = after(ptx, &format!("{CONTEXT_SYMBOL}["), "]")?.parse()?;
    let values = after(ptx, "{", "}")?.split(',').map(|value| value.trim().parse());
    let mut values: Vec<u8> = values.collect::<Result<_, _>>().with_context(|| format!("bytes of {ptx}"))?;
    ensure!(values.len() <= bytes, "more than {bytes} bytes: {ptx}");
    values.resize(bytes, 0);
    let values: Vec<String> = values.iter().map(|value| format!("i8 {value}")).collect();
    let values = values.join(", ");
    Ok(format!("@{CONTEXT_SYMBOL} = addrspace(4) externally_initialized global [{bytes} x i8] [{values}], align 16\n"))
}

/// What is between two marks.
fn after<'a>(text: &'a str, begin: &str, end: &str) -> Result<&'a str> {
    let found = text.split_once(begin).and_then(|(_, rest)| rest.split_once(end));
    Ok(found.with_context(|| format!("nothing between {begin:?} and {end:?}: {text}"))?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMITTED: &str = r#"; ModuleID = 'cushmem_device_library.1'
source_filename = "cushmem_device_library.1"
target triple = "nvptx64-nvidia-cuda"

module asm ".visible .const .align 16 .b8 cushmem_context[6] = {0,0,255};"
module asm ".visible .global .align 4 .u32 cushmem_abi_version = 13;"

define i32 @shmem_my_pe() #0 {
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.envreg1() #3, !srcloc !4
  ret i32 %1
}
declare noundef i32 @llvm.nvvm.read.ptx.sreg.envreg1() #1
attributes #0 = { nocallback nocreateundeforpoison nofree memory(argmem: read, target_mem0: none) }
!4 = !{i64 7}
"#;

    const PORTABLE: &str = r#"target triple = "nvptx64-nvidia-cuda"

@cushmem_context = addrspace(4) externally_initialized global [6 x i8] [i8 0, i8 0, i8 255, i8 0, i8 0, i8 0], align 16
@cushmem_abi_version = addrspace(1) externally_initialized global i32 13, align 4

define i32 @shmem_my_pe() #0 {
  %1 = load i32, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @cushmem_context, i64 4), align 4, !invariant.load !5
  ret i32 %1
}
attributes #0 = { nocallback nofree memory(argmem: read) }
!4 = !{i64 7}
@llvm.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @cushmem_context to ptr), ptr addrspacecast (ptr addrspace(1) @cushmem_abi_version to ptr)], section "llvm.metadata"
!5 = !{}
"#;

    #[test]
    fn what_only_one_version_reads_goes() {
        assert_eq!(portable(EMITTED).expect("text"), PORTABLE);
    }

    #[test]
    fn libnvvm_gets_its_layout_version_and_barrier() {
        let text = "target datalayout = \"e-p6:32:32\"\n\
            declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1\n\
            \x20 tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !noalias !3\n\
            !3 = !{}\n";
        let expected = format!(
            "target datalayout = \"{LAYOUT}\"\n\
            declare void @llvm.nvvm.barrier0() #1\n\
            \x20 tail call void @llvm.nvvm.barrier0(), !noalias !3\n\
            !3 = !{{}}\n!nvvmir.version = !{{!4}}\n!4 = !{{i32 2, i32 0, i32 3, i32 2}}\n"
        );
        assert_eq!(for_nvvm(text).expect("text"), expected);
        let other = text.replace("(i32 0)", "(i32 1)");
        let why = for_nvvm(&other).expect_err("another barrier").to_string();
        assert!(why.starts_with("a barrier that libNVVM may not know:"), "{why}");
        assert_eq!(for_nvvm("").expect_err("no layout").to_string(), "0 lines with a layout of data");
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        let strange = EMITTED.replace(
            "module asm \".visible .global",
            "module asm \".weak .global other\"\nmodule asm \".visible .global",
        );
        let why = portable(&strange).expect_err("a third statement").to_string();
        assert_eq!(why, "a statement for the assembler that is not known: .weak .global other");
        let why = portable(&EMITTED.replace("[6]", "[2]")).expect_err("three bytes").to_string();
        assert!(why.starts_with("more than 2 bytes: .visible"), "{why}");
        let why = portable("define void @a()\n").expect_err("nothing is defined").to_string();
        assert_eq!(why, "cushmem_context and cushmem_abi_version are not both defined");
    }
}
