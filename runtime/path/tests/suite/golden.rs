//! Compares decisions for described machines with tables that people have reviewed.
//!
//! `CUSHMEM_TEST_REWRITE=1 cargo test -p cushmem-path --test suite golden::` rewrites the tables; the test still fails
//! if one of them was different. Review the difference before you commit it.

use crate::machines;
use cushmem_path::{Class, Initiator, LocalKind, Machine, Operation, Overrides, Policy, RemoteKind, Request};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

fn policy(machine: &Machine, overrides: &str) -> Policy {
    let overrides = Overrides::parse(overrides).expect("valid overrides");
    overrides.check(machine).expect("overrides that can be followed");
    Policy::new(machine, &overrides)
}

/// The tables, which are part of this program, because it also runs where the sources are not.
macro_rules! tables {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../golden/", $name, ".txt")))),*] };
}

const TABLES: &[(&str, &str)] = tables! {
    "explained"
    "gpudirect"
    "laptop"
    "laptop-overridden"
    "laptop-planned"
    "no-gpu"
    "no-gpu-planned"
    "nvlink-8-gpus"
    "nvlink-8-gpus-planned"
    "nvlink-pair-coherent"
    "nvlink-pair-coherent-planned"
    "nvlink-pair-without-atomics"
    "nvlink-pair-without-atomics-planned"
    "pcie-4-gpus-without-p2p"
    "pcie-4-gpus-without-p2p-planned"
    "two-nodes-gpudirect"
    "two-nodes-gpudirect-planned"
    "two-nodes-without-gpudirect"
    "two-nodes-without-gpudirect-planned"
};

/// Compares, and rewrites if requested. `Err` describes the first difference.
fn compare(name: &str, text: &str) -> Result<(), String> {
    let golden = TABLES.iter().find(|(table, _)| *table == name).map_or("", |(_, golden)| golden);
    if golden == text {
        return Ok(());
    }
    if std::env::var_os("CUSHMEM_TEST_REWRITE").is_some() {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
        fs::write(&file, text).expect("a golden table can be written");
    }
    let line = golden.lines().zip(text.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or_else(|| golden.lines().count().min(text.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    Err(format!("{name}.txt, line {}\n  golden: {}\n  now:    {}", line + 1, at(golden), at(text)))
}

#[test]
fn described_machines_decide_as_people_have_read() {
    let mut texts = Vec::new();
    for described in machines::all() {
        let today = policy(&described.today, "").to_string();
        let planned = policy(&described.planned, "").to_string();
        assert_ne!(today, planned, "{}", described.name);
        texts.push((format!("{}-planned", described.name), planned));
        texts.push((described.name.to_owned(), today));
    }
    let laptop = machines::all().into_iter().find(|described| described.name == "laptop").expect("a laptop");
    texts.push(("laptop-overridden".into(), policy(&laptop.today, "mapped,gpu-any=copy-engine").to_string()));
    let differences: Vec<String> = texts.iter().filter_map(|(name, text)| compare(name, text).err()).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Between nodes, by how far the NICs are from the GPUs: directly, or in chunks through host memory.
#[test]
fn gpu_memory_of_other_nodes_is_reached_as_people_have_read() {
    let mut text = String::new();
    for (name, machine) in machines::with_gpudirect() {
        writeln!(text, "{name}").expect("a string");
        let policy = policy(&machine, "");
        for (operation, local, remote) in [
            (Operation::Put, LocalKind::Pinned, RemoteKind::Gpu),
            (Operation::Put, LocalKind::Gpu, RemoteKind::Host),
            (Operation::Put, LocalKind::Gpu, RemoteKind::Gpu),
            (Operation::PutSignal, LocalKind::Gpu, RemoteKind::Gpu),
            (Operation::Get, LocalKind::Gpu, RemoteKind::Host),
            (Operation::Get, LocalKind::Pinned, RemoteKind::Gpu),
            (Operation::Put, LocalKind::Pinned, RemoteKind::Host),
        ] {
            let request = Request { operation, initiator: Initiator::Cpu, local, remote, class: Class::Far };
            let steps = policy.steps(request).iter().map(|step| match step.up_to {
                u64::MAX => step.path.to_string(),
                bytes => format!("{} to {bytes}", step.path),
            });
            writeln!(text, "  {request}: {}", steps.collect::<Vec<_>>().join(", ")).expect("a string");
        }
    }
    compare("gpudirect", &text).unwrap_or_else(|difference| panic!("{difference}"));
}

/// The promise of the plan: a machine limits the choice of path, but never the set of calls that work.
#[test]
fn with_the_plan_everything_is_served_but_pageable_memory_in_kernels() {
    for described in machines::all().into_iter().filter(|described| described.planned.gpu.is_ok()) {
        let policy = policy(&described.planned, "");
        for row in policy.rows() {
            let Request { operation, initiator, local, .. } = row.request();
            let served = initiator != Initiator::Kernel || local != LocalKind::Pageable || operation == Operation::Amo;
            assert_eq!(policy.choose_in(row, 8).is_ok(), served, "{}: {}", described.name, policy.explain(row));
        }
    }
}

/// Complete rows, with the reason why each path was not taken.
#[test]
fn rows_are_explained_as_people_have_read() {
    use {Initiator::*, LocalKind::*, Operation::*};
    let mapped = Class::Mapped { atomics: true };
    let rows = [
        ("laptop", false, "", Put, Cpu, Pageable, RemoteKind::Host, mapped),
        ("laptop", false, "", Get, Cpu, Gpu, RemoteKind::Globals, Class::Attached),
        ("laptop", false, "", Amo, Cpu, Pageable, RemoteKind::Gpu, mapped),
        ("pcie-4-gpus-without-p2p", false, "", Put, Kernel, Gpu, RemoteKind::Gpu, Class::Unmapped),
        ("two-nodes-without-gpudirect", false, "", Get, Cpu, Gpu, RemoteKind::Gpu, Class::Far),
        ("two-nodes-without-gpudirect", false, "", PutSignal, Kernel, Pinned, RemoteKind::Gpu, Class::Far),
        ("two-nodes-without-gpudirect", false, "", Amo, Kernel, Gpu, RemoteKind::Gpu, Class::Far),
        ("nvlink-pair-without-atomics", true, "", Amo, Kernel, Gpu, RemoteKind::Gpu, Class::Mapped { atomics: false }),
        ("two-nodes-gpudirect", true, "", Put, Cpu, Gpu, RemoteKind::Gpu, Class::Far),
        ("nvlink-8-gpus", true, "", Put, Kernel, Gpu, RemoteKind::Gpu, mapped),
        ("nvlink-pair-coherent", true, "", Put, Cpu, Pageable, RemoteKind::Gpu, mapped),
        ("nvlink-8-gpus", true, "", PutSignal, Cpu, Pinned, RemoteKind::Gpu, mapped),
        ("nvlink-8-gpus", true, "put-signal=copy-engine", PutSignal, Cpu, Pinned, RemoteKind::Gpu, mapped),
        ("nvlink-8-gpus", true, "put-signal=copy-engine", PutSignal, Cpu, Pinned, RemoteKind::Host, mapped),
    ];
    let machines = machines::all();
    let mut text = String::new();
    for (name, planned, overrides, operation, initiator, local, remote, class) in rows {
        let described = machines.iter().find(|machine| machine.name == name).expect("a described machine");
        let machine = if planned { &described.planned } else { &described.today };
        let row = Request { operation, initiator, local, remote, class };
        let with = if overrides.is_empty() { String::new() } else { format!(", CUSHMEM_PATH={overrides}") };
        let plan = if planned { ", planned" } else { "" };
        writeln!(text, "{name}{plan}{with}: {}", policy(machine, overrides).explain(row)).expect("a string");
    }
    compare("explained", &text).unwrap_or_else(|difference| panic!("{difference}"));
}
