//! Decisions on described machines, and on any machine.

mod golden;
mod machines;
mod properties;
