//! `cargo xtask device-library`: makes `libcushmem_device`, OpenSHMEM's routines for kernels that are linked, from the
//! crate `device/library`. As text of LLVM's language and as bitcode it is for Triton and other compilers that have
//! LLVM; as PTX and as a fat binary for nvJitLink and the CUDA driver; and as an archive for `nvcc -rdc=true`. The fat
//! binary also has LTO-IR, which nvJitLink makes part of kernels for GPUs since Blackwell if they are LTO-IR too.

use super::ir::{for_nvvm, portable};
use super::nvcc::Nvcc;
use crate::build::{Profile, bin_dir};
use crate::process::run;
use crate::ptx::Outcome;
use crate::ptx::emit::with_context;
use crate::ptx::toolchain::Toolchain;
use crate::workspace::{Build, Workspace};
use anyhow::{Context, Result, ensure};
use cushmem_abi::{CONTEXT_SYMBOL, VERSION_SYMBOL};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of `cargo xtask device-library`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Put it beside the library of release mode
    #[arg(long)]
    pub release: bool,
    /// Compare the text with the committed digest, and make nothing else
    #[arg(long, conflicts_with = "release")]
    pub check: bool,
    /// Commit to the text: write its digest
    #[arg(long, conflicts_with_all = ["release", "check"])]
    pub digest: bool,
}

const CRATE: &str = "cushmem-device-library";
/// The library's name in all its forms.
pub const NAME: &str = "libcushmem_device";
/// The bitcode needs LLVM's assembler, and the last two forms nvcc.
pub const FORMS: [&str; 5] = ["ptx", "ll", "bc", "fatbin", "a"];

/// The GPUs for which there is machine code. Others compile the PTX.
const GPUS: [&str; 3] = ["80", "90", "100"];
/// The one of the PTX.
const OLDEST: &str = "80";
/// The oldest one of LTO-IR: for those before, libNVVM does not read the language of LLVM that rustc writes.
const OPTIMISED: &str = "100";
/// A kernel gets the registers of the hungriest function that it calls. With these, kernels of 1,024 threads can call
/// all of them, also if two blocks are to fit.
const REGISTERS: &str = "-maxrregcount=32";

/// What the text is compared with. The text has 6 MB, and would be another one with each change of a protocol, so only
/// its digest is committed: it tells as surely that the text is what the sources and the pinned compiler make.
const DIGEST: &str = "device/library/digest.toml";
const DIGEST_HEAD: &str = "\
# The SHA-256 of libcushmem_device.ll. `cargo xtask device-library --digest` writes this file; `cargo xtask ci` compares
# it with what the pinned compiler makes of the sources.
";

/// Makes all forms beside `libcushmem.so`, and says which ones it had to leave out.
pub fn device_library(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    if options.check || options.digest {
        return digest(&workspace, options.check);
    }
    let profile = if options.release { Profile::Release } else { Profile::Dev };
    let folder = bin_dir(&workspace.target, profile).join(crate::library::FOLDER).join("lib");
    let nvcc = Nvcc::find(&workspace.target.join("tools"));
    let left_out = make(&workspace, nvcc.as_ref().map_err(String::as_str), &GPUS, &folder)?;
    println!("{}: {NAME}", folder.display());
    Ok(if left_out.is_empty() { Outcome::Done } else { Outcome::LeftOut(left_out.join("; ")) })
}

/// Makes the forms for which there are tools in a folder, with machine code for these GPUs. Returns which forms are
/// left out, and why.
pub fn make(workspace: &Workspace, nvcc: Result<&Nvcc, &str>, gpus: &[&str], folder: &Path) -> Result<Vec<String>> {
    let form = |form: &str| folder.join(format!("{NAME}.{form}"));
    // What cannot be made again must not be that of an older version.
    for old in FORMS.map(form) {
        let _ = fs::remove_file(old);
    }
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(vec![format!("all of {NAME}: {reason}")]),
    };
    let parts = emit(workspace, &toolchain)?;
    fs::create_dir_all(folder).with_context(|| format!("make {}", folder.display()))?;
    let emitted = fs::read_to_string(&parts.ptx).with_context(|| format!("read {}", parts.ptx.display()))?;
    let ptx = hide_helpers(&with_context(&emitted)?);
    fs::write(form("ptx"), &ptx)?;
    let ir = fs::read_to_string(&parts.ir).with_context(|| format!("read {}", parts.ir.display()))?;
    fs::write(form("ll"), portable(&ir)?)?;
    let mut left_out = Vec::new();
    match toolchain.llvm_as() {
        // It also checks the text.
        Ok(mut assemble) => run(assemble.arg(form("ll")).arg("-o").arg(form("bc")))?,
        Err(why) => left_out.push(format!("{NAME}.bc: {why}")),
    }
    let nvcc = match nvcc {
        Ok(nvcc) => nvcc,
        Err(why) => {
            left_out.push(format!("{NAME}.fatbin and {NAME}.a: {why}"));
            return Ok(left_out);
        }
    };
    let work = parts.ptx.parent().context("a file lies in a folder")?;
    left_out.extend(fat_binary(work, nvcc, gpus, &form)?);
    // In the archive, an object of C++ has the context, because it also tells the library of it. Symbols are hidden:
    // each program or library with the archive has a context of its own.
    fs::write(work.join("cushmem_device.ptx"), without_context(&ptx)?)?;
    fs::write(work.join("cushmem_context.cu"), include_str!("library.cu"))?;
    for [source, object, bound] in [
        ["cushmem_device.ptx", "cushmem_device.o", REGISTERS],
        ["cushmem_context.cu", "cushmem_context.o", "-std=c++14"],
    ] {
        let mut compile = nvcc.command();
        compile.current_dir(work).args(["-dc", bound, "-Xcompiler", "-fPIC,-fvisibility=hidden"]);
        for gpu in gpus {
            compile.arg(format!("-gencode=arch=compute_{gpu},code=sm_{gpu}"));
        }
        compile.arg(format!("-gencode=arch=compute_{OLDEST},code=compute_{OLDEST}"));
        run(compile.arg("-I").arg(workspace.root.join("include")).args([source, "-o", object]))?;
    }
    let archive = form("a");
    let _ = fs::remove_file(&archive);
    run(Command::new("ar").current_dir(work).arg("rcs").arg(&archive).args(["cushmem_device.o", "cushmem_context.o"]))?;
    Ok(left_out)
}

/// Compares the committed digest with that of the text, or writes it.
fn digest(workspace: &Workspace, check: bool) -> Result<Outcome> {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(Outcome::LeftOut(format!("{NAME}.ll: {reason}"))),
    };
    let path = workspace.root.join(DIGEST);
    let parts = emit(workspace, &toolchain)?;
    let ir = fs::read_to_string(&parts.ir).with_context(|| format!("read {}", parts.ir.display()))?;
    let new = digest_of(&portable(&ir)?);
    if !check {
        fs::write(&path, new).with_context(|| format!("write {DIGEST}"))?;
        println!("{DIGEST} was written");
        return Ok(Outcome::Done);
    }
    let old = fs::read_to_string(&path).with_context(|| format!("read {DIGEST}"))?;
    ensure!(old == new, "{NAME}.ll is not that of {DIGEST}; `cargo xtask device-library --digest` writes it");
    println!("{DIGEST}: up to date");
    Ok(Outcome::Done)
}

/// The committed file for a text.
fn digest_of(text: &str) -> String {
    let digits: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{DIGEST_HEAD}sha256 = \"{digits}\"\n")
}

/// Makes the fat binary of the PTX, machine code and, if there is libNVVM, LTO-IR; else says why it has none.
fn fat_binary(work: &Path, nvcc: &Nvcc, gpus: &[&str], form: &impl Fn(&str) -> PathBuf) -> Result<Option<String>> {
    let ptx = form("ptx");
    let mut images = vec![format!("--image3=kind=ptx,sm={OLDEST},file={}", ptx.display())];
    for gpu in gpus {
        let code = work.join(format!("sm_{gpu}.cubin"));
        run(nvcc
            .command()
            .args(["-cubin", "-rdc=true", REGISTERS])
            .arg(format!("-arch=sm_{gpu}"))
            .arg(&ptx)
            .arg("-o")
            .arg(&code))?;
        images.push(format!("--image3=kind=elf,sm={gpu},file={}", code.display()));
    }
    let nvvm = nvcc.nvvm();
    if let Some(nvvm) = &nvvm {
        let code = work.join("lto_ir");
        lto_ir(work, nvvm, &form("ll"), &code)?;
        images.push(format!("--image3=kind=nvvm,sm={OPTIMISED},file={}", code.display()));
    }
    // Options with which nvJitLink and the driver compile the PTX.
    let compiled = format!("--cmdline=--compile-only {REGISTERS}");
    run(nvcc
        .fatbinary()
        .arg(format!("--create={}", form("fatbin").display()))
        .args(["-64", "--device-c", &compiled])
        .args(images))?;
    Ok(nvvm.is_none().then(|| format!("LTO-IR in {NAME}.fatbin: there is no libNVVM beside nvcc")))
}

/// Makes LTO-IR of the portable text.
fn lto_ir(work: &Path, nvvm: &Path, text: &Path, to: &Path) -> Result<()> {
    let text = fs::read_to_string(text).with_context(|| format!("read {}", text.display()))?;
    fs::write(work.join("nvvm.ll"), for_nvvm(&text)?)?;
    fs::write(work.join("nvvm.c"), include_str!("nvvm.c"))?;
    run(Command::new("cc").current_dir(work).args(["nvvm.c", "-o", "nvvm", "-ldl"]))?;
    let mut make = Command::new(work.join("nvvm"));
    run(make
        .current_dir(work)
        .arg(nvvm)
        .arg("nvvm.ll")
        .arg(to)
        .args([&format!("-arch=compute_{OPTIMISED}"), "-gen-lto"]))
}

/// What rustc writes.
struct Emitted {
    ptx: PathBuf,
    ir: PathBuf,
}

fn emit(workspace: &Workspace, toolchain: &Toolchain) -> Result<Emitted> {
    let target = workspace.target.join("nvptx");
    let folder = target.join("device-library");
    fs::create_dir_all(&folder)?;
    let emitted = Emitted { ptx: folder.join("emitted.ptx"), ir: folder.join("emitted.ll") };
    let of = ["--release", "-p", CRATE, "--target", "nvptx64-nvidia-cuda"];
    let cargo = || {
        let mut cargo = toolchain.cargo(&target, Build::Near);
        cargo.current_dir(&workspace.root);
        cargo
    };
    // cargo skips what is up to date, and rustc then writes nothing.
    if !emitted.ptx.exists() || !emitted.ir.exists() {
        run(cargo().args(["clean", "--quiet"]).args(of))?;
    }
    let kinds = format!("--emit=asm={},llvm-ir={}", emitted.ptx.display(), emitted.ir.display());
    run(cargo()
        .args(["rustc", "--quiet", "--lib"])
        .args(of)
        .args(["-Zbuild-std=core", "--", "-Ccodegen-units=1"])
        .arg(kinds))?;
    Ok(emitted)
}

/// The PTX with functions that have mangled names for itself alone. Another module of Rust may have the same.
fn hide_helpers(ptx: &str) -> String {
    // `.func  (.param .b64 func_retval0) _RNv…(`, or without the result.
    let is_helper =
        |rest: &str| rest.split_once("func_retval0)").map_or(rest, |(_, name)| name).trim().starts_with("_R");
    let line = |line: &str| match line.strip_prefix(".visible .func") {
        Some(rest) if is_helper(rest) => format!(".func{rest}\n"),
        _ => format!("{line}\n"),
    };
    ptx.lines().map(line).collect()
}

/// The PTX with a context that something else defines.
fn without_context(ptx: &str) -> Result<String> {
    let mut found = 0;
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let defines = |symbol: &str| {
            line.trim_start().starts_with(".visible") && words.iter().any(|word| word.starts_with(symbol))
        };
        if defines(CONTEXT_SYMBOL) {
            found += 1;
            let declared = line.split('=').next().unwrap_or_default().trim_end().replacen(".visible", ".extern", 1);
            return format!("{declared};\n");
        }
        if defines(VERSION_SYMBOL) {
            found += 1;
            return String::new();
        }
        format!("{line}\n")
    };
    let text = ptx.lines().map(line).collect();
    ensure!(found == 2, "the PTX does not define {CONTEXT_SYMBOL} and {VERSION_SYMBOL}");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_text_has_another_digest() {
        let of = |text| digest_of(text).lines().last().unwrap_or_default().to_owned();
        assert_eq!(of("abc"), "sha256 = \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"");
        assert_ne!(of("abd"), of("abc"));
    }
}
