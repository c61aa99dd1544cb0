//! What the launchers below a head get and say.

use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::read;

use super::Head;
use crate::args::Args;
use crate::host_list::{Branch, Part, some_of};
use crate::hosts::frame::{Frame, Job, Standard};
use crate::hosts::link::{End, Link, silence};
use crate::hosts::remote::{News, Remote};
use crate::hosts::rounds::Side;
use crate::supervisor::Cause;

/// The variables that PEs on other hosts get besides those that the user names.
const PASSED_ON: [&[u8]; 3] = [b"CUSHMEM_", b"SHMEM_", b"FI_"];

impl Head {
    /// Takes what has come from a launcher below.
    pub(super) fn hear(&mut self, remote: usize) {
        match self.remotes[remote].advance() {
            News::None => {}
            News::Greeted(link) => self.hand_over(remote, &link),
            News::Failed(why) => {
                self.cannot_connect(self.remotes[remote].branch.host, why);
                self.cut(remote);
            }
        }
        let stderr = self.console.stderr.clone();
        self.remotes[remote].read_stderr(Some(&stderr));
        let Some(link) = self.remotes[remote].link().cloned() else { return };
        for frame in link.receive() {
            if let Err(what) = self.take_frame(remote, frame) {
                self.lose(remote, format!("broke the protocol: {what}"));
            }
        }
        let outlets = [&self.console.stdout, &self.console.stderr];
        let has_reader = self.has_reader && self.console.stdout.error().is_none();
        self.remotes[remote].pass_output(outlets, has_reader);
        match self.remotes[remote].take_end() {
            None => {}
            // What connects to it may not notice that the host is cut off.
            Some(_) if self.remotes[remote].is_over => self.cut(remote),
            Some(End::Closed) => self.lose(remote, "has gone: the connection to its shmemrun ended".to_owned()),
            Some(End::Silent) => self.lose(remote, format!("has not answered for {} s", silence().as_secs())),
            Some(End::Malformed(what)) => self.lose(remote, format!("broke the protocol: {what}")),
        }
    }

    /// Sends the job to a launcher that has greeted.
    fn hand_over(&mut self, remote: usize, link: &Link) {
        self.remotes[remote].forget_early();
        if self.ending.is_some() {
            // It finds the link closed when the program that connects it has been killed, and is not lost: the job has
            // another reason to end.
            self.remotes[remote].is_lost = true;
            return self.cut(remote);
        }
        let Remote { branch, pes, .. } = &self.remotes[remote];
        let part = Part { branch: branch.clone(), job_id: self.job_id.clone(), hosts: self.args.hosts.clone() };
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let input = self.input.take_if(|_| pes.first() == Some(&0));
        link.send(&Frame::Job(Job {
            part: part.to_string(),
            words: std::env::args_os().skip(1).map(OsStringExt::into_vec).collect(),
            folder: folder.as_os_str().as_bytes().to_vec(),
            variables: variables(self.args),
            has_input: input.is_some(),
        }));
        self.compare_first(remote);
        if let Some(input) = input {
            let link = link.clone();
            // It ends with this process: a read of a terminal or a pipe cannot be interrupted.
            let reader = std::thread::Builder::new().name("cushmem-input".into());
            if let Err(error) = reader.spawn(move || send_input(&link, &input)) {
                self.console.say(&format!("PE 0 gets no standard input: {error}"));
            }
        }
    }

    /// The error says how the launcher broke the protocol.
    fn take_frame(&mut self, remote: usize, frame: Frame) -> Result<(), String> {
        match frame {
            Frame::Gathered(gathered) => {
                let frames = self.rounds.gathered(remote, gathered)?;
                self.send(frames);
            }
            Frame::Broken { reason } => {
                let frames = self.rounds.broken(Some(Side::Below(remote)), reason);
                self.send(frames);
            }
            Frame::WhoIsLate { seq } => {
                let frames = self.rounds.who_is_late(Side::Below(remote), seq);
                self.send(frames);
            }
            Frame::Late { seq, pes, since } => {
                let frames = self.rounds.late(Side::Below(remote), seq, pes, since);
                self.send(frames);
            }
            Frame::Gone { pe } => {
                let frames = self.rounds.gone(Side::Below(remote), pe);
                self.send(frames);
            }
            Frame::Failed { cause, suspects } => {
                let pe = cause.pe().filter(|pe| self.remotes[remote].pes.contains(pe));
                pe.ok_or_else(|| "it reported the failure of a PE that is not there".to_owned())?;
                self.tell_above(&Frame::Failed { cause: cause.clone(), suspects: suspects.clone() });
                self.end(cause, suspects);
            }
            Frame::NotStarted(why) => {
                why.host.map(|host| self.remotes[remote].host(host)).transpose()?;
                self.cannot_start(why);
            }
            Frame::Tail { pe, lines } => match &self.uplink {
                Some(uplink) => uplink.send(&Frame::Tail { pe, lines }),
                None => self.tails.push((pe, lines)),
            },
            Frame::States { lines, uncounted } => {
                let remote = &mut self.remotes[remote];
                match uncounted.iter().find(|pe| remote.pes.binary_search(pe).is_err()) {
                    Some(pe) => return Err(format!("it spoke of what PE {pe} counted, which is not there")),
                    None => remote.states = Some((lines, uncounted)),
                }
            }
            Frame::Piece(stream @ (Standard::Out | Standard::Err), bytes) => {
                let outlet = if stream == Standard::Out { &self.console.stdout } else { &self.console.stderr };
                self.remotes[remote].take_output(stream, &bytes, outlet)?;
            }
            // The thread that reads standard input ends when it has the next piece.
            Frame::Piece(Standard::In, bytes) if bytes.is_empty() => {
                self.remotes[remote].link().into_iter().for_each(|link| link.give_up(Standard::In));
            }
            Frame::Ended { host } => {
                let ended = self.remotes[remote].host(host)?;
                self.remotes[remote].running.retain(|host| *host != ended);
                self.tell_above(&Frame::Ended { host });
                self.ask_last(ended);
            }
            Frame::Clock { host, .. }
            | Frame::Record { host, .. }
            | Frame::Recorded { host }
            | Frame::Counts { host, .. }
                if self.uplink.is_some() =>
            {
                self.remotes[remote].host(host)?;
                self.tell_above(&frame);
            }
            Frame::Clock { host, reading } => {
                let host = self.remotes[remote].host(host)?;
                self.take_time(host, reading);
            }
            Frame::Record { host, pe, at, bytes } => {
                let host = self.remotes[remote].host(host)?;
                self.take_record(host, pe, at, &bytes)?;
            }
            Frame::Recorded { host } => {
                let host = self.remotes[remote].host(host)?;
                self.has_recorded(host)?;
            }
            Frame::Counts { host, pe, at, bytes } => {
                let host = self.remotes[remote].host(host)?;
                self.take_counts(host, pe, at, &bytes)?;
            }
            Frame::Lost { host, how } => {
                let host = self.remotes[remote].host(host)?;
                self.report_lost(host, how);
            }
            Frame::Over { status } => {
                self.remotes[remote].is_over = true;
                if status != 0 && self.ending.is_none() {
                    self.lose(remote, format!("has ended its PEs with status {status}"));
                }
            }
            other => return Err(format!("a frame of kind {} is not one of a host", other.kind())),
        }
        Ok(())
    }

    /// Ends the job because a launcher below is lost, and with it those of the hosts behind it.
    fn lose(&mut self, remote: usize, mut how: String) {
        self.cut(remote);
        if std::mem::replace(&mut self.remotes[remote].is_lost, true) {
            return;
        }
        let branch = &self.remotes[remote].branch;
        how += &self.behind(branch);
        self.report_lost(branch.host, how);
    }

    /// The hosts behind one that is lost, as the end of the line that says it.
    pub(super) fn behind(&self, branch: &Branch) -> String {
        let behind: Vec<&str> = branch.behind.iter().map(|host| self.args.hosts[*host].name.as_str()).collect();
        match behind[..] {
            [] => String::new(),
            [one] => format!("; host {one} was behind it"),
            _ => format!("; hosts {} were behind it", some_of(&behind)),
        }
    }

    /// Ends the job because a host is lost.
    fn report_lost(&mut self, host: usize, how: String) {
        self.tell_above(&Frame::Lost { host: host as u32, how: how.clone() });
        let (name, pes) = (self.args.hosts[host].name.clone(), self.pes[host].clone());
        self.end(Cause::HostLost { host: name, pes, how }, vec![]);
    }

    /// Kills the program that connects to a launcher below.
    pub(super) fn cut(&self, remote: usize) {
        if let Some(process) = self.remotes[remote].process {
            // It is a child that has not been reaped, so the number is its own.
            let _ = kill(process, Signal::SIGKILL);
        }
    }
}

/// The variables that PEs on other hosts get. Those of a host stay there, unless they have come with the job.
fn variables(args: &Args) -> Vec<(Vec<u8>, Vec<u8>)> {
    let come = std::env::var_os(cushmem_environment::HOST_VARIABLES.name).filter(|_| args.part.is_some());
    let come = come.map(OsStringExt::into_vec);
    let named: Vec<&str> = args.passed_on_variables().collect();
    let is_passed_on = |name: &[u8]| match &come {
        Some(come) => come.split(|byte| *byte == b'\n').any(|given| given == name),
        None if name == cushmem_environment::SUPERVISOR_FD.name.as_bytes() => false,
        None => {
            PASSED_ON.iter().any(|prefix| name.starts_with(prefix))
                || named.iter().any(|given| given.as_bytes() == name)
        }
    };
    let all = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
    all.filter(|(name, _)| is_passed_on(name)).collect()
}

/// Sends standard input to a host until it ends.
fn send_input(link: &Link, input: &OwnedFd) {
    let mut piece = [0; 16 * 1024];
    loop {
        let bytes = match read(input, &mut piece) {
            Err(Errno::EINTR) => continue,
            Ok(bytes) => bytes,
            Err(_) => 0,
        };
        if bytes == 0 {
            return link.send(&Frame::Piece(Standard::In, vec![]));
        }
        let mut rest = &piece[..bytes];
        while !rest.is_empty() {
            match link.write(Standard::In, rest) {
                Ok(sent) => rest = &rest[sent..],
                Err(_) => return,
            }
        }
    }
}
