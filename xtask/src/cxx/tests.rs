use super::body::{FULL, body, functions};
use super::{Place, bodies, definition, place};

/// As rustc writes it: a function that calls another one, which has a parameter of fewer bits and ends early.
const PTX: &str = "
.func helper
(
	.param .b32 helper_param_0
)
.noreturn;

.visible .func  (.param .b64 func_retval0) outer(
	.param .b64 outer_param_0,
	.param .b32 outer_param_1
)
{
	.reg .pred 	%p<2>;
	.reg .b64 	%rd<5>;

	ld.param.b64 	%rd1, [outer_param_0];
	ld.param.b8 	%rd2, [outer_param_1];
	// begin inline asm
	ld.const.u64 %rd3, [cushmem_context+64]; ld.const.u32 from, [cushmem_context+4];
	// end inline asm
	setp.eq.b64 	%p1, %rd1, 0;
	@%p1 bra 	$L__BB1_2;
	{ // callseq 0, 0
	.param .b32 	param0;
	.param .b64 	retval0;
	st.param.b32 	[param0], %rd2;
	call.uni (retval0), inner, (param0);
	ld.param.b64 	%rd4, [retval0];
	} // callseq 0
	st.param.b64 	[func_retval0], %rd4;
	ret;
$L__BB1_2:
	mov.u32 	%r1, %tid.x;
	st.param.b64 	[func_retval0], %rd3;
	ret;

}
	// .globl	inner
.func  (.param .b64 func_retval0) inner(
	.param .b32 inner_param_0
)
{
	.reg .b32 	%r<2>;

	ld.param.b32 	%r1, [inner_param_0];
	st.param.b64 	[func_retval0], 7;
	ret;

}
";

/// Catches a register with the name of one that an operand is, a call that is left, and a result at the wrong place.
#[test]
fn a_function_and_what_it_calls_become_one_statement() {
    let functions = functions(PTX).expect("functions");
    assert_eq!(functions.keys().collect::<Vec<_>>(), ["inner", "outer"]);
    let body = body(&functions, "outer", false).expect("a body");
    assert_eq!(body.context, [(64, 64), (4, 32)]);
    let expected = "{
.reg .pred \t%%xp<2>;
.reg .b64 \t%%xrd<5>;
mov.b64 %%xrd1, %1;
cvt.u64.u8 %%xrd2, %2;
mov.b64 %%xrd3, %3; mov.b32 from, %4;
setp.eq.b64 \t%%xp1, %%xrd1, 0;
@%%xp1 bra \t$L__BB1_2;
{
.reg .b32 \tparam0;
.reg .b64 \tretval0;
cvt.u32.u64 param0, %%xrd2;
{
.reg .b32 \t%%xr<2>;
mov.b32 %%xr1, param0;
mov.b64 retval0, 7;
}
mov.b64 %%xrd4, retval0;
}
mov.b64 %0, %%xrd4;
bra $E1;
$L__BB1_2:
mov.u32 \t%%xr1, %%tid.x;
mov.b64 %0, %%xrd3;
$E1:
}";
    assert_eq!(body.text, expected);
}

/// Catches a function that ends the kernel and is there once for each call, or to which a kernel that goes on comes.
#[test]
fn what_ends_the_kernel_is_there_once() {
    let call = "	{ // callseq 2, 0
	.param .b32 	param0;
	st.param.b32 	[param0], 5;
	call.uni helper, (param0);
	} // callseq 2\n	trap;\n";
    let start = "	@%p1 bra 	$L__BB1_2;\n";
    let calls = PTX.replace(start, &format!("{start}{call}{call}"));
    let ends = "
.func helper(
	.param .b32 helper_param_0
)
.noreturn
{
	.reg .b32 	%r<2>;
	ld.param.b32 	%r1, [helper_param_0];
	st.global.u32 	[%r1], 3;
	trap;
}
";
    let ptx = calls + ends;
    let text = body(&functions(&ptx).expect("functions"), "outer", false).expect("a body").text;
    assert!(text.starts_with("{\n.reg .b32 end0_0;\n{\n"), "{text}");
    assert_eq!(text.matches("mov.b32 param0, 5;\nmov.b32 end0_0, param0;\nbra $END0;\n}\ntrap;").count(), 2, "{text}");
    let last = "$E1:\n}\nbra $END;\n$END0:\n{\n.reg .b32 \t%%xr<2>;\nmov.b32 %%xr1, end0_0;\nst.global.u32 \t[%%xr1], 3;\ntrap;\n}\n$END:\n}";
    assert!(text.ends_with(last), "{text}");
    let full = format!("{FULL}block");
    let functions = functions(&ptx.replace("outer", &full)).expect("functions");
    assert!(!body(&functions, &full, false).expect("a body").text.contains("$END"));
}

/// Catches a parameter or a result of a function that would be taken for the argument or result of a call in it.
#[test]
fn a_call_does_not_hide_what_its_caller_has() {
    let line = "	ld.param.b32 	%r1, [inner_param_0];\n";
    let call = "	{ // callseq 1, 0\n	.param .b32 	param0;\n	st.param.b32 	[param0], 5;\n	ld.param.b32 	%r1, [inner_param_0];\n	} // callseq 1\n";
    let body = body(&functions(&PTX.replace(line, call)).expect("functions"), "outer", false).expect("a body");
    let expected = "{\n.reg .b32 \tparam0_2;\nmov.b32 param0_2, 5;\nmov.b32 %%xr1, param0;\n}\nmov.b64 retval0, 7;";
    assert!(body.text.contains(expected), "{}", body.text);
}

/// Catches the other half of a parameter of which a function reads its parts.
#[test]
fn a_part_of_a_parameter_is_shifted() {
    let half = "	ld.param.b32 	%r2, [outer_param_0+4];\n	ld.param.b64 	%rd1";
    let body = body(&functions(&PTX.replace("	ld.param.b64 	%rd1", half)).expect("functions"), "outer", false)
        .expect("a body");
    let expected = "{ .reg .b64 part; shr.u64 part, %1, 32; cvt.u32.u64 %%xr2, part; }".replace("u64 %%", "u32 %%");
    assert!(body.text.contains(&expected), "{}", body.text);
}

#[test]
fn a_statement_names_its_operands() {
    let functions = functions(PTX).expect("functions");
    let text =
        definition("outer", &functions["outer"], &body(&functions, "outer", false).expect("a body")).expect("C++");
    assert!(
        text.starts_with("SHMEM_IMPL_INLINE u64 outer(u64 p0, u32 p1) {\n    u64 result;\n    asm volatile(\n"),
        "{text}"
    );
    let operands = r#": "=&l"(result) : "l"(p0), "r"(p1), "l"(context.tables), "r"(context.my_pe) : "memory");"#;
    assert!(text.contains(operands), "{text}");
}

/// Catches words of the context that a function has in registers from its start on.
#[test]
fn a_call_loads_words_of_the_context_where_it_needs_them() {
    let body = body(&functions(PTX).expect("functions"), "outer", true).expect("a body");
    assert!(body.context.is_empty());
    assert!(body.text.starts_with("{\n.reg .b64 context;\ncvta.to.const.u64 context, %3;\n"), "{}", body.text);
    assert!(body.text.contains("ld.const.u64 %%xrd3, [context+64]; ld.const.u32 from, [context+4];"), "{}", body.text);
}

/// Catches a function that waits or asks the CPU and whose code every kernel would contain.
#[test]
fn long_functions_are_called() {
    assert!([place("wait_u64"), place("barrier_block")].iter().all(|place| *place == Place::Call));
    assert!(place("far_post") == Place::Far);
    assert!(
        place("copy_to_block") == Place::Inline
            && place("reach") == Place::Pure
            && place("refuse_member") == Place::End
    );
}

/// Catches a wide body under a name of its own, which nobody would call, or without the usual one beside it.
#[test]
fn a_wide_function_takes_the_place_of_the_usual_one() {
    let outer = &PTX[PTX.find(".visible .func").expect("the function")..PTX.find("\t// .globl").expect("its end")];
    let wide = outer.replace("outer", "wide_outer").replace("tid.x", "tid.y");
    let text = bodies(&format!("{PTX}{wide}"), false).expect("functions of C++");
    let (first, second) = text[text.find("#ifdef SHMEMX_WIDE").expect("a choice")..].split_once("#else").expect("two");
    assert!(first.contains(" outer(") && first.contains("tid.y") && !first.contains("tid.x"), "{text}");
    assert!(second.contains(" outer(") && second.contains("tid.x") && !second.contains("tid.y"), "{text}");
    assert!(!text.contains("wide_"), "{text}");
    assert_eq!((text.matches("#ifdef").count(), text.matches("#endif").count()), (1, 1), "`inner` has no wide form");
}
