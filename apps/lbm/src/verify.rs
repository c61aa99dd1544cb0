//! The bits of a run: their hash, which is the same for any number of PEs, and the comparison with the serial
//! reference.

use crate::course::Course;
use crate::element::Element;
use crate::field::Field;
use crate::reference::Reference;
use crate::state::{all_planes, whole};
use crate::steps::phases;
use anyhow::Result;
use cushmem_program::to_all;

/// What the comparison found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Findings {
    /// Values whose bits differ from the reference, or that are not finite.
    pub wrong: u64,
    /// The first of them: its array and its cell in the whole box.
    pub first: Option<(u32, [u32; 3])>,
}

impl Findings {
    /// Compares the values of an array in all cells of plane `z`.
    fn add<T: Element>(&mut self, reference: &Reference<T>, array: u32, z: u32, sheet: &[T]) {
        let [nx, ny, _] = reference.shape.size;
        for (at, value) in (0..ny).flat_map(|y| (0..nx).map(move |x| [x, y, z])).zip(sheet) {
            let is_finite = Into::<f64>::into(*value).is_finite();
            if value.bits() != reference.value(array, at).bits() || !is_finite {
                self.wrong += 1;
                self.first = self.first.or(Some((array, at)));
            }
        }
    }
}

/// Returns a hash of the bits of the whole state, which is the same for any number of PEs. Collective.
pub fn hash<T: Element>(field: &Field<'_, T>) -> Result<u64> {
    let all = to_all(field.job.shmem, [field.hash()?])?;
    Ok(all.into_iter().fold(0, |sum, [own]| sum.wrapping_add(own)))
}

/// Compares the result with the serial reference. PE 0 computes the reference, which needs memory for the whole box,
/// and only PE 0 gets the findings. Collective.
pub fn compare<T: Element>(field: &Field<'_, T>, course: &Course) -> Result<Findings> {
    let reference = (field.job.shmem.my_pe() == 0).then(|| {
        let [resting, falling] = phases(course);
        let mut reference = Reference::new(&course.problem, &resting);
        reference.run(&resting, course.relax);
        reference.run(&falling, course.iters);
        reference
    });
    let arrays: Vec<u32> = field.state().collect();
    let mut sheets = all_planes(field).flat_map(|z| arrays.iter().map(move |array| (z, *array)));
    let mut found = Findings::default();
    let read = |plane: u32, value: u32| field.read(arrays[value as usize], plane..plane + 1);
    let take = |sheet: &[T]| {
        if let (Some(reference), Some((z, array))) = (&reference, sheets.next()) {
            found.add(reference, array, z, sheet);
        }
        Ok(())
    };
    whole(field).gather(all_planes(field), arrays.len() as u32, read, take)?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Model, Problem};
    use lbm_kernels::layout::arrays;

    /// Catches values that are compared with those of another cell or array, and wrong values that are not found.
    #[test]
    fn each_wrong_value_is_counted_and_the_first_is_named() {
        let model = Model { sigma: 0.001, mobility: 0.02, width: 1.0, tau_g: 1.0, tau_phi: 1.0 };
        let problem = Problem { size: [5, 4, 3], model, radius: 1.4, is_bubble: false, eotvos: 0.0, shift: 1.0 };
        let reference = Reference::<f32>::new(&problem, &model.params(0.0, 0.0));
        let sheet = |array: u32, z: u32| -> Vec<f32> {
            (0..4).flat_map(|y| (0..5).map(move |x| [x, y, z])).map(|at| reference.value(array, at)).collect()
        };
        let mut found = Findings::default();
        found.add(&reference, arrays::PHI, 1, &sheet(arrays::PHI, 1));
        assert_eq!(found, Findings::default());
        let mut wrong = sheet(arrays::PHI, 1);
        (wrong[7], wrong[13]) = (f32::NAN, -wrong[13]);
        found.add(&reference, arrays::PHI, 1, &wrong);
        assert_eq!(found, Findings { wrong: 2, first: Some((arrays::PHI, [2, 1, 1])) });
        found.add(&reference, arrays::PHI, 0, &sheet(arrays::PHI, 1));
        assert!(found.wrong > 2 && found.first == Some((arrays::PHI, [2, 1, 1])), "{found:?}");
    }
}
