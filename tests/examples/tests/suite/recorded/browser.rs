//! Pages with plots, in a browser.

use super::advice;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::left_out::record;
use xtask::machine::on_path;
use xtask::process::run_limited;

const BROWSER: &str = "chromium";

/// What a page says of itself, in its title: what it loads, the rows of its tables, texts of the picture that cover
/// each other or leave it, whether it is wider than its window, and the contrast of texts with their ground, from 1 to
/// 21.
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
    const picture = document.querySelector("svg").getBoundingClientRect();
    const texts = all("svg text", (of) => [of.textContent.trim(), of.getBoundingClientRect()]);
    const covers = (a, b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
    const leaves = (a) =>
        a.left < picture.left || a.right > picture.right || a.top < picture.top || a.bottom > picture.bottom;
    document.title = JSON.stringify({
        loads: all("[src], [href], link, iframe", (of) => of.outerHTML)
            .concat(performance.getEntriesByType("resource").map((of) => of.name)),
        rows: all("tr", (row) => [...row.children].map((cell) => cell.textContent)),
        text: document.querySelector("pre").textContent,
        pictures: document.querySelectorAll("svg rect").length,
        covered: texts.flatMap(([name, at], index) => texts.slice(index + 1)
            .filter(([, other]) => covers(at, other)).map(([other]) => [name, other])),
        outside: texts.filter(([, at]) => leaves(at)).map(([name]) => name),
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

/// Catches a page that a browser shows in another way than it was meant: numbers that are not those of the text, texts
/// that cover each other or cannot be read in dark or light colours, and a page that loads something.
#[test]
fn a_page_is_readable_in_light_and_dark() {
    let said = advice("lbm", &["--size", "16", "--mode", "staged", "--iters", "100"]);
    if !on_path(BROWSER) {
        record("recorded::browser", &format!("there is no {BROWSER}"));
        return;
    }
    let written = std::fs::read_to_string(super::file("advise-lbm.html")).expect("shmem-advise has written the page");
    let page = super::file("seen.html");
    std::fs::write(&page, written + SCRIPT).expect("write a page");
    for (width, dark) in [(1200, false), (1200, true), (600, true)] {
        let seen = seen(&page, width, dark);
        for nothing in ["loads", "covered", "outside"] {
            // A narrow window has a small picture, whose texts may touch.
            let is_small = width < 1000 && nothing == "covered";
            assert!(is_small || seen[nothing].as_array().is_some_and(Vec::is_empty), "{nothing}: {seen}");
        }
        assert_eq!((&seen["dark"], &seen["wide"]), (&dark.into(), &false.into()), "{seen}");
        assert!(seen["contrast"].as_f64().is_some_and(|contrast| contrast >= 7.0), "{seen}");
        assert!(seen["pictures"].as_u64().is_some_and(|bars| bars > 10), "{seen}");
        assert_eq!(seen["text"].as_str().map(str::trim_end), Some(said.trim_end()));
        let value = |row: &str| {
            let rows = seen["rows"].as_array().expect("a list").iter();
            rows.filter(|cells| cells[0] == row).filter_map(|cells| cells[1].as_str()).next().unwrap_or("").to_owned()
        };
        // The lines of the text have the same numbers.
        let line = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).expect("a line").trim();
        let iteration = line("iteration ").split(" in the middle half").next().expect("a part");
        assert_eq!(value("as recorded"), format!("{iteration})"), "{seen}");
        let predicted = format!(
            "stream {}, from a graph {}, device {}",
            value("stream"),
            value("stream, from a graph"),
            value("device")
        );
        assert_eq!(line("predicted "), predicted, "{seen}");
        let launches = format!("launches {} (", value("launches"));
        assert!(line("CPU, mean ").starts_with(&launches), "{launches}: {seen}");
    }
}
