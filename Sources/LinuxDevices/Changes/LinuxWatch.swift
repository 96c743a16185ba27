internal import AccessModel
internal import Glibc
internal import Synchronization

/// Watches the running system: devices, files, mounts, sessions and accounts.
final class LinuxWatch: MachineWatch {
  private struct State {
    var files: FileWatches?
    var registrations: [WatchRegistration] = []
    var timer: (interval: Duration, registration: WatchRegistration)?
    /// What could not be set up.
    var gaps: [Unobserved] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let roots: MachineRoots
  private let devices: DeviceMonitorSession?
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
    let subsystems = Self.subsystems(of: targets)
    devices =
      subsystems.isEmpty ? nil : DeviceMonitorSession(subsystems, roots: roots, continuation)
    startSources()
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { continuation.yield() }

  func cover(_ facts: [AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    let isRenewed = renewDevices()
    var coverage = WatchCoverage(isNew: false)
    let (files, gaps) = state.withLock { ($0.files, $0.gaps) }
    if let files {
      coverage = files.cover(WatchPlan(facts), accounts: roots.etc)
    }
    // What happened before the new socket was opened was not told.
    coverage.isNew = coverage.isNew || isRenewed
    coverage.gaps += gaps + facts.flatMap(Self.gaps)
    coverage.gaps = coverage.gaps.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    setTimer(coverage.gaps.isEmpty ? nil : interval)
    return coverage
  }

  // MARK: Sources

  /// The subsystems whose devices an answer can depend on.
  private static func subsystems(of targets: [Question.Target]) -> Set<String> {
    var subsystems: Set<String> = []
    for target in targets {
      switch target {
      case .kind(.camera): subsystems.formUnion(["video4linux", "media", "usb"])
      case .kind(let kind): subsystems.formUnion([kind.subsystem].compactMap(\.self))
      case .path(let path):
        // What a link elsewhere leads to is watched as a file.
        guard path.hasPrefix("/dev/") else { continue }
        subsystems.formUnion(DeviceKind.all.compactMap(\.subsystem))
      }
    }
    return subsystems
  }

  private func startSources() {
    let wake: @Sendable () -> Void = { [continuation] in continuation.yield() }
    if let devices {
      attempt("device-events") { () throws(Errno) in try devices.start() }
      noteDaemon()
    }
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
      note(Unobserved(layer, at: path, reason: error.reason))
    }
  }

  /// Without the daemon the kernel's own events come, in containers often not even those.
  private func noteDaemon() {
    guard UdevDatabase(roots: roots).hasControl != true else { return }
    note(Unobserved("device-events", reason: "no udev daemon is seen to run"))
  }

  private func note(_ gap: Unobserved) {
    state.withLock { if !$0.gaps.contains(gap) { $0.gaps.append(gap) } }
  }

  private func watch(_ source: any EventSource) throws(Errno) {
    let registration = try EventLoop.shared.watch(source)
    state.withLock { $0.registrations.append(registration) }
  }

  /// Takes the events of devices, which only say when to look, and opens another socket where the
  /// one before hears nothing any more; tells whether it did.
  private func renewDevices() -> Bool {
    guard let devices else { return false }
    var needsSocket = false
    while let notice = devices.mailbox.take() {
      if notice == .lost(.socket) || notice == .lost(.daemon) { needsSocket = true }
    }
    guard needsSocket else { return false }
    state.withLock { $0.gaps.removeAll { $0.layer == "device-events" } }
    noteDaemon()
    attempt("device-events") { () throws(Errno) in try devices.openSocket() }
    return true
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

  // MARK: Time

  private func setTimer(_ interval: Duration?) {
    guard state.withLock({ $0.timer?.interval }) != interval else { return }
    var timer: (interval: Duration, registration: WatchRegistration)?
    if let interval,
      let source = try? PollTimer.source(
        every: interval, { [continuation] in continuation.yield() }),
      let registration = try? EventLoop.shared.watch(source)
    {
      timer = (interval, registration)
    }
    let before = state.withLock { state in
      let before = state.timer
      state.timer = state.isOver ? nil : timer
      return before
    }
    // Ends outside of the lock.
    before?.registration.cancel()
  }

  private func end() {
    devices?.end()
    let all = state.withLock { state in
      state.isOver = true
      let all = state.registrations + [state.timer?.registration].compactMap(\.self)
      let files = state.files
      (state.registrations, state.timer, state.files) = ([], nil, nil)
      return (all, files)
    }
    for registration in all.0 { registration.cancel() }
    all.1?.cancel()
  }
}
