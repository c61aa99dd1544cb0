//! Messages between the PEs and the rendezvous.

use cushmem_bootstrap::rendezvous::Request;
use cushmem_bootstrap::socket::Progress;

use super::Supervisor;
use super::ending::Cause;

/// How many messages of one PE are taken before the other PEs and everything else get their turn. Usually only a few
/// are waiting.
const MAX_MESSAGES_A_TURN: usize = 64;

impl Supervisor {
    /// Takes the messages that the PE has sent. A flood of messages is taken over several turns.
    pub(super) fn take_messages(&mut self, pe: u32) {
        let number = self.pes[pe as usize].number;
        for _ in 0..MAX_MESSAGES_A_TURN {
            let Some(socket) = &self.pes[pe as usize].socket else { return };
            let cause = match socket.try_receive(&mut self.buffer) {
                Ok(Progress::Done(received)) => {
                    let bytes = &self.buffer[..received.bytes];
                    match self.rendezvous.receive(pe, bytes, received.descriptors, received.lost_descriptors) {
                        Ok(Request::Nothing) => continue,
                        Ok(Request::Abort { code, message }) => {
                            self.end(Cause::Aborted { pe: number, code, message });
                            continue;
                        }
                        Err(what) => Cause::Violation { pe: number, what },
                    }
                }
                Ok(Progress::WouldBlock) => return,
                // The end of the process will follow, with the reason.
                Ok(Progress::Closed) => {
                    self.pes[pe as usize].socket = None;
                    return;
                }
                Err(error) => Cause::Violation { pe: number, what: error.desc().to_string() },
            };
            self.end(cause);
            self.pes[pe as usize].socket = None;
        }
    }

    /// Sends as many of the messages for the PE as its socket accepts.
    pub(super) fn send_messages(&mut self, pe: u32) {
        while let (Some(socket), Some(message)) = (&self.pes[pe as usize].socket, self.rendezvous.next_outgoing(pe)) {
            match socket.try_send(message.bytes(), message.descriptor()) {
                Ok(Progress::Done(())) => self.rendezvous.sent(pe),
                Ok(Progress::WouldBlock) => return,
                // The PE may have sent the reason.
                Ok(Progress::Closed) => return self.take_messages(pe),
                Err(error) => {
                    let peer = &mut self.pes[pe as usize];
                    peer.socket = None;
                    let pe = peer.number;
                    self.end(Cause::Violation { pe, what: format!("send to it: {}", error.desc()) });
                }
            }
        }
    }
}
