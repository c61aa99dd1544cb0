//! Plots of what was measured, and the pictures that they and the programs consist of.
//!
//! A [`Plot`] has panels with axes of their own. A series is drawn as a line with points, or as bars if its horizontal
//! axis has names instead of numbers. Where the rounds of a measurement differ, a point has an error bar.
//!
//! | module | subject |
//! |---|---|
//! | `draw` | what is drawn where; plotters does the rest |
//! | `html` | a page of plots and their numbers |
//! | `canvas` | the surface on which plotters draws pixels |
//! | `image` | pixels, letters, PNG |
#![forbid(unsafe_code)]

mod canvas;
mod draw;
mod html;
mod image;

pub use html::page;
pub use image::{BLACK, Colour, Image, LETTER, WHITE, text_width};

use anyhow::{Context, Result, anyhow};
use std::path::{Path, PathBuf};

/// A picture of one or more panels, one below the other.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The lines above the panels; the first one is the title.
    pub heading: Vec<String>,
    /// Width and height of a panel in pixels, without its legend.
    pub size: (u32, u32),
    /// From the top.
    pub panels: Vec<Panel>,
}

/// A part of the picture with its own axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// In the order of the legend.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The name, with the unit if the labels have none.
    pub name: String,
    /// How values are spread.
    pub scale: Scale,
    /// Writes a value, also at the bars of a vertical axis.
    pub label: fn(f64) -> String,
}

/// How an axis spreads its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithms; the axis ends at whole powers of this base.
    Log(f64),
    /// Value `i` is the name with this index, and series are bars. For horizontal axes.
    Names(Vec<String>),
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// In the order in which a line connects them.
    pub points: Vec<Point>,
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it was measured.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The lowest value of all rounds; [`Self::y`] if there was one.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Plot {
    /// What a file of this name contains: SVG, PNG or a page with the numbers, by its ending.
    pub fn encode(&self, file: &Path) -> Result<Vec<u8>> {
        match ending(file) {
            Some("svg") => Ok(draw::svg(self)?.into_bytes()),
            Some("html") => Ok(html::page(self, "")?.into_bytes()),
            Some("png") => draw::png(self)?.png().context("write the PNG"),
            _ => Err(anyhow!("{}: {ENDINGS}", file.display())),
        }
    }
}

const ENDINGS: &str = "the name of a picture ends in .svg, .png or .html";

fn ending(file: &Path) -> Option<&str> {
    file.extension()?.to_str()
}

/// Reads the name of a file for a plot from the command line.
pub fn file(name: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(name);
    matches!(ending(&file), Some("svg" | "png" | "html")).then_some(file).ok_or_else(|| ENDINGS.into())
}
