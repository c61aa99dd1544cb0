//! What the programs of this folder have in common.
//!
//! | module | subject |
//! |---|---|
//! | `bandwidth` | what memory gives |
//! | `command_line` | from the words of a command line to a run, or to one line that says why there is none |
//! | `options`, `modes` | options that programs have in common; ways to exchange data, and which of them serve a job |
//! | `job` | what PEs tell each other and know about the job, and how they end together |
//! | `kernels` | what programs need that launch kernels |
//! | `progress` | a line on the terminal |
//! | `files` | files that are whole whenever they are there |
//! | `image`, `scale` | pictures: pixels, letters, colours, PNG |
#![forbid(unsafe_code)]

mod bandwidth;
mod command_line;
mod files;
mod image;
mod job;
mod kernels;
mod modes;
mod options;
mod progress;
mod scale;

pub use bandwidth::copy_gb_s;
pub use command_line::{Refusal, parse, run, say};
pub use files::{NewFile, try_file};
pub use image::{BLACK, Colour, Image, LETTER, WHITE, dots, text_width};
pub use job::{backend, gpu_name, is_emulated, is_watched, json_line, refuse, to_all};
pub use kernels::{ensure_resident, gave_up, lanes, most_blocks, words_on_gpu};
pub use modes::{How, Mode, Way};
pub use options::{Options, Type, numbers};
pub use progress::Progress;
pub use scale::{COLOURS, SCALE_HEIGHT, draw_scale, shade};
