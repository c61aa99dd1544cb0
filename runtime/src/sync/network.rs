//! The network between nodes: this PE's handle of it (`cushmem_net::Nic`), with which it registers its own segments and
//! learns of those of the others, and the list of its lanes ([`NetLane`]). Each context has a lane, collectives have
//! one, and so does what carries out atomic operations for other nodes.
//!
//! *When a PE dies*, the launcher ends the job; a network that notices earlier fails the operation. As most operations
//! are not waited for, a thread of the library looks for failures on all lanes ([`Watch`]), and ends the job. Waits
//! make sure that there is an operation that can fail (`probes`).

use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::sync::addresses;
use crate::sync::likely_gpu;
use crate::sync::locked;
use crate::sync::network_lane::{NetLane, Region};
use crate::sync::network_watch::watch;
use crate::sync::probes::Probes;
use crate::sync::silence::Watchdog;
use crate::sync::spin::WaitPolicy;
use cushmem_environment::GpuChoice;
use cushmem_net::{
    Distance, GpuMemory, Local, Loopback, Nic, Ofi, OfiSettings, Poller, Promises, Provider, Service, VerbsPorts,
    VerbsSettings,
};
use cushmem_path::{NicDistance, Path};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// This PE's handle of the network.
pub(crate) struct Network {
    /// Dropped first, so that the NIC ends with this.
    _watchdog: Option<Watchdog>,
    nic: Arc<Nic>,
    promises: Promises,
    wait_policy: WaitPolicy,
    lanes: Arc<Mutex<Vec<Weak<NetLane>>>>,
    probes: Arc<Probes>,
    /// The lane of collectives.
    collective: Arc<NetLane>,
    /// The pieces of regions that are registered or learned.
    known: Mutex<Vec<(Region, u32)>>,
    /// Whether it may reach GPU memory.
    reaches_gpus: bool,
    /// How far the NIC of a PE is at most from its GPU.
    gpu_distance: NicDistance,
}

/// The provider of libfabric if the user names none.
const DEFAULT_OFI: &str = "tcp";
const START: &str = "start the network between nodes";
const SHARE: &str = "share memory between nodes";
const VALID: &str = "valid are loopback:verbs, loopback:tcp and loopback:efa, and :SEED after them; ofi and ofi:PROVIDER; verbs and \
     verbs:DEVICE";
/// The first byte of a message with cards, and of one that says why there are none.
const SHARED: u8 = 1;
const REFUSED: u8 = 2;
/// How long the network's thread spins for work before it sleeps, if it has a core of its own.
const SPIN: Duration = Duration::from_micros(50);

impl Network {
    /// Collective. Starts the network of a job of several nodes, and introduces all PEs to each other. Returns `None`
    /// if the job has one node.
    pub(crate) fn start(job: &Job, wait_policy: &WaitPolicy) -> Result<Option<Self>> {
        if job.nodes() == 1 {
            return Ok(None);
        }
        let spin = if job.is_oversubscribed() { Duration::ZERO } else { SPIN };
        let system = |error: std::io::Error| Error::new(START, Cause::System(error.to_string()));
        let limit = cushmem_environment::net_limit()?;
        let provider = provider(job)?;
        let reaches_gpus = reaches_gpus(&provider)?;
        let distance = provider.gpu_distance().and_then(distance);
        let nic = Arc::new(Nic::watched(provider, spin, watch()).map_err(system)?);
        // In front of its name, each PE says which process it is, and how far its NIC is from its GPU.
        let word = distance.map_or(NOT_SAID, |distance| distance as u8);
        let own = [&std::process::id().to_le_bytes()[..], &[word], &nic.name()].concat();
        let names = job.bootstrap().allgather("names on the network", &own)?;
        let Named { processes, distances, names } = named(names)?;
        nic.peers(&names).map_err(|why| Error::new(START, Cause::Mismatch(why)))?;
        let nodes: Vec<u32> = job.pes().map(|pe| job.node(pe)).collect();
        // Of a process of another host, the system knows nothing here.
        let is_here = |pe| job.host(pe) == job.host(job.me());
        let processes = job.pes().zip(processes).map(|(pe, process)| is_here(pe).then_some(process)).collect();
        let watchdog = Watchdog::start(nic.clone(), limit, processes, move |pe| nodes[pe as usize]).map_err(system)?;
        let promises = nic.promises();
        job.debug(|| format!("is on the network {}", nic.description()));
        let wait_policy = wait_policy.with_network(nic.poller());
        let is_far = job.pes().map(|pe| job.place(pe).is_none());
        let probes = Arc::new(Probes::new(&nic, job.my_pe(), is_far, wait_policy.clone()));
        let asked = probes.clone();
        let wait_policy = wait_policy.asking(move |late| asked.ask(late));
        let collective = Arc::new(NetLane::new(nic.lane(), job.my_pe(), promises, wait_policy.clone()));
        let lanes = Arc::new(Mutex::new(vec![Arc::downgrade(&collective)]));
        Ok(Some(Self {
            _watchdog: Some(watchdog),
            nic,
            promises,
            wait_policy,
            lanes,
            probes,
            collective,
            known: Mutex::default(),
            reaches_gpus,
            // Of a machine that says nothing, the most likely.
            gpu_distance: distances.into_iter().flatten().max().unwrap_or(NicDistance::Root),
        }))
    }

    /// Collective. Registers this PE's memory of each region, if it has some, as the piece with this number, and learns
    /// that of all PEs. Returns which PEs have memory of the first region. It stays mapped until the region is
    /// forgotten or the network is dropped. After an error the pieces are forgotten.
    ///
    /// A PE that returns may use the pieces of all PEs: each had registered its own before it sent its card.
    pub(crate) fn share(&self, job: &Job, piece: u32, own: &[(Region, Option<Local>)]) -> Result<Vec<bool>> {
        let shared = self.share_cards(job, piece, own);
        if shared.is_err() {
            // The caller will unmap the memory, or use it for nothing.
            own.iter().for_each(|(region, _)| self.forget_if(|known| known == (*region, piece)));
        }
        shared
    }

    fn share_cards(&self, job: &Job, piece: u32, own: &[(Region, Option<Local>)]) -> Result<Vec<bool>> {
        let register = |(region, memory): &(Region, Option<Local>)| {
            self.note(*region, piece);
            match memory {
                // SAFETY: the callers keep it mapped for as long.
                Some(memory) => unsafe { self.nic.register(region.number(), piece, memory.clone()) },
                None => Ok(vec![]),
            }
        };
        let cards = own.iter().map(register).collect();
        let regions: Vec<Region> = own.iter().map(|(region, _)| *region).collect();
        self.exchange(job, piece, &regions, cards)
    }

    /// Collective. Like [`Network::share`], for GPU memory, of which a PE may have none for the network, for a reason
    /// that is returned. That is no error.
    pub(crate) fn share_gpu(
        &self,
        job: &Job,
        region: Region,
        piece: u32,
        own: std::result::Result<(Local, GpuMemory), String>,
    ) -> Result<(Vec<bool>, Option<String>)> {
        let card = own.and_then(|(memory, gpu)| self.register_gpu(region, piece, memory, gpu));
        self.note(region, piece);
        let (card, why) = card.map_or_else(|why| (vec![], Some(why)), |card| (card, None));
        let have = self.exchange(job, piece, &[region], Ok(vec![card]));
        if have.is_err() {
            self.forget_if(|known| known == (region, piece));
        }
        Ok((have?, why))
    }

    /// Registers a piece of GPU memory of this PE, and returns its card; or why the network does not reach it. The
    /// memory stays mapped until the piece is forgotten.
    pub(crate) fn register_gpu(
        &self,
        region: Region,
        piece: u32,
        memory: Local,
        gpu: GpuMemory,
    ) -> std::result::Result<Vec<u8>, String> {
        // SAFETY: the callers keep it mapped for as long.
        let card = unsafe { self.nic.register_gpu(region.number(), piece, memory, gpu)? };
        self.note(region, piece);
        Ok(card)
    }

    /// Exchanges the cards of a piece of regions, or the reason why there are none.
    fn exchange(
        &self,
        job: &Job,
        piece: u32,
        regions: &[Region],
        cards: std::result::Result<Vec<Vec<u8>>, String>,
    ) -> Result<Vec<bool>> {
        let own_cards = cards.map_or_else(|why| [&[REFUSED], why.as_bytes()].concat(), |cards| packed(&cards));
        // If this call fails, others may share what this PE then forgets, so the job must end.
        let all = job.bootstrap().allgather("memory for the network", &own_cards);
        let all = all.unwrap_or_else(|error| job.bootstrap().abort(1, &format!("{SHARE}: {error}")));
        let mut has = Vec::with_capacity(all.len());
        let mut learned = Ok(());
        for (pe, theirs) in job.pes().zip(&all) {
            // The same on all PEs.
            let wrong = |why: String| Error::new(SHARE, Cause::OnPe { pe: pe.number(), why });
            let cards = unpacked(theirs, regions.len()).map_err(wrong)?;
            for (region, card) in regions.iter().zip(&cards).filter(|(_, card)| !card.is_empty()) {
                learned = learned.and_then(|()| self.nic.learn(pe.number(), region.number(), piece, card));
            }
            has.push(cards.first().is_some_and(|card| !card.is_empty()));
        }
        // Until all have learned of it, nobody leaves and takes what the card names with it.
        job.agree(SHARE, learned)?;
        Ok(has)
    }

    /// Registers a piece of memory of this PE on first use, and returns its card, which the caller takes to the peers.
    /// The memory stays mapped until [`Network::forget_shared`] or until the network is dropped.
    pub(crate) fn register(&self, region: Region, piece: u32, memory: Local) -> Result<Vec<u8>> {
        self.note(region, piece);
        // SAFETY: the caller keeps it mapped for as long.
        let card = unsafe { self.nic.register(region.number(), piece, memory) };
        card.map_err(|why| Error::new(SHARE, Cause::OnPe { pe: self.collective.me, why }))
    }

    /// Learns of a piece that a peer has registered in this way.
    pub(crate) fn learn(&self, pe: Pe, region: Region, piece: u32, card: &[u8]) -> Result<()> {
        self.note(region, piece);
        let learned = self.nic.learn(pe.number(), region.number(), piece, card);
        learned.map_err(|why| Error::new(SHARE, Cause::OnPe { pe: pe.number(), why }))
    }

    fn note(&self, region: Region, piece: u32) {
        let mut known = locked(&self.known);
        if !known.contains(&(region, piece)) {
            known.push((region, piece));
        }
    }

    /// The network in one line, for people.
    pub(crate) fn description(&self) -> String {
        self.nic.description()
    }

    /// Whether it reads and writes GPU memory, if a machine lets it.
    pub(crate) fn reaches_gpus(&self) -> bool {
        self.reaches_gpus
    }

    /// How far the NIC of a PE is at most from its GPU.
    pub(crate) fn gpu_distance(&self) -> NicDistance {
        self.gpu_distance
    }

    /// What it does for operations on memory of other nodes, one in a line, for people. Empty if there is nothing to
    /// say.
    pub(crate) fn explanation(&self) -> String {
        self.nic.explanation()
    }

    /// Forgets a region of all PEs. No operation on it may be in flight.
    pub(crate) fn forget(&self, region: Region) {
        self.forget_if(|(known, _)| known == region);
    }

    /// Forgets a piece of a region. No operation on it may be in flight.
    pub(crate) fn forget_piece(&self, region: Region, piece: u32) {
        self.forget_if(|known| known == (region, piece));
    }

    /// Forgets everything that is shared, before it is unmapped. Control areas stay as long as the network.
    pub(crate) fn forget_shared(&self) {
        self.forget_if(|(known, _)| !matches!(known, Region::Control | Region::Requests | Region::Replicas));
    }

    fn forget_if(&self, is_over: impl Fn((Region, u32)) -> bool) {
        let over = locked(&self.known).extract_if(.., |known| is_over(*known)).collect::<Vec<_>>();
        over.into_iter().for_each(|(region, piece)| self.nic.forget(region.number(), piece));
    }

    /// Whether a PE has to poll for its peers.
    pub(crate) fn is_polled(&self) -> bool {
        self.promises.target_polls
    }

    /// What this PE does for peers while it lets its network work; see [`Nic::serve`].
    pub(crate) fn serve(&self, service: Option<Service>) {
        self.nic.serve(service);
    }

    /// What lets a thread do for peers what it can.
    pub(crate) fn poller(&self) -> Poller {
        self.nic.poller()
    }

    /// The failures of all lanes, for a thread that looks for them.
    pub(crate) fn watch(&self) -> Watch {
        Watch { lanes: self.lanes.clone(), probes: self.probes.clone() }
    }

    /// How this PE's threads wait: they let the network work.
    pub(crate) fn wait_policy(&self) -> &WaitPolicy {
        &self.wait_policy
    }

    /// A new lane.
    pub(crate) fn lane(&self) -> Arc<NetLane> {
        let lane = Arc::new(NetLane::new(self.nic.lane(), self.collective.me, self.promises, self.wait_policy.clone()));
        let mut lanes = locked(&self.lanes);
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(&lane));
        lane
    }

    /// The lane of collectives.
    pub(crate) fn collective(&self) -> &NetLane {
        &self.collective
    }

    /// Waits until everything that this PE posted has arrived; returns the first error.
    pub(crate) fn drain_all(&self) -> Result<()> {
        // Not locked during the waits, because other threads may create lanes.
        let lanes: Vec<_> = locked(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().map(|lane| lane.drain()).fold(Ok(()), Result::and)
    }

    /// Waits for the answers of PEs that were waited for; returns the first error. This PE waits for no other one
    /// afterwards.
    pub(crate) fn await_answers(&self) -> Result<()> {
        self.probes.await_answers()
    }

    /// Waits until everything that was posted before a fence, on any lane, has arrived; returns the first error.
    pub(crate) fn drain_fenced(&self) -> Result<()> {
        let lanes: Vec<_> = locked(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().filter(|lane| lane.waits_for_fence()).map(|lane| lane.drain()).fold(Ok(()), Result::and)
    }
}

/// What each PE says of itself: its process, how far its NIC is from its GPU, and its name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Named {
    processes: Vec<u32>,
    distances: Vec<Option<NicDistance>>,
    names: Vec<Vec<u8>>,
}

/// Stands for a distance, if a PE has no GPU or does not know.
const NOT_SAID: u8 = u8::MAX;

fn named(all: Vec<Vec<u8>>) -> Result<Named> {
    let mut found = Named::default();
    for (pe, mut own) in all.into_iter().enumerate() {
        let Some([process @ .., word]) = own.first_chunk::<5>() else {
            let why = format!("the name of peer {pe} has {} bytes", own.len());
            return Err(Error::new(START, Cause::Mismatch(why)));
        };
        found.processes.push(u32::from_le_bytes(*process));
        found.distances.push(NicDistance::ALL.get(usize::from(*word)).copied());
        found.names.push(own.split_off(5));
    }
    Ok(found)
}

/// What the policy calls it, if the system says how far it is.
fn distance(distance: Distance) -> Option<NicDistance> {
    match distance {
        Distance::Switch => Some(NicDistance::Switch),
        Distance::Root => Some(NicDistance::Root),
        Distance::Node => Some(NicDistance::Node),
        Distance::Far => Some(NicDistance::Far),
        Distance::Unknown => None,
    }
}

/// Opens the network that the user has chosen.
fn provider(job: &Job) -> Result<Provider> {
    let value = cushmem_environment::net(job.hosts() > 1)?;
    let address = addresses::of_this_host(job)?;
    let of_variable = |variable: &str, value: &str, why: String| {
        Error::new(START, Cause::Environment(format!("{variable}='{value}': {why}")))
    };
    let wrong = |why: String| of_variable(cushmem_environment::NET.name, &value, why);
    let (kind, rest) = value.split_once(':').unwrap_or((&value, ""));
    match kind {
        "loopback" if job.hosts() > 1 => {
            Err(wrong(format!("it is a network within one machine, and this job has {} hosts; use ofi", job.hosts())))
        }
        "loopback" if !rest.is_empty() => {
            let settings = rest.parse().map_err(|why: cushmem_net::BadSettings| wrong(why.to_string()))?;
            Ok(Provider::Loopback(Loopback::new(settings, job.my_pe())))
        }
        "ofi" => {
            let provider = if rest.is_empty() { DEFAULT_OFI } else { rest };
            let library = cushmem_environment::libfabric()?;
            let settings = OfiSettings { library, provider: provider.into(), address, atomics: true };
            Ok(Provider::Ofi(Ofi::open(&settings).map_err(wrong)?))
        }
        "verbs" => {
            let device = if rest.is_empty() { cushmem_environment::nics()? } else { rest.into() };
            let uses_gpus = matches!(cushmem_environment::gpu_choice()?, GpuChoice::Auto | GpuChoice::Cuda);
            let visible = std::env::var(cushmem_environment::CUDA_VISIBLE_DEVICES.name).ok();
            let place = job.bootstrap().job().local_pe;
            let likely = || likely_gpu::at(&cushmem_net::gpu_addresses(), visible.as_deref(), place);
            let gpu = uses_gpus.then(likely).flatten();
            let settings = VerbsSettings { library: VerbsSettings::LIBRARY.into(), device, address, gpu };
            let failed = |why: String| match settings.device.as_str() {
                named if rest.is_empty() && !named.is_empty() => {
                    of_variable(cushmem_environment::NICS.name, named, why)
                }
                _ => wrong(why),
            };
            let ports = VerbsPorts::find(&settings).map_err(failed)?;
            let cards = job.bootstrap().allgather("ports on the network", &ports.card())?;
            let is_here = |pe: &Pe| job.host(*pe) == job.host(job.me());
            let here: Vec<usize> = job.pes().filter(is_here).map(Pe::index).collect();
            Ok(Provider::Verbs(ports.open(&cards, &here, job.me().index()).map_err(failed)?))
        }
        _ => Err(wrong(VALID.into())),
    }
}

/// Whether the network reaches GPU memory, if a machine lets it. The one within a machine has the CPU copy, which
/// reaches the memory of the emulated GPU alone, and gains nothing; it does so to show that this works, if
/// `CUSHMEM_PATH` asks for it.
fn reaches_gpus(provider: &Provider) -> Result<bool> {
    match provider {
        Provider::Verbs(_) => Ok(true),
        Provider::Loopback(_) => {
            let is_emulated = matches!(cushmem_environment::gpu_choice()?, GpuChoice::Soft);
            let asked = cushmem_environment::path()?.is_some_and(|paths| paths.contains(Path::Gdr.word()));
            Ok(is_emulated && asked)
        }
        Provider::Ofi(_) => Ok(false),
    }
}

/// Cards as one message. No card has more than 64 KiB.
fn packed(cards: &[Vec<u8>]) -> Vec<u8> {
    let mut all = vec![SHARED];
    for card in cards {
        all.extend(u16::try_from(card.len()).expect("a card is short").to_le_bytes());
        all.extend(card);
    }
    all
}

/// The inverse, or why there are no cards.
fn unpacked(message: &[u8], regions: usize) -> std::result::Result<Vec<&[u8]>, String> {
    let malformed = || format!("sent {} bytes that are not {regions} cards", message.len());
    let mut rest = match message.split_first() {
        Some((&REFUSED, why)) => return Err(String::from_utf8_lossy(why).into_owned()),
        Some((&SHARED, cards)) => cards,
        _ => return Err(malformed()),
    };
    let mut cards = Vec::with_capacity(regions);
    for _ in 0..regions {
        let (length, after) = rest.split_first_chunk::<2>().ok_or_else(malformed)?;
        let (card, after) = after.split_at_checked(u16::from_le_bytes(*length).into()).ok_or_else(malformed)?;
        cards.push(card);
        rest = after;
    }
    if rest.is_empty() { Ok(cards) } else { Err(malformed()) }
}

/// The lanes of a network, to look for failures.
pub(crate) struct Watch {
    lanes: Arc<Mutex<Vec<Weak<NetLane>>>>,
    probes: Arc<Probes>,
}

impl Watch {
    /// The first failure that is found. Something that was posted will never arrive, and whoever waits for it would
    /// wait for ever.
    pub(crate) fn failure(&self) -> Result<()> {
        let lanes: Vec<_> = locked(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().try_for_each(|lane| lane.check()).and_then(|()| self.probes.check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::network_lane::RemoteAddr;
    use cushmem_net::{Faults, Profile, Settings};
    use std::time::Instant;

    const FAR: RemoteAddr = RemoteAddr { pe: Pe::member(1), region: Region::Host, at: 0 };

    impl Network {
        /// The network of a PE that reaches nobody. No wait for an operation succeeds.
        pub(crate) fn alone(wait_policy: WaitPolicy) -> Self {
            Self::with_faults(wait_policy, None)
        }

        fn with_faults(wait_policy: WaitPolicy, faults: Option<Faults>) -> Self {
            let loopback = Loopback::new(Settings { profile: Profile::Verbs, faults }, 0);
            let nic = Arc::new(Nic::over(Provider::Loopback(loopback), Duration::ZERO).unwrap());
            let promises = nic.promises();
            let probes = Arc::new(Probes::new(&nic, 0, [false, true], wait_policy.clone()));
            let collective = Arc::new(NetLane::new(nic.lane(), 0, promises, wait_policy.clone()));
            Self {
                _watchdog: None,
                nic,
                promises,
                wait_policy,
                lanes: Arc::default(),
                probes,
                collective,
                known: Mutex::default(),
                reaches_gpus: false,
                gpu_distance: NicDistance::Root,
            }
        }
    }

    #[test]
    fn what_pes_say_of_themselves_is_read() {
        let own = |word: u8| [&[7, 1, 0, 0, word], &b"name"[..]].concat();
        let found = named(vec![own(NicDistance::Far as u8), own(NOT_SAID), own(0)]).expect("it is whole");
        assert_eq!(found.processes, [263; 3]);
        assert_eq!(found.distances, [Some(NicDistance::Far), None, Some(NicDistance::Switch)]);
        assert_eq!(found.names, vec![b"name".to_vec(); 3]);
        assert!(named(vec![own(0), vec![7, 1, 0, 0]]).is_err(), "too short");
    }

    #[test]
    fn cards_survive_their_message() {
        let cards = [vec![1, 2, 3], vec![], vec![9; 300]];
        let message = packed(&cards);
        assert_eq!(unpacked(&message, 3).unwrap(), cards);
        for (message, regions) in [(&message[..], 2), (&message[..], 4), (&message[..9], 3), (&[7], 0), (&[], 0)] {
            let why = unpacked(message, regions).unwrap_err();
            assert_eq!(why, format!("sent {} bytes that are not {regions} cards", message.len()));
        }
        assert_eq!(unpacked(b"\x02no room", 3).unwrap_err(), "no room");
    }

    /// Catches a quiet that waits for a PE that another thread waits for, and a silence of that PE that nobody reports.
    #[test]
    fn only_the_watch_notices_that_a_pe_does_not_answer() {
        let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
        let network = Network::with_faults(wait_policy, "0,silent=1@0".parse().ok());
        let this = std::process::id();
        let watchdog =
            Watchdog::start(network.nic.clone(), Duration::from_millis(300), vec![Some(this); 2], |pe| pe).unwrap();
        network.probes.ask(&[1]);
        // A wait for the answer would end in an error.
        network.drain_all().unwrap();
        network.drain_fenced().unwrap();
        let limit = Instant::now() + Duration::from_secs(60);
        let failure = std::iter::repeat_with(|| network.watch().failure().err());
        let failure = failure.take_while(|_| Instant::now() < limit).flatten().next().expect("the PE is lost");
        let why = "get of 8 bytes: node 1 has not answered for 0.3 s (CUSHMEM_NET_LIMIT_S)";
        assert_eq!(failure.to_string(), format!("network: control memory of PE 1 cannot be reached from here: {why}"));
        assert!(network.await_answers().is_err());
        drop(watchdog);
    }

    /// Catches an atomic operation behind a fence that also waits for lanes of other contexts, or of the library.
    #[test]
    fn only_what_is_before_a_fence_is_waited_for() {
        let network = Network::alone(WaitPolicy::new(0, false, true, Duration::from_secs(60)));
        let lanes = [network.lane(), network.lane()];
        // Nobody has registered the region, so a wait for this fails.
        lanes[1].put_inline(FAR, &[7; 8]).unwrap();
        lanes[0].note_fence();
        network.drain_fenced().unwrap();
        lanes[1].note_fence();
        assert!(network.drain_fenced().is_err());
    }
}
