//! The kernels for each type of value.

use cushmem::{DevPtr, DeviceTrigger, Kernel};
use lbm_kernels as kernels;
use lbm_kernels::cell::{Params, Real};
use lbm_kernels::layout::{Boxes, Part, Piece, Run, Shape, Watch};

/// A type of value, with the kernels for it.
pub trait Element: Real {
    const START: Self::Start;
    const ORDER_PARAMETER: Self::OrderParameter;
    const MOMENTUM: Self::Momentum;
    const OBSERVE: Self::Observe;
    const HASH: Self::Hash;
    const PACK: Self::Pack;
    const UNPACK: Self::Unpack;
    const PERSISTENT: Self::Persistent;
    const TRIGGERED: Self::Triggered;
    type Start: Kernel<Args = (DevPtr<Self>, Shape, Params<Self>, Boxes, Watch)>;
    type OrderParameter: Kernel<Args = (DevPtr<Self>, Shape, Params<Self>, u32, Boxes)>;
    type Momentum: Kernel<Args = (DevPtr<Self>, Shape, Params<Self>, u32, Boxes, Watch)>;
    type Observe: Kernel<Args = (DevPtr<Self>, Shape, Params<Self>, u32, Part, DevPtr<f64>)>;
    type Hash: Kernel<Args = (DevPtr<Self>, Shape, u32, Part, Watch, DevPtr<u64>)>;
    type Pack: Kernel<Args = (DevPtr<Self>, u32, DevPtr<Piece>, DevPtr<Self>)>;
    type Unpack: Kernel<Args = (DevPtr<Self>, u32, DevPtr<Piece>, DevPtr<Self>)>;
    type Persistent: Kernel<
        Args = (
            DevPtr<Self>,
            Shape,
            Params<Self>,
            Run,
            Boxes,
            DevPtr<Piece>,
            DevPtr<Self>,
            DevPtr<Self>,
            DevPtr<u64>,
            DevPtr<u32>,
            DevPtr<u64>,
            Watch,
        ),
    >;
    type Triggered: Kernel<
        Args = (
            DevPtr<Self>,
            Shape,
            Params<Self>,
            Run,
            Boxes,
            DevPtr<Piece>,
            DevPtr<DeviceTrigger>,
            DevPtr<Self>,
            DevPtr<Self>,
            DevPtr<u64>,
            DevPtr<u32>,
            DevPtr<u64>,
            Watch,
        ),
    >;
}

macro_rules! elements { ($($t:ty: $start:ident $order:ident $momentum:ident $observe:ident $hash:ident $pack:ident $unpack:ident $persistent:ident $triggered:ident;)*) => {$(
    impl Element for $t {
        const START: Self::Start = kernels::$start;
        const ORDER_PARAMETER: Self::OrderParameter = kernels::$order;
        const MOMENTUM: Self::Momentum = kernels::$momentum;
        const OBSERVE: Self::Observe = kernels::$observe;
        const HASH: Self::Hash = kernels::$hash;
        const PACK: Self::Pack = kernels::$pack;
        const UNPACK: Self::Unpack = kernels::$unpack;
        const PERSISTENT: Self::Persistent = kernels::$persistent;
        const TRIGGERED: Self::Triggered = kernels::$triggered;
        type Start = kernels::$start;
        type OrderParameter = kernels::$order;
        type Momentum = kernels::$momentum;
        type Observe = kernels::$observe;
        type Hash = kernels::$hash;
        type Pack = kernels::$pack;
        type Unpack = kernels::$unpack;
        type Persistent = kernels::$persistent;
        type Triggered = kernels::$triggered;
    }
)*} }
elements! {
    f32: start_f32 order_parameter_f32 momentum_f32 observe_f32 hash_f32 pack_f32 unpack_f32 persistent_f32 triggered_f32;
    f64: start_f64 order_parameter_f64 momentum_f64 observe_f64 hash_f64 pack_f64 unpack_f64 persistent_f64 triggered_f64;
}
