//! The description of a routine, and the names that follow from it.

use crate::types::{Type, Types};

/// One routine, or one per type or size: `NAME` and `TYPE` stand for each of its family's types.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// Its return type.
    pub returns: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static str,
    /// Whether there is also a `shmem_ctx_` form, whose first argument is the context.
    pub context: bool,
    /// Whether C11 has a form without `NAME`.
    pub generic: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What it does in a kernel, in terms of `xtask/src/cxx/operations.cuh`; empty if kernels cannot call it. With
    /// `SCOPE`, there are also forms for warps and blocks. An `@` is before names of that file, except the first.
    /// `NUMBER` is the type's name in Rust, and `UNSIGNED` that of the type without a sign.
    pub device: &'static str,
}

/// Routines that exist for the same types.
pub struct Family {
    /// Its heading in the header.
    pub title: &'static str,
    /// The types.
    pub types: &'static Types,
    /// The routines.
    pub routines: &'static [Routine],
}

/// A prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// Its return type.
    pub returns: String,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: String,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What it does in a kernel, see [`Routine::device`].
    pub device: String,
}

pub(crate) const fn routine(returns: &'static str, name: &'static str, parameters: &'static str) -> Routine {
    Routine { returns, name, parameters, context: false, generic: false, deprecated: false, device: "" }
}

impl Routine {
    /// Adds a `shmem_ctx_` form.
    pub const fn context(self) -> Self {
        Self { context: true, ..self }
    }

    /// Adds a type-generic form in C11.
    pub const fn generic(self) -> Self {
        Self { generic: true, ..self }
    }

    /// Says what it does in a kernel.
    pub const fn device(self, device: &'static str) -> Self {
        Self { device, ..self }
    }

    /// Marks it as deprecated.
    pub const fn deprecated(self) -> Self {
        Self { deprecated: true, ..self }
    }

    /// `shmem_put` for `shmem_NAME_put`.
    pub(crate) fn without_type(&self) -> String {
        self.name.replacen("NAME_", "", 1)
    }

    /// The form without a context of a routine that has no types.
    pub fn plain(&self) -> Prototype {
        let [returns, name, parameters, device] =
            [self.returns, self.name, self.parameters, self.device].map(str::to_owned);
        Prototype { returns, name, parameters, deprecated: self.deprecated, device }
    }

    /// The routine for one type, and its form with a context.
    pub fn of(&self, t: &Type) -> Vec<Prototype> {
        let put = |text: &str| text.replace("NAME", t.name).replace("TYPE", t.c);
        let plain = Prototype {
            returns: put(self.returns),
            name: put(self.name),
            parameters: put(self.parameters),
            deprecated: self.deprecated || t.deprecated,
            // GPUs have no such types.
            device: if ["long double", "shmem_impl_complexf", "shmem_impl_complexd"].contains(&t.c) {
                String::new()
            } else {
                put(self.device).replace("NUMBER", t.number()).replace("UNSIGNED", &t.number().replace('i', "u"))
            },
        };
        let more = if self.parameters == "void" { String::new() } else { format!(", {}", plain.parameters) };
        let with = self.context.then(|| Prototype {
            name: plain.name.replacen("shmem_", "shmem_ctx_", 1),
            parameters: format!("shmem_ctx_t ctx{more}"),
            device: with_context(&plain.device.replace(", pe)", ", @context_pe(ctx, pe))")),
            ..plain.clone()
        });
        [plain].into_iter().chain(with).collect()
    }
}

/// What a kernel calls for a routine with a context, if that has a function of its own: what a command processor may
/// carry out, and what waits for it.
fn with_context(device: &str) -> String {
    const OWN: [&str; 6] =
        ["put_nbi_SCOPE(", "get_nbi_SCOPE(", "put_signal_nbi_SCOPE(", "fence_SCOPE(", "quiet_SCOPE(", "quiet_pes("];
    let Some(name) = OWN.iter().find(|name| device.starts_with(**name)) else { return device.to_owned() };
    let rest = &device[name.len()..];
    format!("context_{name}ctx{}{rest}", if rest.starts_with(')') { "" } else { ", " })
}

impl Prototype {
    /// The name under which a profiling library that defines the routine itself can call it.
    pub fn twin(&self) -> String {
        format!("p{}", self.name)
    }
}

impl Family {
    /// All its prototypes.
    pub fn prototypes(&self) -> Vec<Prototype> {
        self.types.iter().flat_map(|t| self.routines.iter().flat_map(|r| r.of(t))).collect()
    }
}
