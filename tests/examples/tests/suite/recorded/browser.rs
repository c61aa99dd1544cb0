//! Pages with plots, in a browser.

use super::{advice, folder};
use cushmem_examples_tests::built;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::left_out::record;
use xtask::machine::on_path;
use xtask::process::run_limited;
use xtask::{compare, launch};

const BROWSER: &str = "chromium";

/// What a page says of itself, in its title: what it loads, the rows of its tables, its bars and points and their error
/// bars, which have two ends that are 6 wide, texts of the picture that cover each other or leave it, whether it is
/// wider than its window, whether the picture is inverted, and the contrast of texts with their ground, from 1 to 21.
const SCRIPT: &str = r#"<script>
onload = () => {
    const all = (what, of) => [...document.querySelectorAll(what)].map(of);
    const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
        const of = part / 255;
        return of <= 0.03928 ? of / 12.92 : ((of + 0.055) / 1.055) ** 2.4;
    }).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0.05);
    const ground = (of) => {
        const own = getComputedStyle(of).backgroundColor;
        return own === "rgba(0, 0, 0, 0)" ? ground(of.parentElement) : own;
    };
    const contrast = (of) => {
        const [one, other] = [light(getComputedStyle(of).color), light(ground(of))];
        return Math.max(one, other) / Math.min(one, other);
    };
    const svg = document.querySelector("svg");
    const picture = svg.getBoundingClientRect();
    const lines = all("svg polyline", (of) => of.getAttribute("points").trim().split(/[ ,]+/).map(Number));
    const texts = all("svg text", (of) => [of.textContent.trim(), of.getBoundingClientRect()]);
    const covers = (a, b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
    const leaves = (a) =>
        a.left < picture.left || a.right > picture.right || a.top < picture.top || a.bottom > picture.bottom;
    document.title = JSON.stringify({
        loads: all("[src], [href], link, iframe", (of) => of.outerHTML)
            .concat(performance.getEntriesByType("resource").map((of) => of.name)),
        rows: all("tr", (row) => [...row.children].map((cell) => cell.textContent)),
        text: document.querySelector("pre")?.textContent ?? "",
        marks: document.querySelectorAll("svg rect, svg circle").length,
        error_bars: lines.filter((at) => at.length === 4 && at[1] === at[3] && at[2] - at[0] === 6).length / 2,
        covered: texts.flatMap(([name, at], index) => texts.slice(index + 1)
            .filter(([, other]) => covers(at, other)).map(([other]) => [name, other])),
        outside: texts.filter(([, at]) => leaves(at)).map(([name]) => name),
        inverted: getComputedStyle(svg).filter !== "none",
        wide: document.documentElement.scrollWidth > innerWidth,
        dark: light(ground(document.body)) < 0.3,
        contrast: Math.min(...all("h1, h2, pre, th, td", contrast)),
    });
};
</script>"#;

/// What the page says of itself in a window of this width, to a reader who prefers dark or light colours.
fn seen(page: &Path, width: u32, dark: bool) -> Value {
    let profile = page.with_extension("profile");
    let mut browser = Command::new(BROWSER);
    browser.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]);
    browser.arg(format!("--user-data-dir={}", profile.display())).arg(format!("--window-size={width},1000"));
    browser.arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark))).arg("--dump-dom");
    browser.arg(format!("file://{}", page.display()));
    let (ended, said) = run_limited(&mut browser, Duration::from_secs(90)).expect("the browser starts");
    assert!(ended.failure().is_none(), "{said}");
    let title = said.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    let title = title.unwrap_or_else(|| panic!("no title in {said}"));
    let text = title.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The rows of the tables of a page, as a browser shows it, in windows of two widths and in light and dark colours. In
/// each of them it is readable, loads nothing, and has this text and an error bar for each range in a table.
fn rows(written: &Path, text: &str) -> Vec<Vec<String>> {
    let page = written.with_extension("seen.html");
    let html = std::fs::read_to_string(written).expect("the page was written");
    std::fs::write(&page, html + SCRIPT).expect("write a page");
    let mut rows = vec![];
    for (width, dark) in [(1200, false), (1200, true), (600, true)] {
        let seen = seen(&page, width, dark);
        for nothing in ["loads", "covered", "outside"] {
            // A narrow window has a small picture, whose texts may touch.
            let is_small = width < 1000 && nothing == "covered";
            assert!(is_small || seen[nothing].as_array().is_some_and(Vec::is_empty), "{nothing}: {seen}");
        }
        assert_eq!((&seen["dark"], &seen["inverted"], &seen["wide"]), (&dark.into(), &dark.into(), &false.into()));
        assert!(seen["contrast"].as_f64().is_some_and(|contrast| contrast >= 7.0), "{seen}");
        assert_eq!(seen["text"].as_str().map(str::trim_end), Some(text.trim_end()));
        rows = serde_json::from_value(seen["rows"].clone()).expect("rows of text");
        let cells: Vec<&String> = rows.iter().flatten().collect();
        let ranges = cells.iter().filter(|cell| cell.ends_with(')') && cell.contains(" to ")).count();
        assert!(ranges > 0 && seen["error_bars"].as_f64() == Some(ranges as f64), "{ranges} ranges: {seen}");
        assert!(seen["marks"].as_u64().is_some_and(|marks| marks > 7), "{seen}");
    }
    rows
}

/// Whether there is a browser.
fn has_browser() -> bool {
    let is_here = on_path(BROWSER);
    if !is_here {
        record("recorded::browser", &format!("there is no {BROWSER}"));
    }
    is_here
}

/// Catches a page that a browser shows in another way than it was meant: numbers that are not those of the text, texts
/// that cover each other or cannot be read in dark or light colours, and a page that loads something.
#[test]
fn a_page_is_readable_in_light_and_dark() {
    let folder = folder();
    let said = advice(&folder, "lbm", &["--size", "16", "--mode", "staged", "--iters", "100"]);
    if !has_browser() {
        return;
    }
    let rows = rows(&folder.join("advice.html"), &said);
    let value = |row: &str| rows.iter().find(|cells| cells[0] == row).map_or("", |cells| &cells[1]);
    // The lines of the text have the same numbers.
    let line = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).expect("a line").trim();
    let iteration = line("iteration ").split(" in the middle half").next().expect("a part");
    assert_eq!(value("as recorded"), format!("{iteration})"), "{rows:?}");
    let predicted = format!(
        "stream {}, from a graph {}, device {}",
        value("stream"),
        value("stream, from a graph"),
        value("device")
    );
    assert_eq!(line("predicted "), predicted, "{rows:?}");
    let launches = format!("launches {} (", value("launches"));
    assert!(line("CPU, mean ").starts_with(&launches), "{launches}: {rows:?}");
}

/// Catches the same in a page of shmem-bench, whose numbers have to be those of its rows.
#[test]
fn a_page_of_measurements_is_readable_in_light_and_dark() {
    let folder = folder();
    let (page, json) = (folder.join("bench.html"), folder.join("bench.jsonl"));
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--timeout", "60"]).arg(built("shmem-bench")).args(["host", "--sizes", "8,65536", "--rounds", "5"]);
    job.arg("--plot").arg(&page).arg("--json").arg(&json).env("CUSHMEM_GPU", "none");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    if !has_browser() {
        return;
    }
    let rows = rows(&page, "");
    let lines = std::fs::read_to_string(json).expect("it has written the rows");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    for (metric, by, curve) in [
        ("host_get_hh", "cushmem", "get, host to host"),
        ("host_get_hh", "limit", "get, host to host, no library"),
        ("host_put_bw_hh", "cushmem", "put, host to host"),
    ] {
        for (bytes, size) in [(8, "8 B"), (65_536, "64 KiB")] {
            let is_it = |row: &&Value| row["metric"] == metric && row["impl"] == by && row["bytes"] == bytes;
            let measured = lines.iter().find(is_it).and_then(|row| row["value"].as_f64()).expect("a row");
            let head = rows.iter().rposition(|row| row.iter().any(|name| name == curve)).expect("a curve");
            let column = rows[head].iter().position(|name| name == curve).expect("a curve");
            let cell = &rows[head..].iter().find(|row| row[0] == size).expect("a size")[column];
            let words: Vec<&str> = cell.split(' ').collect();
            let shown: f64 = words[0].parse().expect("a number");
            let shown = shown * if words[1] == "µs" { 1e3 } else { 1.0 };
            assert!((shown - measured).abs() <= 1e-3 * measured.max(1.0), "{metric} {bytes}: {cell}, not {measured}");
        }
    }
}

/// Catches the same in the page of a comparison, whose gains have to be those of its table.
#[test]
fn a_page_of_a_comparison_is_readable_in_light_and_dark() {
    let folder = folder();
    let (page, table) = (folder.join("compare.html"), folder.join("compare.md"));
    let options = compare::Options {
        bin_dir: Some(built("shmemrun").parent().expect("a folder").to_owned()),
        backend: Some("soft".into()),
        only: Some("stencil2d".into()),
        element: "f32".into(),
        pes: Some(2),
        limit: 90,
        table: table.clone(),
        figure: page.clone(),
        rows: None,
    };
    compare::compare(&options).expect("it is measured");
    if !has_browser() {
        return;
    }
    let rows = rows(&page, "");
    let table = std::fs::read_to_string(table).expect("it has written the table");
    let mut gains: BTreeMap<(&str, &str, &str), f64> = BTreeMap::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", "stencil2d", scaling, "2", cells, mode, _, _, _, _, gain, ..] = cells[..]
            && let Some(gain) = gain.strip_suffix(" %")
        {
            gains.insert((scaling, cells, mode), gain.parse().expect("a number"));
        }
    }
    let heads: Vec<usize> = (0..rows.len()).filter(|row| rows[*row][0].is_empty()).collect();
    assert_eq!(heads.len(), 2, "weak and strong: {rows:?}");
    for ((scaling, cells, mode), gain) in &gains {
        let head = heads[usize::from(*scaling == "strong")];
        let column = rows[head].iter().position(|name| name == mode).expect("a mode");
        let cell = &rows[head..].iter().find(|row| row[0] == *cells).expect("a size")[column];
        let shown: f64 = cell.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        // Both are rounded.
        assert!((shown - gain).abs() <= 0.6, "{scaling} {cells} {mode}: {cell}, not {gain} %");
    }
    assert_eq!(gains.len(), 2 * 2 * 5, "{table}");
}
