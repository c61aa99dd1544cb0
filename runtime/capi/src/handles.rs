//! Objects that a C program holds by handles. A handle is a number that C sees as a pointer. Its lower part is a place
//! in a table plus 1, its upper part the number of times that the place was used before. A handle that was destroyed,
//! or never existed, can therefore be detected.

use crate::report;
use crate::state::job;
use std::sync::{Arc, Mutex, PoisonError};

/// The type that handles appear to point to.
#[repr(C)]
pub(crate) struct Opaque([u8; 0]);
pub(crate) type Handle = *const Opaque;

/// Objects by their handles.
pub(crate) struct Table<T> {
    places: Mutex<Vec<Place<T>>>,
    /// The argument in messages.
    name: &'static str,
    /// What it must be.
    what: &'static str,
}

struct Place<T> {
    thing: Option<Arc<T>>,
    /// How many objects this place held before.
    before: u32,
}

impl<T> Table<T> {
    pub(crate) const fn new(name: &'static str, what: &'static str) -> Self {
        Self { places: Mutex::new(vec![]), name, what }
    }

    fn change<R>(&self, change: impl FnOnce(&mut Vec<Place<T>>) -> R) -> R {
        change(&mut self.places.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn add(&self, thing: T) -> Handle {
        self.change(|all| {
            let number = all.iter().position(|place| place.thing.is_none()).unwrap_or(all.len());
            if number == all.len() {
                all.push(Place { thing: None, before: 0 });
            }
            let place = &mut all[number];
            place.thing = Some(Arc::new(thing));
            std::ptr::without_provenance((number + 1) | (place.before as usize) << 32)
        })
    }

    /// What `take` finds at the handle's place.
    fn at(&self, routine: &'static str, handle: Handle, take: impl FnOnce(&mut Place<T>) -> Option<Arc<T>>) -> Arc<T> {
        job(routine);
        let (number, before) = ((handle.addr() & 0xffff_ffff).wrapping_sub(1), handle.addr() >> 32);
        let found =
            self.change(|all| all.get_mut(number).filter(|place| place.before as usize == before).and_then(take));
        found.unwrap_or_else(|| {
            let Self { name, what, .. } = self;
            report::end(routine, &format!("argument {name}: {handle:p} is not {what}, or was destroyed"))
        })
    }

    /// Invalidates all handles.
    pub(crate) fn remove_all(&self) {
        let taken: Vec<_> = self.change(|all| {
            let take = |place: &mut Place<T>| {
                let thing = place.thing.take()?;
                place.before = place.before.wrapping_add(1);
                Some(thing)
            };
            all.iter_mut().filter_map(take).collect()
        });
        drop(taken);
    }

    /// All objects that there are.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        self.change(|all| all.iter().filter_map(|place| place.thing.clone()).collect())
    }

    pub(crate) fn find(&self, routine: &'static str, handle: Handle) -> Arc<T> {
        self.at(routine, handle, |place| place.thing.clone())
    }

    /// Dropping the result may wait, so the caller does it without the lock.
    pub(crate) fn remove(&self, routine: &'static str, handle: Handle) -> Arc<T> {
        self.at(routine, handle, |place| {
            let thing = place.thing.take()?;
            place.before = place.before.wrapping_add(1);
            Some(thing)
        })
    }
}
