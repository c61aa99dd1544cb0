//! Lines that lanes print.

use cushmem_device::{DevPtr, block_idx_x, kernels_of_module, print_line, thread_idx_x};

kernels_of_module! {
    /// Prints `lines` numbered lines in each lane, and a last one that is long.
    pub unsafe fn print_lines(lines: u32) {
        let mut line = 0;
        while line < lines {
            print_line!("line {}", line);
            line += 1;
        }
        if block_idx_x() == 1 && thread_idx_x() == 2 {
            print_line!(
                "all types: {} {} {} {} {} {}, {{{:x}}} {}, and a text that needs several commands",
                u64::MAX,
                -1i32,
                0.25f32,
                1e300f64,
                line > 0,
                'ß',
                -0x4111_i16,
                i64::MIN
            );
        }
    }

    /// Prints a word before it gives up.
    pub unsafe fn print_and_end(word: DevPtr<u32>) {
        print_line!("the last words, {}", word.read());
        cushmem_device::arch::trap();
    }
}
