//! How a routine is exported: alone, or together with its form that takes a context.

/// Exports `shmem_NAME`; `NAME` is made of the pieces in parentheses. The body uses `$routine` for the whole name.
macro_rules! one_form {
    (($($name:expr),+) $routine:ident: ($($argument:ident: $t:ty),*) $(-> $r:ty)? $body:block) => {
        const _: () = {
            /// # Safety
            /// As the specification requires of the arguments.
            #[unsafe(export_name = concat!("shmem_", $($name),+))]
            unsafe extern "C" fn exported($($argument: $t),*) $(-> $r)? {
                const $routine: &str = concat!("shmem_", $($name),+);
                $body
            }
        };
    };
}

/// Exports `shmem_NAME` as well as `shmem_ctx_NAME`, whose PE numbers are those of its context's team. The last
/// argument is the PE; in the body it is a number in the job that has not been checked yet. Bodies whose operations may
/// be pending name the context's handle after it.
macro_rules! both_forms {
    (($($name:expr),+) $routine:ident, $pe:ident, $ctx:ident: ($($argument:ident: $t:ty),*) $(-> $r:ty)? $body:block) => {
        one_form! { ($($name),+) $routine: ($($argument: $t,)* $pe: std::ffi::c_int) $(-> $r)? {
            let ($pe, $ctx) = ($pe.cast_unsigned(), crate::context::DEFAULT_HANDLE);
            $body
        } }
        one_form! { ("ctx_", $($name),+) $routine: ($ctx: crate::context::Ctx, $($argument: $t,)* $pe: std::ffi::c_int) $(-> $r)? {
            let $pe = crate::context::world_pe($routine, $ctx, $pe);
            $body
        } }
    };
    (($($name:expr),+) $routine:ident, $pe:ident: ($($argument:ident: $t:ty),*) $(-> $r:ty)? $body:block) => {
        one_form! { ($($name),+) $routine: ($($argument: $t,)* $pe: std::ffi::c_int) $(-> $r)? {
            let $pe = $pe.cast_unsigned();
            $body
        } }
        one_form! { ("ctx_", $($name),+) $routine: (ctx: crate::context::Ctx, $($argument: $t,)* $pe: std::ffi::c_int) $(-> $r)? {
            let $pe = crate::context::world_pe($routine, ctx, $pe);
            $body
        } }
    };
}
