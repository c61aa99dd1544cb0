//! How a routine is exported: alone, or also in its form with a context.

/// Exports `shmem_NAME`, the pieces of `NAME` being in parentheses. `$routine` is what the body calls the whole name.
macro_rules! one_form {
    (($($name:expr),+) $routine:ident: ($($argument:ident: $t:ty),*) $(-> $r:ty)? $body:block) => {
        const _: () = {
            /// # Safety
            /// What the specification asks of the arguments.
            #[unsafe(export_name = concat!("shmem_", $($name),+))]
            unsafe extern "C" fn exported($($argument: $t),*) $(-> $r)? {
                #[expect(non_upper_case_globals, reason = "the body may take it for a variable")]
                const $routine: &str = concat!("shmem_", $($name),+);
                $body
            }
        };
    };
}

/// The same, and `shmem_ctx_NAME`, of which PE numbers are those of its context's team. The last argument is the PE, in
/// the body one of the job, which is still to be checked. Bodies whose operations may be pending name the context's
/// handle after it.
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
