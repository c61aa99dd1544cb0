//! One program, so that the two tests run at once: each builds crates, and one links while the other compiles.

mod candle;
mod tutorial;
