//! What the programs of this folder have in common.
//!
//! | module | subject |
//! |---|---|
//! | `bandwidth` | what memory gives |
//! | `command_line` | from the words of a command line to a run, or to one line that says why there is none |
//! | `job` | what all PEs tell PE 0, and how they end together |
//! | `progress` | a line on the terminal |
//! | `files` | whether there is a place for the result |
//! | `image`, `scale` | pictures: pixels, letters, colours, PNG |
#![forbid(unsafe_code)]

mod bandwidth;
mod command_line;
mod files;
mod image;
mod job;
mod progress;
mod scale;

pub use bandwidth::copy_gb_s;
pub use command_line::{Refusal, parse, run};
pub use files::try_file;
pub use image::{BLACK, Colour, Image, LETTER, WHITE, dots, text_width};
pub use job::{backend, gather, gpu_name, is_watched, json_line, most_on_one_gpu, refuse};
pub use progress::Progress;
pub use scale::{COLOURS, SCALE_HEIGHT, draw_scale, shade};
