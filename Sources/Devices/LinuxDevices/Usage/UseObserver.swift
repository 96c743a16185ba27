package import AccessModel
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Finds the processes that hold devices open, in one scan of all processes.
///
/// No privilege is needed. Without privileges, the processes of other users cannot be inspected, so
/// they are counted.
package struct UseObserver {
  let roots: MachineRoots
  /// Looks up a variable of the environment.
  var environment: @Sendable (String) -> String? = { _ in nil }
  /// Returns the graph of a user's PipeWire daemon; if `nil`, each scan connects to the daemons.
  var graph: (@Sendable (_ user: UInt32) -> PipeWireGraph?)?

  /// Returns the holders of each of the given devices.
  ///
  /// - Parameters:
  ///   - targets: The devices.
  ///   - others: Other devices of drivers that count the open files of all their devices, including
  ///     removed ones. If `nil`, the existing ones are determined.
  ///   - holders: The holders in an earlier scan, which may no longer be visible.
  /// - Returns: The facts, with the devices in the order of `targets`.
  /// - Throws: `unavailable` if `/proc` cannot be read, `exhausted` if descriptors or memory are
  ///   lacking.
  package func use(
    of targets: [UseTarget], besides others: [UseTarget]? = nil,
    recalling holders: [HoldingProcess] = []
  ) throws(DeviceError) -> UseFacts {
    let clock = MachineClock(proc: roots.proc)
    let sound = SoundObserver(proc: roots.proc, clock: clock)
    let driver = DriverObserver(roots: roots)
    let reports = targets.map { target in
      DriverReport(
        streams: sound.streams(of: target.device), isUnused: driver.isUnused(target.device),
        isAsleep: driver.isAsleep(target.device))
    }
    var facts = UseFacts(observedAt: clock.now)
    // If the drivers report that no device is in use, the processes need not be scanned.
    let isScan = !reports.allSatisfy(\.isOfNobody)
    let all =
      targets + (isScan ? others ?? UseTargetFinder(roots: roots).siblings(of: targets) : [])
    let sightings = isScan ? try scan(for: all, clock, &facts.unseen) : [:]
    let unseen = Set(sightings.filter { $0.value.unseen != nil }.keys)
    facts.outOfSight = Set(
      holders.filter { unseen.contains($0.id) && HolderObserver.isRunning($0, proc: roots.proc) }
        .map(\.id))
    let closed =
      facts.unseen.isEmpty
      ? []
      : driver.driversWithoutOthers(all, sightings.values.flatMap(\.descriptors))
    let holders = Self.holders(in: sightings)
    for (target, report) in zip(targets, reports) {
      var use = DeviceUse(
        node: target.node, kind: target.kind, device: target.device, number: target.number.number)
      use.askedAs = target.askedAs
      use.holders = holders[target.number] ?? []
      if isScan, use.device?.loopbackVersion != nil { completeLoopback(&use, sightings, target) }
      report.add(to: &use)
      if let device = use.device, DriverObserver.counts(device),
        device.driver.map(closed.contains) ?? false
      {
        use.isToldByDriver = true
      }
      if let streams = report.streams {
        // A stream that was closed during the scan no longer has a holder.
        let now = isScan ? sound.streams(of: target.device) ?? streams : streams
        sound.add(now, before: streams, to: &use, unseen: unseen)
      }
      use.holders.sort { $0.process.id < $1.process.id }
      facts.devices.append(use)
    }
    let sockets = PipeWireSocket(roots: roots, environment: environment, ownUser: geteuid())
    var processes: [Int32: HoldingProcess?] = [:]
    MediaClientObserver(
      graph: graph ?? { PipeWireDaemon.answering($0, at: sockets)?.graph },
      process: { number in
        let process = processes[number] ?? process(number, clock)
        processes[number] = .some(process)
        return process
      },
      sharesNumbers: sharesNumbers
    ).addClients(to: &facts)
    addNames(to: &facts)
    return facts
  }

  /// Adds the facts that only virtual cameras have.
  private func completeLoopback(
    _ use: inout DeviceUse, _ sightings: [Int32: InspectedProcess], _ target: UseTarget
  ) {
    // The camera counts as fed only if it was fed both before and after the scan.
    if use.isFed == true, let now = use.device.flatMap({ LoopbackState(at: $0.sysfsPath) }),
      now.isFed == false
    {
      use.device?.isFed = false
      use.device?.isKept = now.isKept
      use.device?.classify()
    }
    guard roots.proc == MachineRoots().proc else { return }
    let descriptors = sightings.flatMap { number, sighting in
      sighting.descriptors.filter { $0.device == target.number }.map { (number, $0) }
    }
    let sharing = SeenDescriptor.sharing(descriptors)
    for index in use.holders.indices {
      use.holders[index].hold.sharesWith = sharing[use.holders[index].process.id]
    }
    if let most = use.device?.mostOpenFiles,
      let count = SeenDescriptor.fileCount(descriptors.map(\.1)), count >= most
    {
      use.freeStreams = 0
    }
  }

  private func process(_ number: Int32, _ clock: MachineClock) -> HoldingProcess? {
    guard let folder = try? OpenDirectory("\(roots.proc)/\(number)") else { return nil }
    return try? HolderObserver(clock: clock).process(number, in: folder.descriptor)
  }

  /// Returns whether a process uses the process IDs that procfs shows.
  private func sharesNumbers(_ process: HoldingProcess) -> Bool {
    let status = try? BoundedFile.read("\(roots.proc)/\(process.id)/status", limit: 1 << 20)
    return status.map { (ThreadStatus(parsing: $0.bytes).namespaceNumbers?.count ?? 1) == 1 }
      ?? false
  }

  /// Returns the holders of each device that has any.
  private static func holders(
    in sightings: [Int32: InspectedProcess]
  ) -> [NodeNumber: [DeviceHolder]] {
    var holders: [NodeNumber: [DeviceHolder]] = [:]
    for sighting in sightings.values {
      guard let process = sighting.process else { continue }
      for (number, hold) in sighting.holds {
        holders[number, default: []].append(DeviceHolder(process, hold))
      }
    }
    return holders
  }

  /// Inspects every process, and counts those that could not be inspected.
  private func scan(
    for targets: [UseTarget], _ clock: MachineClock, _ unseen: inout UnseenProcesses
  ) throws(DeviceError) -> [Int32: InspectedProcess] {
    let numbers = try processes()
    let visibility = ProcessVisibility(proc: roots.proc)
    let sightings = try scan(at: numbers, for: targets, visibility, clock)
    let reasons = sightings.values.compactMap(\.unseen)
    unseen.reasons = visibility.hidingReasons(listed: numbers).union(reasons)
    unseen.count = reasons.count
    return sightings
  }

  private func scan(
    at numbers: [Int32], for targets: [UseTarget], _ visibility: ProcessVisibility,
    _ clock: MachineClock
  ) throws(DeviceError) -> [Int32: InspectedProcess] {
    let refusal: UnseenProcesses.Reason = visibility.canTrace ? .refused : .notTraceable
    let proc = roots.proc
    let isLive = proc == MachineRoots().proc && visibility.isOfOwnNamespace
    let startsAtNumbers =
      proc == MachineRoots().proc && DescriptorFolder.startsAtNumbers(proc: proc)
    do throws(Errno) {
      return try ProcessPass.scan(at: numbers) { () throws(Errno) in
        try ProcessScanner(
          proc: proc, targets: targets, isLive: isLive, startsAtNumbers: startsAtNumbers,
          refusal: refusal, observer: HolderObserver(clock: clock))
      }
    } catch {
      throw DeviceError(unableTo: "inspect the processes below", proc, error)
    }
  }

  /// Returns the IDs of all listed processes.
  private func processes() throws(DeviceError) -> [Int32] {
    let operation = "list the processes below"
    var numbers: [Int32] = []
    do throws(Errno) {
      let proc = try OpenDirectory(roots.proc)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while let end = try DirectoryEntries.fill(&buffer, from: proc.descriptor) {
        var entries = DirectoryEntries(end: end)
        while let name = entries.next(in: buffer) {
          let number = DirectoryEntries.number(at: name, in: buffer).flatMap(Int32.init(exactly:))
          if let number, number > 0 { numbers.append(number) }
        }
      }
    } catch  where error != .noSuchFile {
      throw DeviceError(unableTo: operation, roots.proc, error)
    } catch {
      // The folder does not exist, so the list stays empty.
    }
    // At least this process is running, so an empty list means that procfs is missing.
    guard !numbers.isEmpty else {
      throw DeviceError(
        .unavailable, operation: operation, path: roots.proc, errno: .noSuchFile)
    }
    return numbers.sorted()
  }

  private func addNames(to facts: inout UseFacts) {
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    var names: [UInt32: String?] = [:]
    func named(_ process: HoldingProcess) -> HoldingProcess {
      guard let id = process.user else { return process }
      let name = names[id] ?? (try? source.user(id))?.name
      names[id] = .some(name)
      var process = process
      process.userName = name
      return process
    }
    for device in facts.devices.indices {
      facts.devices[device].holders = facts.devices[device].holders.map { holder in
        var holder = holder
        holder.process = named(holder.process)
        holder.clients = holder.clients?.map { client in
          var client = client
          client.process = client.process.map(named)
          return client
        }
        return holder
      }
    }
  }
}

extension UseObserver {
  /// Creates an observer that asks the PipeWire daemons through the connections of a use watch.
  package init(
    roots: MachineRoots, environment: @escaping @Sendable (String) -> String?,
    asking media: PipeWireWatches
  ) {
    self.init(roots: roots, environment: environment, graph: { media.graph(of: $0) })
  }
}

/// One pass over many processes, which several threads share.
final class ProcessPass: Sendable {
  private let numbers: [Int32]
  private let scanner: @Sendable () throws(Errno) -> ProcessScanner
  private let next = Atomic(0)
  private let results = Mutex<[Int32: InspectedProcess]>([:])
  private let failure = Mutex<Errno?>(nil)
  private let finished = DispatchSemaphore(value: 0)

  private init(
    _ numbers: [Int32], _ scanner: @escaping @Sendable () throws(Errno) -> ProcessScanner
  ) {
    self.numbers = numbers
    self.scanner = scanner
  }

  /// Inspects processes, and returns the results that are not empty.
  ///
  /// The calling thread participates, so the pass succeeds even if no other thread can be started.
  /// If several threads exhaust descriptors or memory, the calling thread repeats the pass without
  /// them.
  ///
  /// - Throws: An error that indicates a lack of resources, without which no result is possible.
  static func scan(
    at numbers: [Int32], _ scanner: @escaping @Sendable () throws(Errno) -> ProcessScanner
  ) throws(Errno) -> [Int32: InspectedProcess] {
    let helpers = min(Self.processors, Self.mostThreads, 1 + numbers.count / 64) - 1
    do throws(Errno) {
      return try ProcessPass(numbers, scanner).run(helpers: helpers)
    } catch {
      guard helpers > 0 else { throw error }
      return try ProcessPass(numbers, scanner).run(helpers: 0)
    }
  }

  private static let mostThreads = 4

  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private func run(helpers: Int) throws(Errno) -> [Int32: InspectedProcess] {
    var started = 0
    for _ in 0..<helpers {
      do throws(Errno) {
        try DedicatedThread.run {
          self.work()
          self.finished.signal()
        }
        started += 1
      } catch {
        break
      }
    }
    work()
    for _ in 0..<started { finished.wait() }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return results.withLock { $0 }
  }

  private func work() {
    do throws(Errno) {
      var scanner = try scanner()
      var seen: [Int32: InspectedProcess] = [:]
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < numbers.count else { break }
        seen[numbers[index]] = try scanner.scan(at: numbers[index])
      }
      results.withLock { $0.merge(seen) { _, new in new } }
    } catch {
      failure.withLock { $0 = error }
      // The other threads need not inspect the remaining processes.
      next.store(numbers.count, ordering: .relaxed)
    }
  }
}

/// Asks media servers which programs use devices through them.
///
/// It contacts only daemons that hold a device open. Such a daemon is already running, so
/// connecting to its socket does not start it.
struct MediaClientObserver {
  /// Returns the graph of a user's daemon, or `nil` if it does not answer.
  var graph: (_ user: UInt32) -> PipeWireGraph?
  /// Returns the visible facts of a process, or `nil` if it cannot be seen.
  var process: (Int32) -> HoldingProcess? = { _ in nil }
  /// Returns whether a server uses the process IDs that procfs shows.
  var sharesNumbers: (HoldingProcess) -> Bool = { _ in true }

  /// Adds the clients of each server that answers, for the devices that the server knows.
  func addClients(to facts: inout UseFacts) {
    for (user, places) in servers(in: facts) {
      guard let graph = graph(user) else { continue }
      let uses = graph.uses(of: places.map(\.device))
      for (place, use) in zip(places, uses) {
        guard let use else { continue }
        add(use, to: &facts.devices[place.index].holders[place.holder])
      }
    }
  }

  /// Adds a server's information about the users of a device that it holds open.
  private func add(_ use: PipeWireUse, to holder: inout DeviceHolder) {
    let use = sharesNumbers(holder.process) ? use : use.withoutNumbers
    holder.clients = use.clients(of: holder.process, process)
    if holder.hold.activity == nil { holder.hold.activity = use.activity }
  }

  /// Returns the holders that are media servers, keyed by user, because each user has one daemon.
  private func servers(
    in facts: UseFacts
  ) -> [UInt32: [(device: DeviceFacts, index: Int, holder: Int)]] {
    var servers: [UInt32: [(device: DeviceFacts, index: Int, holder: Int)]] = [:]
    for (index, use) in facts.devices.enumerated() {
      guard let device = use.device else { continue }
      for (holder, process) in use.holders.map(\.process).enumerated() {
        guard process.isPipeWire, let user = process.user else { continue }
        servers[user, default: []].append((device, index, holder))
      }
    }
    return servers
  }
}

/// Determines which other processes this process can see.
package struct ProcessVisibility {
  let proc: String

  package init(proc: String) { self.proc = proc }

  /// The link target of the initial PID namespace (`PROC_PID_INIT_INO`), which is the same on every
  /// machine.
  private static let firstNamespace = "pid:[4026531836]"

  /// A Boolean value that indicates whether the capability to trace any process is effective.
  var canTrace: Bool {
    guard let file = try? BoundedFile.read("\(proc)/thread-self/status", limit: 1 << 20) else {
      return false
    }
    return ThreadStatus(parsing: file.bytes).effective?.contains(.traceProcesses) ?? false
  }

  /// A Boolean value that indicates whether procfs shows this process's PID namespace.
  ///
  /// After unshare(1) without `--mount-proc`, it shows a parent namespace, whose process IDs differ
  /// from those in system calls.
  package var isOfOwnNamespace: Bool { SymbolicLink.target(of: "\(proc)/self") == "\(getpid())" }

  /// Returns the reasons why other processes may exist that are not listed.
  func hidingReasons(listed: [Int32]) -> Set<UnseenProcesses.Reason> {
    var reasons: Set<UnseenProcesses.Reason> = []
    // procfs may show a parent of this process's PID namespace. The first process shows which one,
    // if this process may read its link.
    let namespace =
      SymbolicLink.target(of: "\(proc)/1/ns/pid") ?? SymbolicLink.target(of: "\(proc)/self/ns/pid")
    if namespace != Self.firstNamespace { reasons.insert(.outside) }
    // A PID namespace that contains processes always has a process 1.
    if !listed.contains(1) || hidesProcesses && !canTrace { reasons.insert(.hidden) }
    return reasons
  }

  /// A Boolean value that indicates whether procfs is mounted with an option that hides other
  /// users' processes.
  private var hidesProcesses: Bool {
    guard let file = try? BoundedFile.read("\(proc)/thread-self/mountinfo", limit: 1 << 24) else {
      return true
    }
    let mark = Array(" - proc ".utf8)
    let entries = file.bytes.split(separator: ByteScanner.newline).filter { line in
      line.indices.contains { line[$0] == mark[0] && line[$0...].starts(with: mark) }
    }.compactMap(MountEntry.init(parsing:))
    // The last mount at this path is the visible one.
    guard let mount = entries.last(where: { $0.point == proc }) else { return false }
    return mount.superblockOptions.contains { option in
      ["hidepid=2", "hidepid=4", "hidepid=invisible", "hidepid=ptraceable"].contains(option)
    }
  }
}
