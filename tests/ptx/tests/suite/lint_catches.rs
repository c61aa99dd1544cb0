//! Hand-made examples of each fault that the lint looks for, so that a rule that stops working is noticed.

use xtask::ptx::lint::{Allow, Rule, lint};

fn in_kernel(body: &str) -> String {
    format!(".version 7.8\n.target sm_75\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{{\n{body}\n\tret;\n}}\n")
}

fn rules(ptx: &str) -> Vec<Rule> {
    lint(ptx, &Allow::default()).iter().map(|f| f.rule).collect()
}

fn in_asm(body: &str) -> String {
    in_kernel(&format!("\t// begin inline asm\n\t{body}\n\t// end inline asm"))
}

#[test]
fn a_clean_kernel_is_clean() {
    let body = "\
	.reg .b64 	%rd<4>;
	fence.acq_rel.sys;
	// begin inline asm
	{ .reg .pred p; st.release.sys.global.u64 [%rd1], %rd2; }
	// end inline asm
	ld.acquire.sys.global.u64 %rd3, [%rd1];
	ld.volatile.global.u64 %rd3, [%rd1];
	st.global.L1::no_allocate.v2.u64 [%rd1], {%rd2, %rd3};
	atom.acq_rel.sys.global.add.u64 %rd3, [%rd1], %rd2;
	@%p1 red.release.sys.global.add.u64 [%rd1], %rd2;
	bar.sync 	0;
	shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;";
    assert_eq!(rules(&in_kernel(body)), []);
}

#[test]
fn panics_and_functions_of_other_crates() {
    let ptx = format!(".extern .func core_panicking\n(\n\t.param .b64 p\n)\n;\n{}", in_kernel(""));
    assert_eq!(rules(&ptx), [Rule::UnresolvedExtern]);
    let with_result = ".extern .func  (.param .b32 func_retval0) memcmp(.param .b64 a);\n";
    assert_eq!(rules(with_result), [Rule::UnresolvedExtern]);
    assert_eq!(rules(".extern .func  (.param .b32 func_retval0) vprintf\n(\n\t.param .b64 a\n)\n;\n"), []);
    assert_eq!(rules(".extern .shared .align 16 .b8 dynamic[];\n"), []);
}

#[test]
fn calls_into_nothing() {
    let call = "\t{ // callseq 0, 0\n\tcall.uni (retval0), \n\tgone, \n\t(\n\tparam0\n\t);\n\t} // callseq 0";
    assert_eq!(rules(&in_kernel(call)), [Rule::UndefinedCall]);
    let defined = format!(".func gone(.param .b64 a)\n{{\n\tret;\n}}\n{}", in_kernel(call));
    assert_eq!(rules(&defined), []);
}

#[test]
fn atomics_that_lost_order_or_scope() {
    for weak in [
        "atom.global.add.u64 %rd1, [%rd2], %rd3;",
        "atom.add.u64 %rd1, [%rd2], %rd3;",
        "atom.sys.global.add.u64 %rd1, [%rd2], %rd3;",
        "atom.acq_rel.global.cas.b64 %rd1, [%rd2], %rd3, %rd4;",
        "@%p1 red.global.add.u32 [%rd2], %r3;",
    ] {
        assert_eq!(rules(&in_kernel(weak)), [Rule::WeakAtomic], "{weak}");
        assert_eq!(rules(&in_asm(weak)), [Rule::WeakAtomic], "{weak}");
    }
}

#[test]
fn loads_and_stores_with_half_an_order() {
    for half in [
        "ld.sys.global.u64 %rd1, [%rd2];",
        "ld.acquire.global.u64 %rd1, [%rd2];",
        "st.release.global.u64 [%rd2], %rd1;",
        "st.sys.u32 [%rd2], %r1;",
    ] {
        assert_eq!(rules(&in_kernel(half)), [Rule::HalfOrderedAccess], "{half}");
    }
}

#[test]
fn convergent_instructions_in_asm() {
    for convergent in [
        "bar.sync 0;",
        "barrier.cta.sync.aligned 0;",
        "bar.warp.sync -1;",
        "{ .reg .pred p; setp.eq.u32 p, 0, 0; shfl.sync.idx.b32 %r1|p, %r2, 0, 31, -1; }",
        "vote.sync.ballot.b32 %r1, %p1, -1;",
        "match.any.sync.b64 %r1, %rd1, -1;",
        "redux.sync.add.u32 %r1, %r2, -1;",
    ] {
        assert_eq!(rules(&in_asm(convergent)), [Rule::ConvergentInAsm], "{convergent}");
        assert_eq!(rules(&in_kernel(convergent)), [], "{convergent} from an intrinsic is right");
    }
    assert_eq!(rules(&in_asm("mbarrier.init.shared.b64 [%r1], 1;")), []);
}

#[test]
fn local_memory_unless_allowed() {
    let ptx = in_kernel("\t.local .align 8 .b8 \t__local_depot0[16];");
    assert_eq!(rules(&ptx), [Rule::LocalMemory]);
    let allow = Allow { local: vec!["k".into()], nc: Vec::new() };
    assert_eq!(lint(&ptx, &allow), []);
}

#[test]
fn non_coherent_loads_unless_allowed() {
    let ptx = in_kernel("\tld.global.nc.u64 %rd1, [%rd2];");
    assert_eq!(rules(&ptx), [Rule::NonCoherentLoad]);
    let allow = Allow { local: Vec::new(), nc: vec!["k".into()] };
    assert_eq!(lint(&ptx, &allow), []);
}

/// Catches an exemption that applies to the whole module instead of one kernel.
#[test]
fn what_one_kernel_may_the_next_may_not() {
    let body = "\t.local .align 8 .b8 \t__local_depot0[16];\n\tld.global.nc.u64 %rd1, [%rd2];";
    let two = format!("{}{}", in_kernel(body), in_kernel(body).replace("entry k(", "entry other("));
    let faults = |allow| lint(&two, &allow).into_iter().map(|f| (f.rule, f.function.unwrap())).collect::<Vec<_>>();
    let (k, other) = (|| "k".to_owned(), || "other".to_owned());
    assert_eq!(
        faults(Allow { local: vec![k()], nc: vec![other()] }),
        [(Rule::NonCoherentLoad, k()), (Rule::LocalMemory, other())]
    );
    assert_eq!(faults(Allow { local: vec![k(), other()], nc: vec![other(), k()] }), []);
}

#[test]
fn a_fault_says_where() {
    let faults = lint(&in_kernel("\tatom.add.u32 %r1, [%rd1], 1;"), &Allow::default());
    let message = faults[0].to_string();
    assert!(message.starts_with("line 7 in k: `atom.add.u32 %r1, [%rd1], 1`: atomic without"), "{message}");
}

#[test]
fn every_rule_explains_itself() {
    for rule in Rule::ALL {
        assert!(rule.why().len() > 30, "{rule:?}");
    }
}
