//! What the model does not reach: schedules of larger jobs, each single step, and real threads.

mod barrier_schedule;
mod barrier_threads;
mod grid_counter;
mod late;
mod lock_steps;
mod lock_threads;
mod ring_threads;
mod roles_schedule;
mod tasks_threads;
