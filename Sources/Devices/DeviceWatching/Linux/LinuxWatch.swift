internal import AccessModel
internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// Watches the running system: devices, files, mounts, sessions and accounts.
final class LinuxWatch: MachineWatch {
  private struct State {
    var isOver = false
    var files: FileWatches?
    var mountEvents: WatchRegistration?
    /// The registration for notifications that the system was suspended.
    var sleeps: SharedSource.Registration?
    /// The registration for session changes.
    var logins: SharedSource.Registration?
    /// The sources that could not be started, keyed by layer.
    var gaps: [String: Unobserved] = [:]
    /// The account data that cannot be watched.
    var accountGaps: [Unobserved] = []
    /// The facts that cannot be watched, for each question that has any.
    var questionGaps: [Int: [Unobserved]] = [:]
    /// The facts that the watches of each question are based on.
    var covered: [Int: AccessFacts] = [:]
  }

  private let state = Mutex(State())
  private let roots: MachineRoots
  private let environment: @Sendable (String) -> String?
  private let devices: DeviceSignals?
  /// The subsystems that each question depends on.
  private let subsystems: [Set<String>]
  private let touches: TouchedQuestionCollector
  private let mounts: MountChanges
  let cache: ScanCache
  private let timer: GapTimer
  private let continuation: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>

  /// Starts the sources that all questions share.
  ///
  /// The files of a question are watched after ``cover(_:pollingEvery:)`` receives its facts. A
  /// source that cannot be started is a gap, not an error.
  ///
  /// - Parameters:
  ///   - targets: The targets of the questions.
  ///   - roots: The directories that hold the machine's facts.
  ///   - environment: Returns the value of an environment variable.
  ///   - longestAge: The longest time that facts without change events are reused.
  init(
    _ targets: [Question.Target], roots: MachineRoots,
    environment: @escaping @Sendable (String) -> String?,
    longestAge: Duration = ScanCache.longestAge
  ) {
    self.roots = roots
    self.environment = environment
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.signals, self.continuation) = (signals, continuation)
    subsystems = targets.map(DeviceSignals.subsystems)
    let all = Set(subsystems.joined())
    devices = all.isEmpty ? nil : DeviceSignals(all, roots: roots, continuation)
    cache = ScanCache(subsystems: all, longestAge: longestAge)
    mounts = MountChanges(proc: roots.proc)
    let touches = TouchedQuestionCollector(continuation)
    self.touches = touches
    timer = GapTimer { [cache] in
      cache.forgetUnreported()
      touches.addUnreported()
    }
    startSources()
    coverAccounts()
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { touches.add(.all) }

  func isSwitchingSessions(since facts: AccessFacts) -> Bool {
    facts.session.map { ConsoleSwitch.isGoingOn(since: $0, roots) } ?? false
  }

  func takeReportedChanges() -> WatchedChanges { take(readingFiles: false) }

  func takeAllChanges() -> WatchedChanges { take(readingFiles: true) }

  private func take(readingFiles isReading: Bool) -> WatchedChanges {
    let reportedDevices = devices?.take() ?? .none
    let files = state.withLock { $0.files }
    var changes = WatchedChanges(touches.take())
    let replaced = mounts.takeReplaced(reading: isReading)
    changes.arrivals = replaced.places
    if replaced.isAhead { changes.questions = .all }
    let isReportedElsewhere = changes.questions != .none
    var changed: ChangedPaths = isReportedElsewhere ? .all : .none
    if let files {
      let reported = files.take(reading: isReading)
      changes.formUnion(reported.changes)
      changed.formUnion(reported.changed)
    }
    if reportedDevices.isLost { changes.questions = .all }
    if !reportedDevices.events.isEmpty {
      changes.questions.formUnion(questions(about: Set(reportedDevices.events.map(\.subsystem))))
      cache.note(reportedDevices.events)
    }
    if changes.questions == .all {
      cache.forget()
      // A new mount may look the same but hold other objects, so cover all questions again.
      state.withLock { $0.covered = [:] }
      // A missing source may be available now: another program may have freed an inotify instance.
      startSources()
      coverAccounts()
    } else if case .some(let questions) = changes.questions, let files,
      !questions.allSatisfy({ files.isCurrent(for: $0) })
    {
      cache.noteOtherDevices()
    }
    cache.forgetDirectories(through: changed)
    return changes
  }

  private func questions(about reported: Set<String>) -> TouchedQuestions {
    .some(QuestionNumbers(subsystems.indices.filter { !subsystems[$0].isDisjoint(with: reported) }))
  }

  /// Returns the facts remembered from earlier scans, without those that are out of date.
  func cacheForScan() -> ScanCache {
    cache.age(reportsDevices: devices?.gaps.isEmpty ?? false)
    return cache
  }

  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    var coverage = WatchCoverage(isNew: false)
    let (files, covered) = state.withLock { ($0.files, $0.covered) }
    var gaps: [Int: [Unobserved]] = [:]
    var new: Set<String> = []
    // Facts are large, so those that are only compared are not copied.
    for (question, index) in zip(facts.keys, facts.values.indices) {
      if let before = covered.index(forKey: question), files?.isCurrent(for: question) ?? true,
        WatchPlan.isSame(for: facts.values[index], as: covered.values[before])
      {
        continue
      }
      let facts = facts.values[index]
      let covered = files?.cover(plan(for: facts), for: question)
      new.formUnion(covered?.new ?? [])
      gaps[question] = (covered?.gaps ?? []) + self.gaps(of: facts)
    }
    // Scan again if the facts were too old, or if a path may have changed before it was watched.
    coverage.isNew = cache.takeAge() || !new.isEmpty
    cache.forgetDirectories(through: .some(new))
    let (common, unreported) = state.withLock { state in
      for (question, gaps) in gaps {
        state.questionGaps[question] = gaps.isEmpty ? nil : gaps
        state.covered[question] = facts[question]
      }
      let gaps = state.gaps.sorted { $0.key < $1.key }.map(\.value)
      return (gaps + state.accountGaps + (devices?.gaps ?? []), state.questionGaps)
    }
    touches.setUnreported(common.isEmpty ? .some(QuestionNumbers(unreported.keys.sorted())) : .all)
    var seen: Set<Unobserved> = []
    coverage.gaps = (common + unreported.sorted { $0.key < $1.key }.flatMap(\.value))
      .filter { seen.insert($0).inserted }
    timer.set(coverage.gaps.isEmpty ? nil : interval)
    return coverage
  }

  // MARK: Sources

  /// Starts each source that is not running; a source that cannot be started is a gap.
  private func startSources() {
    let wake: @Sendable () -> Void = { [touches] in touches.add(.all) }
    attempt("file-events", \.files) { () throws(Errno) in
      try FileWatches { [continuation] in continuation.yield() }
    }
    attempt("sleep-events", \.sleeps) { () throws(Errno) in
      try SharedSource.sleeps.watch(wake)
    }
    let mountinfo = "\(roots.proc)/thread-self/mountinfo"
    attempt("mount-events", at: mountinfo, \.mountEvents) { () throws(Errno) in
      try EventLoop.shared.watch(
        MountSource.source(proc: roots.proc) { [mounts] in
          mounts.note()
          wake()
        })
    }
    // sd-login(3) recommends this check. Without logind, no sessions exist.
    guard roots.run == "/run", unsafe access("/run/systemd/seats/", F_OK) == 0 else { return }
    attempt("session-events", \.logins) { () throws(Errno) in
      try SharedSource.logins.watch(wake)
    }
  }

  /// Starts a source if it is not already running.
  ///
  /// - Parameters:
  ///   - layer: The layer that the source reports.
  ///   - path: The file that the source watches, if any.
  ///   - place: The property that stores the source.
  ///   - start: Starts the source, which ends when its value is released.
  private func attempt<Source: Sendable>(
    _ layer: String, at path: String? = nil, _ place: WritableKeyPath<State, Source?>,
    _ start: () throws(Errno) -> Source
  ) {
    guard state.withLock({ $0[keyPath: place] == nil && !$0.isOver }) else { return }
    do throws(Errno) {
      let source = try start()
      state.withLock { state in
        state.gaps[layer] = nil
        if !state.isOver { state[keyPath: place] = source }
      }
    } catch {
      // logind's monitor also watches files.
      let isOfFiles = ["file-events", "session-events"].contains(layer)
      let reason = isOfFiles ? FileNotifier.reason(error) : error.reason
      let gap = Unobserved(layer, at: path, reason: reason)
      state.withLock { $0.gaps[layer] = gap }
    }
  }

  /// Watches the existing account files, and the places where new ones may appear.
  private func coverAccounts() {
    let files = state.withLock { $0.files }
    let gaps = (files?.coverAccounts(in: roots).gaps ?? []) + AccountServices.gaps(roots)
    state.withLock { $0.accountGaps = gaps }
  }

  private func plan(for facts: AccessFacts) -> WatchPlan {
    var plan = WatchPlan([facts])
    let filesystems = RemoteFilesystems.shared
    if let file = AlbumObserver.file(of: facts, environment: environment),
      !filesystems.isSilent(at: file)
    {
      plan.addContents(
        of: file, by: PathNames(of: file, leavingOut: filesystems.silence(proc: roots.proc)))
    }
    plan.leaveOut(where: filesystems.isSilent)
    return plan
  }

  /// Returns the gaps for facts that affect the answer but whose changes cause no events.
  private func gaps(of facts: AccessFacts) -> [Unobserved] {
    var gaps: [Unobserved] = []
    switch facts.origin?.kind {
    case .process:
      gaps.append(
        Unobserved(
          "process-events", reason: "changes to another process's credentials cause no events"))
    case .unit:
      gaps.append(Unobserved("unit-events", reason: "the settings of units are not watched"))
    case .ownProcess, .user, nil: break
    }
    if let album = facts.album, album.source != .environment,
      AlbumObserver.file(of: facts, environment: environment) == nil
    {
      gaps.append(Unobserved("file-events", reason: "the home directory is unknown"))
    }
    if let camera = facts.devices.first(where: { $0.isFed != nil }) {
      gaps.append(.feedEvents(of: camera))
    }
    for mount in facts.access.mounts where Self.causesNoEvents(mount.fstype) {
      gaps.append(
        Unobserved(
          "file-events", at: mount.at, reason: "\(mount.fstype) does not report all changes"))
    }
    for node in facts.access.nodes where !node.flags.isEmpty {
      guard node.type != .directory || facts.access.request.creates else { continue }
      gaps.append(
        Unobserved("file-events", at: node.path, reason: "no events of the flags of chattr(1)"))
    }
    return gaps + blindGaps(of: facts)
  }

  /// Returns the gaps left by failed inspections that may succeed later without an event.
  ///
  /// Typical reasons are a disk error and a lack of memory.
  private func blindGaps(of facts: AccessFacts) -> [Unobserved] {
    // The target of an unreadable link is not watched.
    let elements = [Node.Element.status, .target].map(\.rawValue)
    var gaps = facts.unobserved.filter { elements.contains($0.layer) || $0.isOfPassingError }
    if let failed = facts.failedCheck {
      gaps.append(Unobserved("kernel-check", at: failed.path, reason: failed.errno.reason))
    }
    for node in facts.access.nodes where node.unobserved.contains(.contents) {
      // If the mode denies the search, a change to the mode causes an event.
      guard unsafe faccessat(AT_FDCWD, ByteText(node.path).cString, X_OK, AT_EACCESS) == 0 else {
        continue
      }
      gaps.append(
        Unobserved("file-events", at: node.path, reason: Errno.permissionDenied.reason))
    }
    return gaps
  }

  /// Returns whether files of a filesystem can change without an event from this kernel.
  ///
  /// Another machine may change them. In procfs, they disappear with their process.
  private static func causesNoEvents(_ type: String) -> Bool {
    MountEntry.isDistant(type) || ["proc", "ocfs2", "gfs2"].contains(type)
  }

  /// Stops all sources; a second call has no effect.
  private func end() {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isFirst else { return }
    let (mountEvents, shared, files) = state.withLock { state in
      let all = (state.mountEvents, [state.sleeps, state.logins].compactMap(\.self), state.files)
      (state.mountEvents, state.sleeps, state.logins, state.files) = (nil, nil, nil, nil)
      return all
    }
    let body: @Sendable () -> Void = { [devices, timer, cache] in
      devices?.end()
      timer.end()
      mountEvents?.cancel()
      for registration in shared { registration.cancel() }
      files?.cancel()
      cache.forget()
    }
    // The kernel takes milliseconds to free file watches, and an answer may wait for this call.
    if (try? DedicatedThread.run(body)) == nil { body() }
  }
}

/// Collects the questions that the sources of a watch report, for one consumer.
///
/// The sources refer only to this object, so they do not keep the watch alive.
final class TouchedQuestionCollector: Sendable {
  private struct State {
    var touched = TouchedQuestions.none
    /// The questions with gaps, which are reported after each interval.
    var unreported = TouchedQuestions.none
  }

  private let state = Mutex(State())
  private let continuation: AsyncStream<Void>.Continuation

  init(_ continuation: AsyncStream<Void>.Continuation) {
    self.continuation = continuation
  }

  func add(_ questions: TouchedQuestions) {
    state.withLock { $0.touched.formUnion(questions) }
    continuation.yield()
  }

  func take() -> TouchedQuestions {
    state.withLock { state in
      defer { state.touched = .none }
      return state.touched
    }
  }

  /// Sets the questions with gaps.
  func setUnreported(_ questions: TouchedQuestions) { state.withLock { $0.unreported = questions } }

  /// Reports the questions with gaps.
  func addUnreported() { add(state.withLock { $0.unreported }) }
}

extension Unobserved {
  /// Returns the gap for a virtual camera, whose driver does not report that a program feeds it.
  static func feedEvents(of camera: DeviceFacts) -> Unobserved {
    Unobserved(
      "feed-events", at: camera.node,
      reason: "the virtual camera driver does not report when a program feeds a camera")
  }
}
