internal import AccessModel
internal import Glibc

/// Finds the processes that hold devices open, in one scan of all processes.
///
/// No privilege is needed. Without privileges, the processes of other users cannot be inspected, so
/// they are counted.
struct UseObserver {
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
  func use(
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
    let isLook = !reports.allSatisfy(\.isOfNobody)
    let all =
      targets + (isLook ? others ?? UseTargetFinder(roots: roots).siblings(of: targets) : [])
    let sightings = isLook ? try look(for: all, clock, &facts.unseen) : [:]
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
      if isLook, use.device?.loopbackVersion != nil { completeLoopback(&use, sightings, target) }
      report.add(to: &use)
      if let device = use.device, DriverObserver.counts(device),
        device.driver.map(closed.contains) ?? false
      {
        use.isToldByDriver = true
      }
      if let streams = report.streams {
        // A stream that was closed during the scan no longer has a holder.
        let now = isLook ? sound.streams(of: target.device) ?? streams : streams
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
    _ use: inout DeviceUse, _ sightings: [Int32: ProcessSighting], _ target: UseTarget
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
    in sightings: [Int32: ProcessSighting]
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
  private func look(
    for targets: [UseTarget], _ clock: MachineClock, _ unseen: inout UnseenProcesses
  ) throws(DeviceError) -> [Int32: ProcessSighting] {
    let numbers = try processes()
    let visibility = ProcessVisibility(proc: roots.proc)
    let sightings = try look(at: numbers, for: targets, visibility, clock)
    let reasons = sightings.values.compactMap(\.unseen)
    unseen.reasons = visibility.hidingReasons(listed: numbers).union(reasons)
    unseen.count = reasons.count
    return sightings
  }

  private func look(
    at numbers: [Int32], for targets: [UseTarget], _ visibility: ProcessVisibility,
    _ clock: MachineClock
  ) throws(DeviceError) -> [Int32: ProcessSighting] {
    let refusal: UnseenProcesses.Reason = visibility.canTrace ? .refused : .notTraceable
    let proc = roots.proc
    let isLive = proc == MachineRoots().proc && visibility.isOfOwnNamespace
    let startsAtNumbers =
      proc == MachineRoots().proc && DescriptorFolder.startsAtNumbers(proc: proc)
    do throws(Errno) {
      return try ProcessPass.look(at: numbers) { () throws(Errno) in
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
