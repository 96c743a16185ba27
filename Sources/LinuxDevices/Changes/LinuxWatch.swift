internal import AccessModel
internal import Glibc
internal import Synchronization

/// Watches the running system: devices, files, mounts, sessions and accounts.
final class LinuxWatch: MachineWatch {
  private struct State {
    var files: FileWatches?
    var registrations: [WatchRegistration] = []
    /// What could not be set up.
    var gaps: [Unobserved] = []
  }

  private let state = Mutex(State())
  private let roots: MachineRoots
  private let devices: DeviceSignals?
  private let timer: GapTimer
  private let continuation: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>

  /// Starts to watch what is common to all facts; files are watched once facts are known.
  ///
  /// A source that is missing is a gap, and no error.
  init(_ targets: [Question.Target], roots: MachineRoots) {
    self.roots = roots
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.signals, self.continuation) = (signals, continuation)
    let subsystems = DeviceSignals.subsystems(of: targets)
    devices =
      subsystems.isEmpty ? nil : DeviceSignals(subsystems, roots: roots, continuation)
    timer = GapTimer(continuation)
    startSources()
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { continuation.yield() }

  func cover(_ facts: [AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    let isRenewed = devices?.renew() ?? false
    var coverage = WatchCoverage(isNew: false)
    let (files, gaps) = state.withLock { ($0.files, $0.gaps) }
    if let files {
      coverage = files.cover(WatchPlan(facts), accounts: roots.etc)
    }
    // What happened before the new socket was opened was not told.
    coverage.isNew = coverage.isNew || isRenewed
    coverage.gaps += (devices?.gaps ?? []) + gaps + facts.flatMap(Self.gaps)
    coverage.gaps = coverage.gaps.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    timer.set(coverage.gaps.isEmpty ? nil : interval)
    return coverage
  }

  // MARK: Sources

  private func startSources() {
    let wake: @Sendable () -> Void = { [continuation] in continuation.yield() }
    attempt("file-events") { () throws(Errno) in
      let files = try FileWatches(wake)
      state.withLock { $0.files = files }
    }
    attempt("mount-events", at: "\(roots.proc)/thread-self/mountinfo") { () throws(Errno) in
      try watch(MountSource.source(proc: roots.proc, wake))
    }
    // The check that sd-login(3) itself recommends; without logind there are no sessions.
    guard roots.run == "/run", unsafe access("/run/systemd/seats/", F_OK) == 0 else { return }
    attempt("session-events") { () throws(Errno) in try watch(LoginSource(wake)) }
  }

  private func attempt(
    _ layer: String, at path: String? = nil, _ body: () throws(Errno) -> Void
  ) {
    do throws(Errno) {
      try body()
    } catch {
      let gap = Unobserved(layer, at: path, reason: error.reason)
      state.withLock { $0.gaps.append(gap) }
    }
  }

  private func watch(_ source: any EventSource) throws(Errno) {
    let registration = try EventLoop.shared.watch(source)
    state.withLock { $0.registrations.append(registration) }
  }

  /// What decides, and whose changes nothing tells.
  private static func gaps(of facts: AccessFacts) -> [Unobserved] {
    var gaps: [Unobserved] = []
    switch facts.origin?.kind {
    case .process:
      gaps.append(Unobserved("process-events", reason: "no events of another process's rights"))
    case .unit:
      gaps.append(Unobserved("unit-events", reason: "the settings of units are not watched"))
    case .ownProcess, .user, nil: break
    }
    for mount in facts.access.mounts where isRemote(mount.fstype) {
      gaps.append(
        Unobserved(
          "file-events", at: mount.at, reason: "\(mount.fstype) does not tell of all changes"))
    }
    return gaps
  }

  /// Whether others can change files of a filesystem without this kernel knowing.
  private static func isRemote(_ type: String) -> Bool {
    type.hasPrefix("nfs") || type.hasPrefix("fuse") || type == "cifs" || type == "smb3"
      || ["9p", "virtiofs", "afs", "ceph", "glusterfs", "lustre", "ocfs2", "gfs2"].contains(type)
  }

  private func end() {
    devices?.end()
    timer.end()
    let (registrations, files) = state.withLock { state in
      let all = (state.registrations, state.files)
      (state.registrations, state.files) = ([], nil)
      return all
    }
    for registration in registrations { registration.cancel() }
    files?.cancel()
  }
}
