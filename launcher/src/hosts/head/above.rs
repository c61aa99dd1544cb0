//! What the launcher above says to a head on a host of several.

use nix::sys::signal::Signal;

use super::Head;
use crate::hosts::frame::{Frame, Standard};
use crate::hosts::rounds::Side;
use crate::signals;
use crate::supervisor::Cause;

impl Head {
    /// Sends a frame to the launcher above, if there is one.
    pub(super) fn tell_above(&self, frame: &Frame) {
        self.uplink.iter().for_each(|uplink| uplink.send(frame));
    }

    /// Does what the launcher above asks for.
    pub(super) fn hear_above(&mut self) {
        let Some(link) = self.uplink.as_ref().map(|uplink| uplink.link().clone()) else { return };
        for frame in link.receive() {
            if let Err(what) = self.take_order(frame) {
                self.give_up(&what);
            }
        }
        if link.end().is_some() {
            // The link may have ended because the front was killed, which the launcher above can still be told.
            self.hear_front();
            self.end_alone();
        }
        self.uplink.iter_mut().for_each(|uplink| uplink.pass_input());
    }

    /// The error says that the launcher above never sends this.
    fn take_order(&mut self, frame: Frame) -> Result<(), String> {
        match frame {
            Frame::Complete { seq, all } => {
                let frames = self.rounds.complete_with(seq, all)?;
                self.send(frames);
            }
            Frame::Broken { reason } => {
                let frames = self.rounds.broken(Some(Side::Above), reason);
                self.send(frames);
            }
            Frame::WhoIsLate { seq } => {
                let frames = self.rounds.who_is_late(Side::Above, seq);
                self.send(frames);
            }
            Frame::Late { seq, pes, since } => {
                let frames = self.rounds.late(Side::Above, seq, pes, since);
                self.send(frames);
            }
            Frame::Gone { pe } => {
                let frames = self.rounds.gone(Side::Above, pe);
                self.send(frames);
            }
            Frame::End { status } => self.end(Cause::Elsewhere { status }, vec![]),
            Frame::Kill => {
                self.end(Cause::Elsewhere { status: crate::STATUS_LAUNCHER }, vec![]);
                self.kill_pes();
            }
            Frame::Signal(number) => {
                let signal = Signal::try_from(number).map_err(|error| error.to_string())?;
                if signals::ENDING.contains(&signal) {
                    self.console.was_signalled = true;
                    self.pass_on_to_all(signal);
                } else {
                    self.pass_on(signal);
                }
            }
            Frame::Inquire => self.inquire(),
            Frame::Clock { host, .. } | Frame::Take { host, .. } | Frame::Counted { host, .. } => {
                self.send_to_host(host as usize, frame)
            }
            Frame::Piece(Standard::Out, bytes) if bytes.is_empty() => self.has_reader = false,
            Frame::Piece(Standard::In, bytes) => self.uplink.iter_mut().for_each(|uplink| uplink.take_input(&bytes)),
            _ => return Err("not a frame for a host".into()),
        }
        Ok(())
    }
}
