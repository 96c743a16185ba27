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
    /// What is not told about each question, where that is anything.
    var questionGaps: [Int: [Unobserved]] = [:]
    /// The facts that each question is watched for.
    var covered: [Int: AccessFacts] = [:]
  }

  private let state = Mutex(State())
  private let roots: MachineRoots
  private let devices: DeviceSignals?
  private let touches: WatchTouches
  private let memory: LookMemory
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
    memory = LookMemory(subsystems: subsystems)
    let touches = WatchTouches(continuation)
    self.touches = touches
    timer = GapTimer { touches.addUntold() }
    startSources()
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { touches.add(.all) }

  func takeTouched() -> TouchedQuestions {
    let isDeviceTold = devices?.take() ?? false
    let touched = isDeviceTold ? .all : touches.take()
    if touched == .all { memory.forget() }
    return touched
  }

  /// What earlier looks of this watch saw, as far as it still holds.
  func memoryForLook() -> LookMemory {
    memory.age(tellsOfDevices: devices?.gaps.isEmpty ?? false)
    return memory
  }

  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    var coverage = WatchCoverage(isNew: false)
    let (files, covered) = state.withLock { ($0.files, $0.covered) }
    var gaps: [Int: [Unobserved]] = [:]
    for (question, facts) in facts {
      if let before = covered[question], files?.isCurrent(for: question) ?? true,
        WatchPlan.isSame(for: facts, as: before)
      {
        continue
      }
      let covered = files?.cover(WatchPlan([facts]), for: question)
      coverage.isNew = coverage.isNew || covered?.isNew ?? false
      gaps[question] = (covered?.gaps ?? []) + Self.gaps(of: facts)
    }
    let (common, untold) = state.withLock { state in
      for (question, gaps) in gaps {
        state.questionGaps[question] = gaps.isEmpty ? nil : gaps
        state.covered[question] = facts[question]
      }
      return (state.gaps + (devices?.gaps ?? []), state.questionGaps)
    }
    touches.setUntold(common.isEmpty ? .some(Set(untold.keys)) : .all)
    var seen: Set<Unobserved> = []
    coverage.gaps = (common + untold.sorted { $0.key < $1.key }.flatMap(\.value))
      .filter { seen.insert($0).inserted }
    timer.set(coverage.gaps.isEmpty ? nil : interval)
    return coverage
  }

  // MARK: Sources

  private func startSources() {
    let wake: @Sendable () -> Void = { [touches] in touches.add(.all) }
    attempt("file-events") { () throws(Errno) in
      let files = try FileWatches { [touches] in touches.add($0) }
      let accounts = files.coverAccounts(in: roots.etc)
      state.withLock { state in
        state.files = files
        state.gaps += accounts.gaps
      }
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
