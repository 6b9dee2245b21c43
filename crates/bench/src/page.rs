//! Results as one self-contained HTML page: tables, a quantile plot, a scatter plot, every task.

use crate::record::{self, Record, Status};
use crate::score::{Sum, engines};
use crate::table;
use std::fmt::Write;
use std::path::Path;

const COLOURS: [&str; 8] = ["#1b6ca8", "#c8553d", "#588b3a", "#8e5aa8", "#c79a1b", "#2f9c95", "#7a6a5a", "#d16ba5"];

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#222}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:right}\
th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}.wrong{color:#b00020;font-weight:bold}\
.right{color:#2c7a2c}svg{background:#fafafa;border:1px solid #ddd}input{font:inherit;padding:.2rem .5rem}";

/// The one script of the page, and its SHA-256: a browser runs nothing else.
const FILTER: &str = "for(const r of document.querySelectorAll('#t tr.r'))r.hidden=!r.textContent.includes(this.value)";
const FILTER_HASH: &str = "gny/d84AtGXTBzaDS4NpGGaTrt9oNc/H5rnJLEULt4w=";

/// Results to compare with, and what they are called.
pub struct Other {
    pub name: String,
    pub records: Vec<Record>,
}

impl Other {
    pub fn read(file: &Path) -> Result<Other, String> {
        Ok(Other { name: file.display().to_string(), records: record::read(file)? })
    }
}

/// The page.
pub fn html(title: &str, records: &[Record], others: &[Other]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-hashes' 'sha256-{FILTER_HASH}'\">\
         <title>{0}</title><style>{STYLE}</style><h1>{0}</h1>",
        escape(title)
    );
    let wrong = table::wrong(records);
    if !wrong.is_empty() {
        page += "<h2 class=\"wrong\">Wrong answers</h2><ul class=\"wrong\">";
        page += &items(&wrong);
        page += "</ul>";
    }
    let failed = table::failed(records);
    if !failed.is_empty() {
        page += "<h2>Runs that came to nothing</h2><ul>";
        page += &items(&failed);
        page += "</ul>";
    }
    page += "<h2>Summary</h2>";
    page += &markdown_table(&table::summary(records));
    let cross = table::cross_table(records);
    if !cross.is_empty() {
        page += "<h2>Solved by row, not by column</h2>";
        page += &markdown_table(&cross);
    }
    for other in others {
        let _ = write!(page, "<h2>Compared with {}</h2>", escape(&other.name));
        page += &markdown_table(&table::comparison(records, &other.records));
    }
    page += "<h2>Solved tasks within a CPU time</h2>";
    page += &quantile_plot(records);
    if let [a, b, ..] = &engines(records)[..] {
        let _ = write!(page, "<h2>CPU times of {} and {}</h2>", escape(a), escape(b));
        page += &scatter_plot(records, a, b);
    }
    let _ = write!(page, "<h2>Tasks</h2><p><input placeholder=\"filter\" oninput=\"{FILTER}\"></p>");
    page += "<table id=\"t\"><tr><th>task<th>engine<th>expected<th>verdict<th>CPU s<th>wall s<th>MB</tr>";
    for r in records {
        let class = match r.status() {
            Status::Right => "right",
            Status::Wrong => "wrong",
            Status::Open => "",
        };
        let _ = write!(
            page,
            "<tr class=\"r\"><td>{}<td>{}<td>{}<td class=\"{class}\">{}<td>{:.2}<td>{:.2}<td>{:.0}</tr>",
            escape(&r.task),
            escape(&r.engine),
            escape(&r.expected),
            escape(&r.verdict),
            r.cpu_seconds,
            r.wall_seconds,
            r.memory_mb
        );
    }
    page + "</table></html>\n"
}

fn items(lines: &[String]) -> String {
    lines.iter().map(|line| format!("<li>{}</li>", escape(line))).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The tables that `table` makes, as HTML.
fn markdown_table(text: &str) -> String {
    let mut out = String::from("<table>");
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with("|---")) {
        let tag = if i == 0 { "th" } else { "td" };
        out += "<tr>";
        for cell in line.trim_matches('|').split(" | ") {
            let _ = write!(out, "<{tag}>{}", escape(cell.trim()));
        }
        out += "</tr>";
    }
    out + "</table>"
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 380.0;
const MARGIN: f64 = 50.0;

/// A CPU time on a logarithmic axis, between 0 and 1.
fn log_time(seconds: f64, longest: f64) -> f64 {
    let (lo, hi) = (0.01f64.ln(), longest.max(0.1).ln());
    ((seconds.max(0.01).ln() - lo) / (hi - lo)).clamp(0.0, 1.0)
}

fn longest(records: &[Record]) -> f64 {
    records.iter().map(|r| r.cpu_seconds).fold(1.0, f64::max)
}

/// x: the n-th fastest solved task; y: its CPU time.
fn quantile_plot(records: &[Record]) -> String {
    let longest = longest(records);
    let engines = engines(records);
    let sums: Vec<Sum> = engines.iter().map(|e| Sum::of(records.iter().filter(|r| r.engine == *e))).collect();
    let most = sums.iter().map(Sum::solved).max().unwrap_or(0).max(1) as f64;
    let mut svg = axes("solved tasks", &format!("{most:.0}"), longest);
    for (i, (engine, sum)) in engines.iter().zip(&sums).enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let points: Vec<String> = sum
            .times
            .iter()
            .enumerate()
            .map(|(n, t)| {
                let x = MARGIN + (n + 1) as f64 / most * (WIDTH - 2.0 * MARGIN);
                format!("{x:.1},{:.1}", HEIGHT - MARGIN - log_time(*t, longest) * (HEIGHT - 2.0 * MARGIN))
            })
            .collect();
        let y = 20.0 + 18.0 * i as f64;
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/><text x=\"{}\" y=\"{y}\" \
             fill=\"{colour}\">{} ({})</text>",
            points.join(" "),
            MARGIN + 10.0,
            escape(engine),
            sum.solved()
        );
    }
    svg + "</svg>"
}

/// A point for each task that one of the two engines solves; unsolved ones lie on the border.
fn scatter_plot(records: &[Record], a: &str, b: &str) -> String {
    let longest = longest(records);
    let time = |engine: &str, task: &str| {
        let record = records.iter().find(|r| r.engine == engine && r.task == task)?;
        (record.status() == Status::Right).then_some(record.cpu_seconds)
    };
    let mut svg = axes(&format!("{} (s)", escape(a)), &format!("{longest:.0}"), longest);
    let mut tasks: Vec<&str> = records.iter().map(|r| r.task.as_str()).collect();
    tasks.sort_unstable();
    tasks.dedup();
    for task in tasks {
        let (x, y) = (time(a, task), time(b, task));
        if x.is_none() && y.is_none() {
            continue;
        }
        let place = |t: Option<f64>| t.map_or(1.03, |t| log_time(t, longest));
        let _ = write!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\" fill-opacity=\".5\"><title>{}</title></circle>",
            MARGIN + place(x) * (WIDTH - 2.0 * MARGIN),
            HEIGHT - MARGIN - place(y) * (HEIGHT - 2.0 * MARGIN),
            COLOURS[0],
            escape(task)
        );
    }
    svg + &format!(
        "<line x1=\"{MARGIN}\" y1=\"{}\" x2=\"{}\" y2=\"{MARGIN}\" stroke=\"#aaa\"/></svg>",
        HEIGHT - MARGIN,
        WIDTH - MARGIN
    )
}

/// The frame of a plot with a logarithmic time axis upwards.
fn axes(label: &str, right: &str, longest: f64) -> String {
    let (bottom, side) = (HEIGHT - MARGIN, WIDTH - MARGIN);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-size=\"13\">\
         <path d=\"M{MARGIN} {MARGIN}V{bottom}H{side}\" fill=\"none\" stroke=\"#444\"/>\
         <text x=\"{side}\" y=\"{}\" text-anchor=\"end\">{label} (to {right})</text>",
        HEIGHT - 12.0
    );
    for t in [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0] {
        if t <= longest * 1.01 {
            let y = bottom - log_time(t, longest) * (HEIGHT - 2.0 * MARGIN);
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{t} s</text><path d=\"M{MARGIN} {y:.1}h-4\" stroke=\"#444\"/>",
                MARGIN - 8.0,
                y + 4.0
            );
        }
    }
    svg
}
