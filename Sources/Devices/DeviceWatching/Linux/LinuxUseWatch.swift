internal import AccessModel
internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// Watches the programs that use devices on the running system.
final class LinuxUseWatch: UseWatch {
  private let targets: [Question.Target]
  private let finder: UseTargetFinder
  private let observer: UseObserver
  private let devices: DeviceSignals?
  private let timer: GapTimer
  private let followUps: FollowUpScans?
  private let holders: HolderExitWatch
  private let media: PipeWireWatches
  private let containers: ContainerNodes
  private let proc: String
  /// The watch for mounts over nodes or on the paths to them; `nil` until it is registered.
  private let mounts = Mutex<WatchRegistration?>(nil)
  /// The watches on the nodes and their directories; `nil` until inotify provides an instance.
  private let nodes = Mutex<PathWatches?>(nil)
  /// Requests a scan after an event on a node, and more scans while the device settles.
  private let tell: @Sendable () -> Void
  private let hasScanned = Atomic(false)
  /// The processes that held a device in the previous scan, or may still hold one out of sight.
  private let seen = Mutex<[HoldingProcess]>([])
  /// The device that each path led to when the path was last reachable.
  private let reached = Mutex<[PathKey: UseTarget]>([:])
  private let departed = RemovedDevices()
  /// The time when each virtual camera entered a state that can change without an event.
  ///
  /// The keys are paths in sysfs.
  private let waiting = Mutex<[String: ContinuousClock.Instant]>([:])
  private let continuation: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>

  /// Starts the watches that all scans share.
  ///
  /// A missing source is reported as a gap, not as an error.
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
    let media = PipeWireWatches(roots: roots, environment: environment) { continuation.yield() }
    self.media = media
    containers = ContainerNodes(roots: roots)
    observer = UseObserver(roots: roots, environment: environment, asking: media)
    // A path needs no device signals. The watch on its directory reports changes to the node, and
    // the reason for a missing device does not affect its users.
    let subsystems = Set(
      targets.compactMap { if case .kind(let kind) = $0 { kind.subsystem } else { nil } })
    devices =
      subsystems.isEmpty ? nil : DeviceSignals(subsystems, roots: roots, continuation)
    timer = GapTimer { continuation.yield() }
    let followUps = try? FollowUpScans(continuation)
    self.followUps = followUps
    let tell: @Sendable () -> Void = {
      continuation.yield()
      followUps?.start()
    }
    self.tell = tell
    holders = HolderExitWatch(proc: roots.proc, tell)
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { continuation.yield() }

  func scan(pollingEvery interval: Duration) throws(DeviceError) -> UseScan {
    // To miss no change, each watch is renewed before the state that it reports is read.
    _ = devices?.take()
    let mountGaps = coverMounts()
    var findings = try find()
    var siblings = finder.siblings(of: findings.found)
    var groups = containers.scan(for: findings.found)
    var coverage = cover(findings.found, siblings, groups.places)
    if coverage.isNew {
      // A node that was created before its directory was watched caused no event.
      findings = try find()
      siblings = finder.siblings(of: findings.found)
      groups = containers.scan(for: findings.found)
      coverage = cover(findings.found, siblings, groups.places)
      if coverage.isNew { continuation.yield() }
    }
    hasScanned.store(true, ordering: .relaxed)
    let found = findings.found
    var scan = UseScan(UseFacts())
    scan.absentPaths = findings.absentPaths
    scan.gaps = (devices?.gaps ?? []) + mountGaps + coverage.gaps + findings.hidden
    if groups.isThere {
      scan.gaps.append(
        Unobserved("open-events", reason: "a container has its own device node"))
    }
    if !found.isEmpty {
      scan.facts = try observer.use(
        of: found, besides: siblings + departed.besides(found + siblings),
        recalling: seen.withLock { $0 })
    }
    media.follow(scan.facts)
    scan.gaps += gaps(of: scan.facts)
    var processes = scan.facts.devices.flatMap(\.holders).map(\.process)
    seen.withLock { seen in
      // A process that is no longer visible stays in the list until it ends or is visible again.
      processes += seen.filter { scan.facts.outOfSight.contains($0.id) }
      seen = processes
    }
    if !holders.cover(processes) {
      scan.gaps.append(
        Unobserved("open-events", reason: "/proc has the process IDs of another namespace"))
    }
    timer.set(scan.gaps.isEmpty ? nil : interval)
    scan.waited = media.takeWaited()
    return scan
  }

  /// The devices that the targets currently specify.
  private struct Findings {
    var found: [UseTarget] = []
    var absentPaths: [String] = []
    /// The paths that could not be reached.
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
          // The permissions of the directory or the loop of links may be changed later.
          findings.hidden.append(Unobserved("device-nodes", at: path, reason: errno.reason))
          // Processes that had the device open still hold it, and other processes may still be able
          // to reach it.
          if let earlier = reached.withLock({ $0[PathKey(path)] }) {
            findings.found.add([earlier])
            continue
          }
        } else if !error.isOfAbsentPath {
          // A path that never led to a device is an error. A path that led to a device before is
          // not.
          guard error.isOfTakenPath, hasScanned.load(ordering: .relaxed) else { throw error }
        }
        reached.withLock { $0[PathKey(path)] = nil }
        findings.absentPaths.append(path)
      }
    }
    return findings
  }

  /// Returns the gaps for changes of use that cause no event.
  ///
  /// A program can change its use of an open device without an event on the node. For example, a
  /// media server accepts another client, or a feeder starts to feed a virtual camera.
  private func gaps(of facts: UseFacts) -> [Unobserved] {
    // Most feeders start as soon as they have opened the camera, within the scans after an event. A
    // feeder that maps the buffers can stop and start again. A feeder that uses write(2) stops when
    // it closes the camera.
    let silent = facts.devices.filter { device in
      device.isHeld && device.isFed == false
        || device.holders.count > 1
          && device.holders.contains { $0.hold.isMapped && device.direction(of: $0) == .feeds }
    }.compactMap(\.device)
    let late = waiting.withLock { waiting in
      waiting = Dictionary(
        silent.map { ($0.sysfsPath, waiting[$0.sysfsPath] ?? .now) }, uniquingKeysWith: min)
      return silent.filter { device in
        waiting[device.sysfsPath].map { .now - $0 >= FollowUpScans.duration } ?? false
      }
    }
    return late.map(Unobserved.feedEvents) + clientGaps(of: facts) + otherNodeGaps(of: facts)
      + failureGaps(of: facts) + countGaps(of: facts)
  }

  /// Returns the gaps for devices whose driver counts an open file that no visible process holds.
  ///
  /// After a device is removed, closing it causes no event, but the driver still counts the file
  /// until then.
  private func countGaps(of facts: UseFacts) -> [Unobserved] {
    facts.devices.filter { use in
      facts.state(of: use) == .unknown && (use.device.map(DriverObserver.counts) ?? false)
    }.map { use in
      Unobserved(
        "open-events", at: use.node, reason: "its driver counts a user that cannot be seen")
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
        $0.isMediaServer && !$0.isSessionManager && !media.isReported(by: $0)
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
    followUps?.end()
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

  /// Watches mounts, unless they are already watched.
  ///
  /// A mount over a node causes no event on the node.
  ///
  /// - Returns: The reason why mounts cannot be watched; empty if they are watched.
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

  /// The events to watch on a node.
  ///
  /// Each watch reports one event. The next scan renews the watch. Until then, further opens cause
  /// no work.
  private static let nodeMask =
    UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    | UInt32(IN_ONESHOT)

  /// Watches nodes and the directories that contain them.
  ///
  /// - Parameters:
  ///   - found: The devices.
  ///   - siblings: Other devices of the same drivers.
  ///   - places: The directories that contain control groups of containers, with the prefixes of
  ///     their names.
  /// - Returns: A value that indicates whether any directory is newly watched, and the paths that
  ///   cannot be watched.
  private func cover(
    _ found: [UseTarget], _ siblings: [UseTarget], _ places: [String: Set<String>]
  ) -> WatchCoverage {
    let watches: PathWatches
    do throws(Errno) {
      watches = try nodes.withLock { (nodes) throws(Errno) in
        // Another program of the user may have released an inotify instance since the last scan.
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
    // The search for the devices has already checked whether the filesystems respond.
    let filesystems = RemoteFilesystems.shared
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
    requests += places.map { place, prefixes in
      .init(path: place, names: .beginning(with: prefixes), mask: UInt32(IN_CREATE | IN_ONLYDIR))
    }
    let nodes = Set(all)
    let result = watches.cover(requests)
    let gaps =
      unfollowed
      + result.failed.sorted { $0.path < $1.path }.compactMap { path, error in
        // The node was removed or never existed, which the watch on its directory reports.
        if error == .noSuchFile || error == .notDirectory { return nil }
        return Unobserved(
          nodes.contains(path) ? "open-events" : "file-events", at: path,
          reason: FileNotifier.reason(error))
      }
    // A node's watch is renewed after each open, so it does not count as new.
    let isNew = result.new.contains { names[$0] != nil || places[$0] != nil }
    return WatchCoverage(isNew: isNew, gaps: gaps)
  }
}

/// Triggers two more scans after an event.
///
/// The kernel reports an open before the process has its descriptor. A program maps its buffers
/// some time after it has opened a camera, which causes no event.
final class FollowUpScans: Sendable {
  /// The delays in milliseconds, each from the previous scan.
  private static let delays: [Int32] = [100, 900]
  /// The minimum time between an event and the last scan, unless another event occurs.
  static let duration = Duration.milliseconds(900)

  private final class Step: Sendable {
    let value = Atomic<Int>(0)
  }

  private let step: Step
  private let alarm: RestartableTimer

  /// Creates an inactive timer.
  ///
  /// - Parameter signal: The continuation that receives a value for each scan.
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  init(_ signal: AsyncStream<Void>.Continuation) throws(Errno) {
    let step = Step()
    self.step = step
    alarm = try RestartableTimer {
      let next = step.value.wrappingAdd(1, ordering: .relaxed).newValue
      signal.yield()
      return next < Self.delays.count ? Self.delays[next] : nil
    }
  }

  /// Starts the sequence of scans, or restarts it.
  func start() {
    step.value.store(0, ordering: .relaxed)
    alarm.start(after: Self.delays[0])
  }

  func end() { alarm.end() }
}
