//! Tests what the crate reads from the environment of a process. Each test starts itself again with certain variables
//! and no others.

use cushmem_environment::{
    DEBUG, GPU, GpuChoice, SYMMETRIC_SIZE, announcement, check, debugs, gpu_choice, gpu_heap_bytes, host_heap_bytes,
    ignored, net, nodes, path,
};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

/// Marks the process that has the variables.
const MARK: &str = "ENVIRONMENT_TEST";
/// What that process prints last.
const FINISHED: &str = "the body has finished";

/// Runs `body` in a process that has these variables and no others of the library.
fn with(test: &str, variables: &[(&str, &[u8])], body: impl Fn()) {
    let lines = variables.iter().map(|(name, value)| [name.as_bytes(), b"=", value, b"\n"].concat());
    let these: Vec<u8> = lines.flatten().collect();
    let Some(chosen) = std::env::var_os(MARK) else {
        let mut child = Command::new(std::env::current_exe().expect("a test knows its own path"));
        child.env_clear().env(MARK, OsStr::from_bytes(&these)).args(["--exact", test, "--nocapture"]);
        child.envs(variables.iter().map(|(name, value)| (name, OsStr::from_bytes(value))));
        let output = child.output().expect("a test starts");
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(output.status.success() && said.contains(FINISHED), "with {variables:?}:\n{said}");
        return;
    };
    // A test may start several processes.
    if chosen.as_bytes() == these {
        body();
        println!("{FINISHED}");
    }
}

#[test]
fn absent_variables_have_their_defaults() {
    with("absent_variables_have_their_defaults", &[], || {
        assert_eq!(gpu_choice(), Ok(GpuChoice::Auto));
        assert_eq!(check(), Ok(false));
        assert_eq!(path(), Ok(None));
        assert_eq!((net(false), net(true), nodes()), (Ok("loopback:verbs".into()), Ok("ofi".into()), Ok(1)));
        assert_eq!((host_heap_bytes(), gpu_heap_bytes()), (Ok(4 << 30), Ok(None)));
        assert_eq!((announcement(), debugs()), (None, false));
    });
}

/// OpenSHMEM 1.6, section 8: the heap is at least as large as the value, and what follows the multiplier is ignored. A
/// message names the variable that was set.
#[test]
fn sizes_are_those_of_the_specification() {
    let variables: [(&str, &[u8]); 2] = [("SMA_SYMMETRIC_SIZE", b"64MB"), ("CUSHMEM_GPU_HEAP_SIZE", b"1")];
    with("sizes_are_those_of_the_specification", &variables, || {
        assert_eq!((host_heap_bytes(), gpu_heap_bytes()), (Ok(64 << 20), Ok(Some(1 << 20))));
        assert_eq!(ignored(), ["SMA_SYMMETRIC_SIZE: `B` after the multiplier of `64MB` is ignored"]);
    });
    with("sizes_are_those_of_the_specification", &[("SMA_SYMMETRIC_SIZE", b"a\nlot")], || {
        assert!(
            host_heap_bytes().is_err_and(|e| e.to_string().starts_with("read SMA_SYMMETRIC_SIZE: `a\\nlot` is not"))
        );
    });
}

#[test]
fn variables_count() {
    let variables: [(&str, &[u8]); 9] = [
        ("CUSHMEM_GPU", b"soft"),
        ("CUSHMEM_CHECK", b"1"),
        ("CUSHMEM_PATH", b"get=mapped"),
        ("CUSHMEM_NET", b"loopback:efa:7"),
        ("CUSHMEM_NODES", b"2"),
        ("SHMEM_SYMMETRIC_SIZE", b"2M"),
        ("CUSHMEM_GPU_HEAP_SIZE", b"1.5G"),
        ("SHMEM_INFO", b"0"),
        ("SHMEM_DEBUG", b"0"),
    ];
    with("variables_count", &variables, || {
        assert_eq!(gpu_choice(), Ok(GpuChoice::Soft));
        assert_eq!(check(), Ok(true));
        assert_eq!(path(), Ok(Some("get=mapped".into())));
        assert_eq!((net(false), net(true), nodes()), (Ok("loopback:efa:7".into()), net(false), Ok(2)));
        assert_eq!((host_heap_bytes(), gpu_heap_bytes()), (Ok(2 << 20), Ok(Some(3 << 29))));
        let lines = announcement().expect("SHMEM_INFO is on");
        assert!(lines.contains("\nSHMEM_SYMMETRIC_SIZE (is 2M): "), "{lines}");
        assert!(debugs());
    });
}

/// Catches an empty value that counts as a value: scripts turn variables off by emptying them.
#[test]
fn empty_values_are_absent() {
    let empty =
        ["CUSHMEM_GPU", "CUSHMEM_CHECK", "CUSHMEM_PATH", "SHMEM_SYMMETRIC_SIZE", "SHMEM_VERSION", "SHMEM_DEBUG"];
    with("empty_values_are_absent", &empty.map(|name| (name, &b""[..])), || {
        assert_eq!((gpu_choice(), check(), path()), (Ok(GpuChoice::Auto), Ok(false), Ok(None)));
        assert_eq!(host_heap_bytes(), Ok(4 << 30));
        assert_eq!((announcement(), debugs()), (None, false));
        assert_eq!((DEBUG.value(), GPU.value()), (Some(String::new()), Some(String::new())));
    });
}

#[test]
fn old_names_count_if_the_new_ones_are_absent() {
    let test = "old_names_count_if_the_new_ones_are_absent";
    assert_eq!((DEBUG.old_name().as_deref(), GPU.old_name()), (Some("SMA_DEBUG"), None));
    with(test, &[("SMA_SYMMETRIC_SIZE", b"2M")], || {
        assert_eq!((SYMMETRIC_SIZE.value().as_deref(), host_heap_bytes()), (Some("2M"), Ok(2 << 20)));
    });
    with(test, &[("SMA_SYMMETRIC_SIZE", b"2M"), ("SHMEM_SYMMETRIC_SIZE", b"3M")], || {
        assert_eq!(host_heap_bytes(), Ok(3 << 20));
    });
}

#[test]
fn what_cannot_be_used_is_explained() {
    let said = |error: cushmem_environment::BadValue| error.to_string();
    let variables: [(&str, &[u8]); 4] = [
        ("CUSHMEM_CHECK", b"yes"),
        ("CUSHMEM_PATH", b"mapped\xff"),
        ("SHMEM_SYMMETRIC_SIZE", b"much"),
        ("CUSHMEM_GPU_HEAP_SIZE", b"5T"),
    ];
    with("what_cannot_be_used_is_explained", &variables, || {
        assert_eq!(check().map_err(said), Err("read CUSHMEM_CHECK: `yes` is not 0 or 1".into()));
        assert_eq!(path().map_err(said), Err("read CUSHMEM_PATH: it is not valid UTF-8".into()));
        assert!(
            host_heap_bytes().is_err_and(|e| said(e).starts_with("read SHMEM_SYMMETRIC_SIZE: `much` is not a size"))
        );
        let why = "read CUSHMEM_GPU_HEAP_SIZE: 5497558138880 bytes are more than 4T";
        assert_eq!(gpu_heap_bytes().map_err(said), Err(why.into()));
    });
    for bad in ["0", "-1", "two", "4294967296"] {
        with("what_cannot_be_used_is_explained", &[("CUSHMEM_NODES", bad.as_bytes())], || {
            let line = format!("read CUSHMEM_NODES: `{bad}` is not a number from 1 to the number of PEs");
            assert_eq!(nodes().map_err(said), Err(line));
        });
    }
    with("what_cannot_be_used_is_explained", &[("CUSHMEM_CHECK", b"0")], || assert_eq!(check(), Ok(false)));
}
