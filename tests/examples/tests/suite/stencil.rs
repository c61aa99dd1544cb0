//! stencil2d agrees with its serial reference, in short runs in which each PE has a different position in the grid.

use cushmem_examples_tests::built;
use cushmem_scratch::Folder;
use std::path::Path;
use std::time::Duration;
use xtask::compare;
use xtask::launch;
use xtask::process::run_limited;

const MODES: [&str; 6] = ["staged", "host", "stream", "device", "fused", "triggered"];

/// Runs a case verified on emulated GPUs.
fn verify(n: u32, nodes: u32, (rows, cols): (u32, u32), pe_grid: &str, mode: &str, element: &str) {
    let mut job = launch::placed_on_nodes(&built("shmemrun"), n, nodes);
    job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("stencil2d"));
    if element == "f64" {
        // In blocks of several warps, as on a GPU.
        job.env("LANES_OF_GPUS", "1");
    }
    job.args(["--rows", &rows.to_string(), "--cols", &cols.to_string(), "--pe-grid", pe_grid]);
    // In stream mode, a graph is replayed twice, and the remaining iterations are enqueued without it.
    job.args(["--iters", if mode == "stream" { "23" } else { "7" }]);
    job.args(["--verify", "--json", "--mode", mode, "--type", element, "--share-gpu"]);
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    // The cost of the exchange is known only in modes that wait for it separately.
    let is_known = !said.contains("\"exchange_s\":null");
    let verified = said.contains("\"verified\":true") && is_known == (mode == "device");
    assert!(
        ended.failure().is_none() && verified,
        "{pe_grid} PEs on {nodes} nodes, {rows} × {cols}, {mode}, {element}: {ended:?}\n{said}"
    );
}

/// Catches a run that finds out only at its end that the picture cannot be written, and a report that is lost with the
/// picture.
#[test]
fn a_picture_that_cannot_be_written_takes_nothing_else_with_it_on_soft() {
    for (file, complaint, is_run) in [
        ("/no/such/x.png", "stencil2d: --png /no/such/x.png: No such file", false),
        ("/dev/full", "write picture /dev/full", true),
    ] {
        let mut job = launch::shmemrun(&built("shmemrun"), 2);
        job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("stencil2d"));
        job.args(["--size", "64", "--iters", "3", "--png", file]);
        let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
        assert!(ended.failure().is_some() && said.contains(complaint), "{ended:?}\n{said}");
        assert_eq!(said.contains("\nresult    verified"), is_run, "{said}");
    }
}

/// Catches a picture that is lost with a report that cannot be printed.
#[test]
fn a_report_that_cannot_be_printed_leaves_the_picture() {
    let folder = Folder::new("stencil").expect("a folder");
    let file = folder.join("picture.png");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let mut job = std::process::Command::new(built("stencil2d"));
    job.env("CUSHMEM_GPU", "soft").args(["--size", "64", "--iters", "3", "--png"]).arg(&file);
    let ended = job.stdout(full).output().expect("stencil2d starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("write to stdout: "), "{said}");
    let picture = std::fs::read(&file).expect("a picture");
    assert!(picture.ends_with(b"IEND\xaeB`\x82"));
}

/// Catches a sweep that skips a mode or a size, or whose runs without exchange corrupt the signals of those with
/// exchange; all runs are verified. The sizes are those of one PE or of all PEs together.
#[test]
fn a_sweep_has_a_verified_row_for_each_mode_and_size_on_soft() {
    for whole in [false, true] {
        let mut job = launch::shmemrun(&built("shmemrun"), 2);
        job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("stencil2d"));
        job.args(["--sweep=5,33", "--iters", "13", "--pe-grid", "1x2", "--json"]).args(whole.then_some("--whole"));
        let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
        assert!(ended.failure().is_none(), "{ended:?}\n{said}");
        let rows: Vec<_> = said.lines().filter(|line| line.starts_with('{')).collect();
        assert_eq!(rows.len(), 2 * MODES.len(), "{said}");
        for side in [5, 33] {
            for mode in MODES {
                let cols = if whole { side } else { 2 * side };
                let key = format!(
                    "\"mode\":\"{mode}\",\"side\":{side},\"whole\":{whole},\"rows\":{side},\"cols\":{cols},\"cells\":{}",
                    side * cols
                );
                let row =
                    rows.iter().find(|row| row.contains(&key)).unwrap_or_else(|| panic!("{key} is not in\n{said}"));
                assert!(row.contains("\"verified\":true") && row.contains("\"exchange_share\":"), "{row}");
            }
        }
    }
}

/// Catches halos of the wrong side and halos that do not arrive: rows alone, columns alone, and both with corners. The
/// PE in the middle of three exchanges both.
#[test]
fn each_mode_with_each_shape_on_soft() {
    for (n, pe_grid) in [(2, "1x2"), (3, "1x3"), (3, "3x1"), (4, "2x2"), (6, "2x3")] {
        for mode in MODES {
            verify(n, 1, (37, 41), pe_grid, mode, "f32");
            verify(n, 1, (37, 41), pe_grid, mode, "f64");
        }
    }
}

/// Catches a warp, with or without an edge, that updates the wrong columns: rows span several warps, of which some lie
/// entirely inside.
#[test]
fn each_mode_with_long_rows_on_soft() {
    for mode in MODES {
        verify(2, 1, (37, 601), "1x2", mode, "f32");
        verify(2, 1, (37, 301), "1x2", mode, "f64");
    }
}

/// Catches a long side whose pieces are not put together: a trigger that runs before all pieces are packed, or a put of
/// only the first one.
#[test]
fn each_mode_with_sides_of_several_pieces_on_soft() {
    for mode in MODES {
        verify(4, 1, (6, 20_000), "2x2", mode, "f32");
        verify(2, 1, (3100, 5), "1x2", mode, "f64");
    }
}

/// Catches kernels that do not pass on halos for another node, with neighbours on both nodes, and data and signals that
/// overtake each other there.
#[test]
fn each_mode_between_nodes_on_soft() {
    for mode in MODES {
        verify(2, 2, (37, 41), "2x1", mode, "f32");
        verify(4, 2, (37, 41), "2x2", mode, "f64");
        verify(4, 2, (6, 20_000), "2x2", mode, "f32");
    }
}

/// Catches a comparison that omits a mode or a program, or that does not find what a program prints.
#[test]
fn a_comparison_has_every_mode_on_soft() {
    let folder = Folder::new("compare").expect("a folder");
    let file = |name: &str| folder.join(name);
    let options = compare::Options {
        element: "f64".into(),
        bin_dir: built("shmemrun").parent().map(Path::to_owned),
        backend: Some("soft".into()),
        only: None,
        pes: Some(2),
        // Jobs that do not fit are left out, and on a busy machine all of them take minutes.
        limit: 600,
        table: file("table.md"),
        figure: file("figure.svg"),
        rows: Some(file("rows.jsonl")),
    };
    compare::compare(&options).expect("all jobs run");
    let read = |name: &str| std::fs::read_to_string(file(name)).expect("it was written");
    let (table, figure, rows) = (read("table.md"), read("figure.svg"), read("rows.jsonl"));
    for mode in MODES {
        for case in [
            "weak | 1 | 32²",
            "weak | 2 | 128²",
            "strong | 2 | 32²",
            "strong | 2 | 128²",
            "weak | 1 | 8³",
            "weak | 2 | 8³",
            "strong | 2 | 8³",
            "strong | 2 | 12³",
        ] {
            // lbm's jobs are not compared with the reference, hence the star.
            let (app, star) = if case.ends_with('³') { ("lbm", " *") } else { ("stencil2d", "") };
            let row = format!("| {app} | {case} | {mode}{star} | ");
            let found: Vec<_> = table.lines().filter_map(|line| line.strip_prefix(&row)).collect();
            assert_eq!(found.len(), 1, "{row}\n{table}");
            let cells: Vec<_> = found[0].split(" | ").collect();
            // With more PEs there are three rounds, and a spread, a share of the exchange and a speed-up are printed.
            let several = case.contains("| 2 |");
            assert_eq!(cells[2], if several || app == "stencil2d" { "3" } else { "1" }, "{row}{}", found[0]);
            let (spread, speed_up) = (cells[1], cells[7].trim_end_matches('|').trim());
            assert!(!several || (spread.ends_with('%') && !speed_up.is_empty()), "{row}{}", found[0]);
            assert!(cells[3].ends_with('%'), "{row}{}", found[0]);
        }
    }
    for app in ["stencil2d", "lbm"] {
        assert!(table.contains(&format!("\n{app}: largest gain ")) && !table.contains("failed:"), "{table}");
        assert!(figure.contains(&format!("{app}, 2 PEs, cells in total")) && figure.ends_with("</svg>\n"), "{figure}");
    }
    assert_eq!(rows.matches("\"app\":\"stencil2d\"").count(), MODES.len() * 6, "{rows}");
}
