//! The ways in which PEs exchange data, and which of them serve a job.

use clap::ValueEnum;

/// How data are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Device mode if each PE has its own GPU, else host mode
    Auto,
    /// CPU, through host memory: copy to the host, put there, copy back
    Staged,
    /// CPU: puts from GPU memory to GPU memory
    Host,
    /// GPU streams: puts with signals and waits between kernels, recorded in a graph
    Stream,
    /// GPU: one kernel that puts its data with signals and returns after the last iteration
    Device,
    /// GPU: as device, but some blocks exchange data while the others compute
    Fused,
    /// GPU: as fused, but the CPU has described all puts, and the blocks only trigger them
    Triggered,
}

/// Which agent exchanges data in a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The CPU.
    Host {
        /// Through host memory.
        is_staged: bool,
    },
    /// Streams of the GPU.
    Stream,
    /// One persistent kernel.
    Kernel(How),
}

/// What the blocks of a persistent kernel do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// All do the same.
    Device,
    /// Some exchange data, the others compute.
    Fused,
    /// As [`How::Fused`], but the CPU has described all puts, and the blocks only trigger them.
    Triggered,
}

impl Mode {
    /// All modes but [`Mode::Auto`].
    const ALL: [Self; 6] = [Self::Staged, Self::Host, Self::Stream, Self::Device, Self::Fused, Self::Triggered];

    /// The mode's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Staged => "staged",
            Self::Host => "host",
            Self::Stream => "stream",
            Self::Device => "device",
            Self::Fused => "fused",
            Self::Triggered => "triggered",
        }
    }

    /// Who exchanges data.
    pub fn way(self) -> Way {
        match self {
            Self::Staged => Way::Host { is_staged: true },
            Self::Auto | Self::Host => Way::Host { is_staged: false },
            Self::Stream => Way::Stream,
            Self::Device => Way::Kernel(How::Device),
            Self::Fused => Way::Kernel(How::Fused),
            Self::Triggered => Way::Kernel(How::Triggered),
        }
    }

    /// Whether only the CPU waits for neighbours, so that PEs can share a GPU.
    pub(crate) fn waits_on_host(self) -> bool {
        matches!(self.way(), Way::Host { .. })
    }

    /// The modes of this choice that work if up to `sharing` PEs share a GPU.
    pub(crate) fn serving(self, sharing: u32, share_gpu: bool) -> Vec<Self> {
        let serves = |mode: &Self| mode.waits_on_host() || sharing == 1 || share_gpu;
        Self::ALL.into_iter().filter(|mode| [Self::Auto, *mode].contains(&self)).filter(serves).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a comparison that skips modes that the user allows, and a choice that is ignored.
    #[test]
    fn kernels_that_wait_for_each_other_need_a_gpu_each_unless_the_user_allows_it() {
        let all = Mode::ALL.to_vec();
        assert_eq!(Mode::Auto.serving(1, false), all);
        assert_eq!(Mode::Auto.serving(2, true), all);
        assert_eq!(Mode::Auto.serving(2, false), [Mode::Staged, Mode::Host]);
        for mode in all {
            let is_refused = !matches!(mode, Mode::Staged | Mode::Host);
            assert_eq!((mode.serving(1, false), mode.serving(2, true)), (vec![mode], vec![mode]));
            assert_eq!(mode.serving(2, false).is_empty(), is_refused, "{mode:?}");
        }
    }
}
