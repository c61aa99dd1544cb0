//! Waiting.

use crate::routine::{Family, routine};
use crate::types::{NONE, OLD_WAIT, WAIT};

const ARRAY: &str = "TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value";
const SOME: &str = "TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, TYPE cmp_value";
const ARRAY_EACH: &str = "TYPE *ivars, size_t nelems, const int *status, int cmp, const TYPE *cmp_values";
const SOME_EACH: &str =
    "TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const TYPE *cmp_values";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Waiting for a word of this PE (9.11), in host or GPU memory",
        types: WAIT,
        routines: &[
            routine("void", "shmem_NAME_wait_until", "TYPE *ivar, int cmp, TYPE cmp_value")
                .device("wait_until(ivar, cmp, cmp_value)")
                .generic(),
            routine("int", "shmem_NAME_test", "TYPE *ivar, int cmp, TYPE cmp_value")
                .device("test(ivar, cmp, cmp_value)")
                .generic(),
        ],
    },
    Family {
        title: "Waiting for elements of an array. Elements whose status is not 0 are ignored; status may be NULL",
        types: WAIT,
        routines: &[
            routine("void", "shmem_NAME_wait_until_all", ARRAY)
                .device("wait_many_NUMBER(@address(ivars), nelems, @address(status), cmp, @bits(cmp_value), 0, @ALL_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_wait_until_any", ARRAY)
                .device("wait_many_NUMBER(@address(ivars), nelems, @address(status), cmp, @bits(cmp_value), 0, @ANY_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_wait_until_some", SOME)
                .device("wait_many_NUMBER(@address(ivars), nelems, @address(status), cmp, @bits(cmp_value), 0, @SOME_OF, @address(indices))")
                .generic(),
            routine("int", "shmem_NAME_test_all", ARRAY)
                .device("test_many_NUMBER(@address(ivars), nelems, @address(status), cmp, @bits(cmp_value), 0, @ALL_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_test_any", ARRAY)
                .device("test_many_NUMBER(@address(ivars), nelems, @address(status), cmp, @bits(cmp_value), 0, @ANY_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_test_some", SOME)
                .device("test_many_NUMBER(@address(ivars), nelems, @address(status), cmp, @bits(cmp_value), 0, @SOME_OF, @address(indices))")
                .generic(),
            routine("void", "shmem_NAME_wait_until_all_vector", ARRAY_EACH)
                .device("wait_many_NUMBER(@address(ivars), nelems, @address(status), cmp, 0, @address(cmp_values), @ALL_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_wait_until_any_vector", ARRAY_EACH)
                .device("wait_many_NUMBER(@address(ivars), nelems, @address(status), cmp, 0, @address(cmp_values), @ANY_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_wait_until_some_vector", SOME_EACH)
                .device("wait_many_NUMBER(@address(ivars), nelems, @address(status), cmp, 0, @address(cmp_values), @SOME_OF, @address(indices))")
                .generic(),
            routine("int", "shmem_NAME_test_all_vector", ARRAY_EACH)
                .device("test_many_NUMBER(@address(ivars), nelems, @address(status), cmp, 0, @address(cmp_values), @ALL_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_test_any_vector", ARRAY_EACH)
                .device("test_many_NUMBER(@address(ivars), nelems, @address(status), cmp, 0, @address(cmp_values), @ANY_OF, 0)")
                .generic(),
            routine("size_t", "shmem_NAME_test_some_vector", SOME_EACH)
                .device("test_many_NUMBER(@address(ivars), nelems, @address(status), cmp, 0, @address(cmp_values), @SOME_OF, @address(indices))")
                .generic(),
        ],
    },
    Family {
        title: "Waiting until a word no longer has the value",
        types: OLD_WAIT,
        routines: &[routine("void", "shmem_NAME_wait", "TYPE *ivar, TYPE cmp_value").deprecated()],
    },
    Family {
        title: "Waiting for a word of type long",
        types: NONE,
        routines: &[
            routine("void", "shmem_wait", "long *ivar, long cmp_value").deprecated(),
            routine("void", "shmem_wait_until", "long *ivar, int cmp, long cmp_value").deprecated(),
        ],
    },
];
