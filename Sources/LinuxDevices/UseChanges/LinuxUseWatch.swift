internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Watches who uses devices of the running system.
final class LinuxUseWatch: UseWatch {
  private let targets: [Question.Target]
  private let finder: UseTargetFinder
  private let observer: UseObserver
  private let devices: DeviceSignals?
  private let timer: GapTimer
  private let settling: SettlingLooks?
  private let holders: HolderEnds
  private let media: PipeWireWatches
  private let containers: ContainerNodes
  private let proc: String
  /// What tells of mounts, over nodes or on the way to them; `nil` as long as it cannot be had.
  private let mounts = Mutex<WatchRegistration?>(nil)
  /// The nodes, and where nodes appear; `nil` as long as no watcher is left.
  private let nodes = Mutex<PathWatches?>(nil)
  /// What an event of a node leads to.
  private let tell: @Sendable () -> Void
  private let hasLooked = Atomic(false)
  /// Who held a device at the look before, or may hold it out of sight.
  private let seen = Mutex<[HoldingProcess]>([])
  /// What each path led to when it was last in reach.
  private let reached = Mutex<[PathKey: UseTarget]>([:])
  private let departed = DepartedDevices()
  /// Since when virtual cameras are open and not fed.
  private let waiting = Mutex<[String: ContinuousClock.Instant]>([:])
  private let continuation: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>

  /// Starts to watch what is common to all looks.
  ///
  /// A source that is missing is a gap, and no error.
  init(
    _ targets: [Question.Target], roots: MachineRoots,
    environment: @escaping @Sendable (String) -> String?
  ) {
    self.targets = targets
    proc = roots.proc
    finder = UseTargetFinder(roots: roots)
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.signals, self.continuation) = (signals, continuation)
    let media = PipeWireWatches(
      PipeWireSocket(roots: roots, environment: environment, ownUser: geteuid())
    ) { continuation.yield() }
    self.media = media
    containers = ContainerNodes(roots: roots)
    observer = UseObserver(
      roots: roots, environment: environment, graph: { media.graph(of: $0) })
    // The node of a path is told of by its directory, and why a device is missing changes no user.
    let subsystems = Set(
      targets.compactMap { if case .kind(let kind) = $0 { kind.subsystem } else { nil } })
    devices =
      subsystems.isEmpty ? nil : DeviceSignals(subsystems, roots: roots, continuation)
    timer = GapTimer { continuation.yield() }
    let settling = try? SettlingLooks(continuation)
    self.settling = settling
    let tell: @Sendable () -> Void = {
      continuation.yield()
      settling?.start()
    }
    self.tell = tell
    holders = HolderEnds(proc: roots.proc, tell)
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { continuation.yield() }

  func look(pollingEvery interval: Duration) throws(DeviceError) -> UseLook {
    // Each source is renewed before what it tells of is looked at, so that nothing is missed.
    _ = devices?.take()
    let mountGaps = coverMounts()
    var findings = try find()
    var siblings = finder.siblings(of: findings.found)
    var groups = containers.look(for: findings.found)
    var coverage = cover(findings.found, siblings, groups.places)
    if coverage.isNew {
      // What came before its directory was watched has been told by nobody.
      findings = try find()
      siblings = finder.siblings(of: findings.found)
      groups = containers.look(for: findings.found)
      coverage = cover(findings.found, siblings, groups.places)
      if coverage.isNew { continuation.yield() }
    }
    hasLooked.store(true, ordering: .relaxed)
    let found = findings.found
    var look = UseLook(UseFacts())
    look.absentPaths = findings.absentPaths
    look.gaps = (devices?.gaps ?? []) + mountGaps + coverage.gaps + findings.hidden
    if groups.isThere {
      look.gaps.append(
        Unobserved("open-events", reason: "a container has its own device node"))
    }
    if !found.isEmpty {
      look.facts = try observer.use(
        of: found, besides: siblings + departed.besides(found + siblings),
        recalling: seen.withLock { $0 })
    }
    media.follow(look.facts)
    look.gaps += gaps(of: look.facts)
    var processes = look.facts.devices.flatMap(\.holders).map(\.process)
    seen.withLock { seen in
      // Whoever is out of sight is one until it ends, or is seen again.
      processes += seen.filter { look.facts.outOfSight.contains($0.id) }
      seen = processes
    }
    if !holders.cover(processes) {
      look.gaps.append(
        Unobserved("open-events", reason: "/proc has the process IDs of another namespace"))
    }
    timer.set(look.gaps.isEmpty ? nil : interval)
    look.waited = media.takeWaited()
    return look
  }

  /// The devices that the targets lead to now.
  private struct Findings {
    var found: [UseTarget] = []
    var absentPaths: [String] = []
    /// What of it is out of reach.
    var hidden: [Unobserved] = []
  }

  private func find() throws(DeviceError) -> Findings {
    var findings = Findings()
    for target in targets {
      do throws(DeviceError) {
        let devices = try finder.devices(of: target)
        if case .path(let path) = target { reached.withLock { $0[PathKey(path)] = devices.first } }
        findings.found.add(devices)
      } catch {
        guard case .path(let path) = target else { throw error }
        if error.isOfHiddenPath, let errno = error.errno {
          // A directory that may not be searched, or a link that leads to itself, may be another soon.
          findings.hidden.append(Unobserved("device-nodes", at: path, reason: errno.reason))
          // Who had it open has it open still, and it is there for others.
          if let earlier = reached.withLock({ $0[PathKey(path)] }) {
            findings.found.add([earlier])
            continue
          }
        } else if !error.isOfAbsentPath {
          // What is no device from the start is a mistake; what comes in the place of one is not.
          guard error.isOfTakenPath, hasLooked.load(ordering: .relaxed) else { throw error }
        }
        reached.withLock { $0[PathKey(path)] = nil }
        findings.absentPaths.append(path)
      }
    }
    return findings
  }

  /// What a program does with a device that it has open already makes no event of the node: a media
  /// server serves others, and a feeder begins to feed a virtual camera.
  private func gaps(of facts: UseFacts) -> [Unobserved] {
    // Most feeders begin as soon as they have it open, within the looks that follow an event. One that
    // maps its buffers can stop, and begin again; one that writes stops when it closes the camera.
    let silent = facts.devices.filter { device in
      device.isHeld && device.isFed == false
        || device.holders.count > 1
          && device.holders.contains { $0.hold.isMapped && device.direction(of: $0) == .feeds }
    }.compactMap(\.device)
    let late = waiting.withLock { waiting in
      waiting = Dictionary(
        silent.map { ($0.sysfsPath, waiting[$0.sysfsPath] ?? .now) }, uniquingKeysWith: min)
      return silent.filter { device in
        waiting[device.sysfsPath].map { .now - $0 >= SettlingLooks.duration } ?? false
      }
    }
    return late.map(Unobserved.feedEvents) + clientGaps(of: facts) + otherNodeGaps(of: facts)
      + failureGaps(of: facts) + countGaps(of: facts)
  }

  /// Whoever has a device open that is gone has no node of which its close would be told, and the driver
  /// counts it all the same.
  private func countGaps(of facts: UseFacts) -> [Unobserved] {
    facts.devices.filter { use in
      facts.state(of: use) == .unknown && (use.device.map(DriverObserver.counts) ?? false)
    }.map { use in
      Unobserved(
        "open-events", at: use.node, reason: "its driver counts somebody who cannot be seen")
    }
  }

  private func failureGaps(of facts: UseFacts) -> [Unobserved] {
    guard facts.unseen.reasons.contains(.failed) else { return [] }
    return [Unobserved("open-events", reason: "a process could not be inspected")]
  }

  private func otherNodeGaps(of facts: UseFacts) -> [Unobserved] {
    facts.devices.filter { $0.holders.contains(where: \.hold.isThroughOtherNode) }.map { device in
      Unobserved(
        "open-events", at: device.node,
        reason: "files that were opened through another node close without an event")
    }
  }

  private func clientGaps(of facts: UseFacts) -> [Unobserved] {
    facts.devices.compactMap { device in
      let server = device.holders.map(\.process).first {
        $0.isMediaServer && !$0.isSessionManager && !media.isTold(by: $0)
      }
      return server.map { server in
        Unobserved(
          "client-events", at: device.node,
          reason: "the clients of \(server.name) are not reported")
      }
    }
  }

  private func end() {
    devices?.end()
    timer.end()
    settling?.end()
    holders.end()
    media.end()
    mounts.withLock { mounts in
      defer { mounts = nil }
      return mounts
    }?.cancel()
    nodes.withLock { nodes in
      defer { nodes = nil }
      return nodes
    }?.cancel()
  }

  // MARK: Mounts

  /// Starts to hear of mounts, unless that has begun: what is mounted over a node makes no event of it.
  ///
  /// - Returns: Why they are not told.
  private func coverMounts() -> [Unobserved] {
    guard mounts.withLock({ $0 == nil }) else { return [] }
    do throws(Errno) {
      let registration = try EventLoop.shared.watch(
        MountSource.source(proc: proc) { [continuation] in continuation.yield() })
      mounts.withLock { $0 = registration }
      return []
    } catch {
      return [Unobserved("mount-events", reason: error.reason)]
    }
  }

  // MARK: Nodes

  /// One event is enough until the next look, which watches the node anew: however often it is
  /// opened, nothing is done in between.
  private static let nodeMask =
    UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    | UInt32(IN_ONESHOT)

  /// Watches some nodes and the places where they, and those that are missing, come and go.
  ///
  /// - Parameters:
  ///   - found: The devices.
  ///   - siblings: Others of the same drivers.
  ///   - places: The control groups in which those of containers appear.
  /// - Returns: Whether places are watched that were not before, and what cannot be watched.
  private func cover(
    _ found: [UseTarget], _ siblings: [UseTarget], _ places: [String: WatchedNames]
  ) -> WatchCoverage {
    let watches: PathWatches
    do throws(Errno) {
      watches = try nodes.withLock { (nodes) throws(Errno) in
        // Another program of the user may have left a watcher to it since the look before.
        if let nodes { return nodes }
        let watches = try PathWatches(tell)
        nodes = watches
        return watches
      }
    } catch {
      return WatchCoverage(
        isNew: false, gaps: [Unobserved("open-events", reason: FileNotifier.reason(error))])
    }
    var names: [String: Set<String>] = [:]
    let paths = targets.compactMap { if case .path(let path) = $0 { path } else { nil } }
    var unfollowed: [Unobserved] = []
    // Whether filesystems answer was asked when the devices were looked for.
    let filesystems = DistantFilesystems.shared
    for path in found.map(\.node) + paths where !filesystems.isSilent(at: path) {
      let way = PathNames(of: path, leavingOut: filesystems.isSilent)
      names.merge(way.names) { $0.union($1) }
      if let error = way.error {
        unfollowed.append(Unobserved("file-events", at: path, reason: error.reason))
      }
    }
    let all = (found + siblings).map(\.node)
    var requests = all.map { node in
      PathWatches.Request(path: node, names: .all, mask: Self.nodeMask)
    }
    requests += names.map { directory, names in
      .init(path: directory, names: .some(names), mask: PathWatches.directoryMask)
    }
    requests += places.map { place, names in
      .init(path: place, names: names, mask: UInt32(IN_CREATE | IN_ONLYDIR))
    }
    let nodes = Set(all)
    let result = watches.cover(requests)
    let gaps =
      unfollowed
      + result.failed.sorted { $0.path < $1.path }.compactMap { path, error in
        // It went meanwhile, or was never there, which its directory tells.
        if error == .noSuchFile || error == .notDirectory { return nil }
        return Unobserved(
          nodes.contains(path) ? "open-events" : "file-events", at: path,
          reason: FileNotifier.reason(error))
      }
    // A node that was opened is watched anew each time.
    let isNew = result.new.contains { names[$0] != nil || places[$0] != nil }
    return WatchCoverage(isNew: isNew, gaps: gaps)
  }
}
