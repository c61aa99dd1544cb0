//! What the programs of this folder have in common.
//!
//! | module | subject |
//! |---|---|
//! | `bandwidth` | the bandwidth of memory |
//! | `command_line` | parses a command line and starts the run, or prints one line that says why not |
//! | `options`, `modes` | common options; modes of exchanging data, and which of them work for a job |
//! | `job` | what PEs share and know about the job, and how they end it together |
//! | `kernels` | what programs need to launch kernels |
//! | `progress` | a progress line on the terminal |
//! | `files` | files that are complete whenever they exist |
//! | `scale` | the colours of pictures |
#![forbid(unsafe_code)]

mod bandwidth;
mod command_line;
mod files;
mod job;
mod kernels;
mod modes;
mod options;
mod progress;
mod scale;

pub use bandwidth::copy_gb_s;
pub use command_line::{Refusal, parse, run, say};
pub use cushmem_plot::{BLACK, Colour, Image, LETTER, WHITE, text_width};
pub use files::{NewFile, try_file, write_file};
pub use job::{backend, gpu_name, is_emulated, is_watched, json_line, refuse, to_all};
pub use kernels::{ensure_resident, gave_up, lanes, most_blocks, words_on_gpu};
pub use modes::{How, Mode, Way};
pub use options::{Options, Type, most_on_one_gpu, numbers};
pub use progress::Progress;
pub use scale::{COLOURS, SCALE_HEIGHT, draw_scale, shade};
