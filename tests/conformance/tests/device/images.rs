//! Kernels that were not made by a crate with `kernels!`.

use crate::rig::Rig;
use cushmem::{DevPtr, Grid, Image, Kernel, Shmem};
use cushmem_conformance::{conformance, expect_words};

conformance! { soft, cuda => {
    ptx_of_any_origin: 1;
} }

#[derive(Clone, Copy)]
struct Scale;

impl Kernel for Scale {
    type Args = (DevPtr<f32>, f32);
    const NAME: &'static str = "scale";
}

const PTX: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 x, .param .f32 by) {
    .reg .b32 %r<2>;
    .reg .b64 %d<4>;
    .reg .f32 %f<4>;
    ld.param.u64 %d1, [x];
    ld.param.f32 %f1, [by];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    ld.global.f32 %f2, [%d3];
    mul.rn.f32 %f3, %f2, %f1;
    st.global.f32 [%d3], %f3;
    ret;
}
";

fn ptx_of_any_origin(shmem: &Shmem) {
    let module = shmem.load(Image::new("scale.ptx", PTX.as_bytes()));
    if shmem.gpu().is_some_and(|gpu| gpu.emulated) {
        let error = module.err().expect("the emulated GPU runs no PTX").to_string();
        assert!(error.contains("scale.ptx") && error.contains("the emulated GPU runs kernels of crates"), "{error}");
        return;
    }
    let rig = Rig::new(shmem);
    let words: Vec<f32> = (0..64).map(|i| i as f32).collect();
    let x = rig.private(&words);
    let module = module.expect("load");
    // SAFETY: the kernel takes an address and a number, and changes one element in each of 64 lanes.
    unsafe { rig.stream.launch(&module, Scale, Grid::linear(1, 64), (x.device_ptr(), 2.5)) }.expect("launch");
    rig.wait();
    expect_words(|| "scaled numbers".into(), &x.to_vec().expect("read"), |i| 2.5 * i as f32);

    let error = shmem.load(Image::new("nothing.ptx", b"\n")).err().expect("there is nothing to load").to_string();
    assert!(error.contains("nothing.ptx") && error.contains("the PTX or cubin is empty"), "{error}");
}
