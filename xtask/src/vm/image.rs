//! What the virtual machine starts from: a kernel of Debian, and files that its first process finds. Nothing of this
//! machine is visible there but what is copied here.

use crate::process::{output_of, run};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs that are needed, and the packages of Debian that have them.
const NEEDED: [(&str, &str); 8] = [
    ("qemu-system-x86_64", "qemu-system-x86"),
    ("busybox", "busybox-static"),
    ("cpio", "cpio"),
    ("modinfo", "kmod"),
    ("rdma", "iproute2"),
    ("setpriv", "util-linux"),
    ("dpkg", "dpkg"),
    ("apt-get", "apt"),
];
/// Modules of the kernel, each of which may need others.
const MODULES: [&str; 6] = ["crc32_generic", "rdma_rxe", "rdma_ucm", "dummy", "virtio_pci", "virtio_net"];
/// The package that depends on the current kernel.
const KERNEL: &str = "linux-image-amd64";
const INIT: &str = include_str!("init.sh");
const RSH: &str = include_str!("rsh.sh");

/// Why this machine cannot have a virtual machine, if it cannot.
pub(super) fn lacks() -> Option<String> {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    let is_here = |program: &str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if let Some((program, package)) = NEEDED.into_iter().find(|(program, _)| !is_here(program)) {
        return Some(format!("{program} is not here (package {package})"));
    }
    provider().err().map(|error| error.to_string())
}

/// The library's part for soft-RoCE.
fn provider() -> Result<PathBuf> {
    let folder = Path::new("/usr/lib/x86_64-linux-gnu/libibverbs");
    let mut files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_rxe = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("librxe-"));
    files.find(is_rxe).context("there is no libibverbs for soft-RoCE (packages libibverbs1, ibverbs-providers)")
}

/// The kernel and its modules, in the folder `tools`; downloaded on the first call.
pub(super) fn kernel(tools: &Path) -> Result<PathBuf> {
    let folder = tools.join("vm-kernel");
    let module = |name: &str| folder.join(format!("modules/{name}.ko"));
    let is_whole = || folder.join("vmlinuz").exists() && MODULES.iter().all(|name| module(name).exists());
    if is_whole() {
        return Ok(folder);
    }
    let part = tools.join(format!("vm-kernel.{}", std::process::id()));
    fs::create_dir_all(&part)?;
    let made = download(&part).and_then(|()| {
        // Another run was faster, and may use it already.
        if is_whole() {
            return Ok(());
        }
        // What an earlier version of this file has made has fewer modules.
        let _ = fs::remove_dir_all(&folder);
        match fs::rename(&part, &folder) {
            Err(_) if is_whole() => Ok(()),
            moved => moved.context("move the kernel to its place"),
        }
    });
    let _ = fs::remove_dir_all(&part);
    made.map(|()| folder)
}

fn download(folder: &Path) -> Result<()> {
    let depends = output_of(Command::new("apt-cache").args(["depends", KERNEL]))?;
    let package = depends.lines().find_map(|line| line.trim().strip_prefix("Depends: "));
    let package = package.filter(|name| name.starts_with("linux-image-")).context("no package of a kernel")?;
    output_of(Command::new("apt-get").current_dir(folder).args(["download", "-qq", package]))?;
    let archive = only(folder, ".deb")?;
    let all = folder.join("all");
    output_of(Command::new("dpkg").arg("-x").args([&archive, &all]))?;
    let modules = only(&all.join("lib/modules"), "")?;
    let mut order = Vec::new();
    let files = output_of(Command::new("find").arg(&modules).args(["-name", "*.ko"]))?;
    let files: Vec<&Path> = files.lines().map(Path::new).collect();
    fs::create_dir(folder.join("modules"))?;
    for name in MODULES {
        add_module(name, &files, &folder.join("modules"), &mut order)?;
    }
    fs::write(folder.join("modules/order"), order.join("\n"))?;
    let image = fs::read_dir(all.join("boot"))?.flatten().map(|entry| entry.path());
    let mut images = image.filter(|path| path.to_string_lossy().contains("/vmlinuz-"));
    fs::copy(images.next().context("the package has no kernel")?, folder.join("vmlinuz"))?;
    fs::remove_dir_all(&all)?;
    fs::remove_file(archive)?;
    Ok(())
}

/// The only entry of a folder whose name ends so.
fn only(folder: &Path, end: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))?;
    let mut found = entries.flatten().map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(end));
    found.next().with_context(|| format!("nothing in {}", folder.display()))
}

/// Copies a module behind those that it needs.
fn add_module(name: &str, files: &[&Path], to: &Path, order: &mut Vec<String>) -> Result<()> {
    let name = name.replace('-', "_");
    if order.contains(&name) {
        return Ok(());
    }
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().replace('-', "_"));
    let file = files.iter().find(|path| stem(path).as_ref() == Some(&name));
    let file = file.with_context(|| format!("the kernel has no module {name}"))?;
    let depends = output_of(Command::new("/sbin/modinfo").args(["-F", "depends"]).arg(file))?;
    for other in depends.trim().split(',').filter(|other| !other.is_empty()) {
        add_module(other, files, to, order)?;
    }
    fs::copy(file, to.join(format!("{name}.ko")))?;
    order.push(name);
    Ok(())
}

/// What the virtual machine has besides its kernel.
pub(super) struct Contents<'a> {
    /// Programs of this machine, which have the same paths there. Their libraries come along.
    pub(super) programs: &'a [PathBuf],
    /// Shell scripts that run one after the other, in the order of their names.
    pub(super) jobs: &'a [(String, String)],
    /// Seconds that each may take.
    pub(super) limit_s: u64,
}

/// Makes the file with everything, in an empty folder.
pub(super) fn pack(folder: &Path, kernel: &Path, contents: &Contents<'_>) -> Result<PathBuf> {
    let root = folder.join("root");
    for name in ["bin", "dev", "proc", "sys", "tmp", "run", "jobs", "modules", "etc/libibverbs.d"] {
        fs::create_dir_all(root.join(name))?;
    }
    fs::copy(which("busybox")?, root.join("bin/busybox"))?;
    symlink("busybox", root.join("bin/sh"))?;
    for entry in fs::read_dir(kernel.join("modules"))?.flatten() {
        fs::copy(entry.path(), root.join("modules").join(entry.file_name()))?;
    }
    write_program(&root.join("init"), INIT)?;
    fs::write(root.join("limit"), contents.limit_s.to_string())?;
    fs::write(root.join("etc/passwd"), "root:x:0:0:root:/tmp:/bin/sh\n")?;
    write_program(&root.join("bin/rsh"), RSH)?;
    fs::write(root.join("etc/hosts"), "127.0.0.1 localhost\n10.77.0.1 h0\n10.77.0.2 h1\n")?;
    fs::write(root.join("etc/libibverbs.d/rxe.driver"), "driver rxe\n")?;
    for (name, script) in contents.jobs {
        fs::write(root.join("jobs").join(name), script)?;
    }
    let opened = PathBuf::from("/usr/lib/x86_64-linux-gnu/libibverbs.so.1");
    let mut files: BTreeSet<PathBuf> = BTreeSet::from([provider()?, opened, which("rdma")?]);
    files.extend(contents.programs.iter().cloned());
    let libraries: BTreeSet<PathBuf> = files.iter().flat_map(|file| libraries_of(file)).collect();
    for file in files.union(&libraries) {
        let to = root.join(file.strip_prefix("/")?);
        fs::create_dir_all(to.parent().context("a folder")?)?;
        fs::copy(file, &to).with_context(|| format!("copy {}", file.display()))?;
    }
    let image = folder.join("initrd");
    let script = "cd \"$1\" && find . | cpio --quiet -o -H newc -R 0:0 >\"$2\"";
    run(Command::new("sh").args(["-c", script, "sh"]).args([&root, &image]))?;
    fs::remove_dir_all(&root)?;
    Ok(image)
}

/// Writes a file that may be run.
pub(super) fn write_program(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// The file of a program.
pub(super) fn which(program: &str) -> Result<PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
    found.with_context(|| format!("{program} is not here"))
}

/// The libraries that a program or library is linked with. One that is linked with none has none.
fn libraries_of(file: &Path) -> Vec<PathBuf> {
    let said = output_of(Command::new("ldd").arg(file)).unwrap_or_default();
    let path = |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    said.lines().filter_map(path).collect()
}

/// Whether all that is needed is here; for the list of what may be left out.
pub(super) fn check(tools: &Path) -> Result<()> {
    match lacks() {
        Some(why) => bail!("{why}"),
        None => kernel(tools).map(drop),
    }
}
