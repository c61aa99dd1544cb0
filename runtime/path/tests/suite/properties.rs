//! Properties that hold on any machine.

use cushmem_path::{Cost, Figure, GpuLink, LocalKind, Machine, Operation, Overrides, Path, Policy, Request, State};
use proptest::prelude::*;

fn figures() -> impl Strategy<Value = Vec<(f64, f64, f64)>> {
    proptest::collection::vec((0.0..5_000.0, 0.0..20_000.0, 0.01..500.0), Path::COUNT)
}

/// Draws each transport, and everything else that a machine may have.
fn machine() -> impl Strategy<Value = Machine> {
    (0u16..1 << Path::COUNT, 0u16..256, figures()).prop_map(|(transports, has, figures)| {
        let said = |bit: bool, what: &str| if bit { Ok(()) } else { Err(format!("{what} is absent")) };
        let mut machine = Machine::today(GpuLink::Pcie);
        machine.gpu = said(has & 1 != 0, "a GPU");
        machine.streams = said(has & 2 != 0, "a stream");
        machine.kernels_reach_host = said(has & 4 != 0, "pinned memory");
        machine.kernel_atomics_on_host = said(has & 8 != 0, "a host atomic");
        machine.kernel_commands = said(has & 16 != 0, "a command");
        machine.kernel_commands_beyond_heaps = said(has & 32 != 0, "a command for globals");
        machine.attached_words = said(has & 64 != 0, "an owner that is asked");
        machine.agent_copies = said(has & 128 != 0, "a GPU of one PE");
        for (at, (path, figure)) in Path::ALL.iter().zip(figures).enumerate() {
            machine.set_transport(*path, said(transports >> at & 1 == 1, path.word()));
            let cost = Cost::new(figure.0, figure.1, figure.2).expect("a cost");
            for (from, to) in LocalKind::ALL.iter().flat_map(|from| LocalKind::ALL.iter().map(move |to| (*from, *to))) {
                machine.costs.set(*path, from, to, Figure { cost, source: "a number of this test".into() });
            }
        }
        machine
    })
}

/// Draws a value of `CUSHMEM_PATH` that asks for a path everywhere, for one operation, and between some kinds of
/// memory.
fn overrides() -> impl Strategy<Value = String> {
    let path = || proptest::sample::select(Path::ALL).prop_map(Path::word);
    let operation = proptest::sample::select(Operation::ALL).prop_map(Operation::word);
    let local = proptest::sample::select(LocalKind::ALL).prop_map(LocalKind::word);
    prop_oneof![
        path().prop_map(str::to_owned),
        (operation, path()).prop_map(|(operation, path)| format!("{operation}={path}")),
        (local, path(), path()).prop_map(|(local, path, other)| format!("{other},kernel:{local}-any={path}")),
    ]
}

fn free(machine: &Machine) -> Policy {
    Policy::new(machine, &Overrides::default())
}

fn can_serve(policy: &Policy, request: Request, path: Path) -> bool {
    let verdicts = policy.explain(request).verdicts;
    let verdict = verdicts.iter().find(|verdict| verdict.path == path).expect("every path is judged");
    !matches!(verdict.state, State::Cannot(_))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_chosen_serves_and_is_the_cheapest(machine in machine(), bytes in prop_oneof![0u64..100_000, any::<u64>()]) {
        let policy = free(&machine);
        for request in Request::all() {
            let able: Vec<Path> = Path::ALL.iter().copied().filter(|path| can_serve(&policy, request, *path)).collect();
            let Ok(chosen) = policy.choose(request, bytes) else {
                prop_assert!(able.is_empty(), "{request} is refused, but {able:?} can serve");
                continue;
            };
            prop_assert!(able.contains(&chosen), "{request}: {chosen} cannot serve");
            prop_assert!(chosen != Path::Proxy || able.len() == 1, "{request}: the proxy, where others serve");
            let ns = |path: Path| machine.costs.of(path, request).ns(bytes);
            for other in able.into_iter().filter(|path| *path != Path::Proxy) {
                prop_assert!(ns(chosen) <= ns(other) * (1.0 + 1e-9), "{request}, {bytes} bytes: {other} costs less than {chosen}");
            }
        }
    }

    #[test]
    fn a_refusal_names_a_reason_for_every_path(machine in machine()) {
        let policy = free(&machine);
        for refusal in Request::all().filter_map(|request| policy.choose(request, 8).err()) {
            let explanation = policy.explain(refusal);
            prop_assert!(explanation.is_refusal());
            let mut paths: Vec<Path> = explanation.verdicts.iter().map(|verdict| verdict.path).collect();
            paths.sort();
            prop_assert_eq!(paths, Path::ALL);
            for verdict in &explanation.verdicts {
                prop_assert!(matches!(&verdict.state, State::Cannot(why) if !why.is_empty()), "{:?}", verdict);
            }
        }
    }

    #[test]
    fn thresholds_grow_and_the_last_is_any_size(machine in machine()) {
        let policy = free(&machine);
        for request in Request::all() {
            let steps = policy.steps(request);
            prop_assert!(steps.is_sorted_by(|a, b| a.up_to < b.up_to), "{request}: {steps:?}");
            prop_assert!(steps.last().is_none_or(|step| step.up_to == u64::MAX), "{request}: {steps:?}");
            let paths: std::collections::BTreeSet<Path> = steps.iter().map(|step| step.path).collect();
            prop_assert_eq!(paths.len(), steps.len());
            for step in steps {
                prop_assert_eq!(policy.choose(request, step.up_to), Ok(step.path));
            }
        }
    }

    #[test]
    fn a_transport_more_refuses_nothing(machine in machine(), added in 0..Path::COUNT) {
        let mut larger = machine.clone();
        larger.set_transport(Path::ALL[added], Ok(()));
        let (before, after) = (free(&machine), free(&larger));
        for request in Request::all().filter(|request| before.choose(*request, 8).is_ok()) {
            prop_assert!(after.choose(request, 8).is_ok(), "{request} is refused with {}", Path::ALL[added]);
        }
    }

    #[test]
    fn an_override_is_followed_where_its_path_serves_and_nowhere_else(machine in machine(), text in overrides()) {
        let overrides = Overrides::parse(&text).expect("valid overrides");
        let (forced, policy) = (Policy::new(&machine, &overrides), free(&machine));
        for request in Request::all() {
            let chosen = forced.choose(request, 1 << 20);
            match forced.wanted(request).filter(|path| can_serve(&policy, request, *path)) {
                Some(path) => prop_assert_eq!(chosen, Ok(path)),
                None => prop_assert_eq!(chosen, policy.choose(request, 1 << 20)),
            }
        }
    }

    /// If the error says that no row can follow, there must be none.
    #[test]
    fn overrides_are_refused_only_if_nothing_follows(machine in machine(), path in proptest::sample::select(Path::ALL)) {
        let overrides = Overrides::parse(path.word()).expect("a path");
        let policy = free(&machine);
        let serves_somewhere = Request::all().any(|request| can_serve(&policy, request, path));
        prop_assert_eq!(overrides.check(&machine).is_ok(), serves_somewhere);
    }
}
