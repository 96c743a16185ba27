internal import AccessModel
internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// The paths of one watch, observed with inotify(7).
///
/// Several users, such as the questions of a watch, share them. Each user is identified by a
/// number.
final class PathWatches: Sendable {
  /// A path, and the changes to it that matter.
  struct Request: Equatable, Sendable {
    var path: String
    /// The names that matter if the path is a directory.
    var names: WatchedNames
    /// The inotify events, as constants `IN_…`.
    var mask: UInt32
  }

  /// The events that were read, and the users that they matter to.
  struct Reported: Sendable {
    var changes = WatchedChanges.none
    /// The paths that may lead to another object, or to a directory with other attributes.
    var changed = ChangedPaths.none

    mutating func formUnion(_ other: Self) {
      changes.formUnion(other.changes)
      changed.formUnion(other.changed)
    }
  }

  private struct State {
    var watched: [Int32: WatchedPath] = [:]
    /// The watch descriptors of each user.
    var numbers: [Int: Set<Int32>] = [:]
    /// The users whose paths may lead to other objects since they were watched.
    var moved: Set<Int> = []
  }

  private let state = Mutex(State())
  /// The events that were read but not taken.
  private let reported = Mutex(Reported())
  /// A Boolean value that indicates whether the events read last mattered to any user.
  ///
  /// Usually, the next events then matter as well. If they do not, `body` is called once in vain.
  private let isMattering = Atomic(false)
  private let source: DescriptorSource
  private let registration: WatchRegistration
  /// The throttle, and the timer that ends a rest; `nil` if the watch never rests.
  let pace: Mutex<(EventThrottle, alarm: RestartableTimer?)>?
  /// A Boolean value that indicates whether events were read that are not handled until a rest
  /// ends.
  private let isPutOff = Atomic(false)
  private let body: @Sendable () -> Void

  /// The events for changes to the names in a directory or to the directory itself.
  static let directoryMask = UInt32(
    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR)

  /// Starts to receive events, and calls `body` on the event loop's thread after those that matter.
  ///
  /// - Parameters:
  ///   - isEarly: A Boolean value that indicates whether to call `body` also before reading events
  ///     that are likely to matter. A consumer that this call wakes may find that nothing has
  ///     changed.
  ///   - isPaced: A Boolean value that indicates whether to rest while events keep arriving.
  ///   - body: The closure to call, which must not block.
  /// - Throws: `EMFILE` if the user has too many inotify instances
  ///   (`fs.inotify.max_user_instances`).
  init(
    early isEarly: Bool = false, paced isPaced: Bool = false,
    _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let relay = Relay()
    self.body = body
    source = try FileNotifier.source { notifier in
      guard let owner = relay.owner.withLock({ $0.value }) else {
        notifier.drain(.part, where: { _, _ in false }) { _ in }
        return true
      }
      // If a host runs the event loop, the consumer runs on this thread, so an early call is
      // useless.
      if isEarly, owner.isMattering.load(ordering: .relaxed), EventLoop.shared.hasThread { body() }
      let new = owner.reported.withLock { reported in
        let new = owner.read(.part)
        reported.formUnion(new)
        return new.changes.questions
      }
      owner.isMattering.store(new != .none, ordering: .relaxed)
      if new != .none {
        owner.restIfNeeded(after: new)
        body()
      }
      return true
    }
    pace = isPaced ? Mutex((EventThrottle(), nil)) : nil
    registration = try EventLoop.shared.watch(source)
    relay.owner.withLock { $0.value = self }
  }

  /// A weak reference from the source to its owner.
  private final class Relay: Sendable {
    struct Owner { weak var value: PathWatches? }
    let owner = Mutex(Owner())
  }

  func cancel() {
    registration.cancel()
    pace?.withLock { $0.alarm }?.end()
  }

  /// Rests if events keep arriving.
  private func restIfNeeded(after questions: TouchedQuestions) {
    if pace?.withLock({ $0.0.takesRest(after: questions, now: .now) }) ?? false { _ = rest() }
  }

  /// Stops reading events for a while, during which the kernel keeps them.
  ///
  /// - Returns: `true` if reading has stopped; `false` if no alarm could be created.
  private func rest() -> Bool {
    let alarm = pace?.withLock { pace -> RestartableTimer? in
      pace.alarm = pace.alarm ?? (try? RestartableTimer { [weak self] in self?.endRest() ?? nil })
      return pace.alarm
    }
    guard let alarm else { return false }
    registration.pause()
    alarm.start(after: EventThrottle.rest)
    return true
  }

  /// Resumes reading; if that fails, returns the time in milliseconds after which to try again.
  private func endRest() -> Int32? {
    if isPutOff.exchange(false, ordering: .relaxed) { body() }
    return (try? registration.resume()) == nil ? EventThrottle.rest : nil
  }

  /// Returns the changes that matter to any user, and clears them.
  ///
  /// If the kernel dropped events that have not been reported, everything matters. The wake-up is
  /// then deferred until after a rest, because otherwise other programs could cause constant scans
  /// by creating events faster than they can be read.
  ///
  /// - Parameter isReading: A Boolean value that indicates whether to read the kernel's pending
  ///   events as well.
  /// - Returns: The changes, and the users that they matter to.
  func take(reading isReading: Bool) -> Reported {
    let (taken, isIncomplete) = reported.withLock { reported in
      let new = isReading ? read(.all) : Reported()
      var taken = reported
      guard new.changes.questions == .all, pace != nil else {
        taken.formUnion(new)
        reported = Reported()
        return (taken, false)
      }
      reported = new
      // Until then, no scan may rely on an object that may have been replaced.
      taken.changed = .all
      return (taken, true)
    }
    guard isIncomplete else { return taken }
    isPutOff.store(true, ordering: .relaxed)
    if !rest() { body() }
    return taken
  }

  /// Reads events, and determines the users that they matter to.
  ///
  /// Other programs may change files faster than the events are read. The amount to read is
  /// therefore limited, so that signals, timers and scans get their turn. Only one thread reads at
  /// a time, and it adds its events before another thread reads.
  private func read(_ share: FileNotifier.Share) -> Reported {
    var new = Reported()
    FileNotifier(of: source).drain(share, where: mayMatter) { notice in
      let effect = effect(of: notice)
      if effect.changes.questions != .none { new.formUnion(effect) }
    }
    return new
  }

  /// Returns whether an event for a name may matter to any user.
  private func mayMatter(_ watch: Int32, _ name: Span<UInt8>) -> Bool {
    state.withLock { state in
      // The watch may have been removed. Events without a name, such as an overflow, do not get
      // here.
      guard let place = state.watched.index(forKey: watch) else { return false }
      return state.watched.values[place].mayMatter(name)
    }
  }

  private func effect(of notice: FileNotifier.Notice) -> Reported {
    state.withLock { state in
      // The dropped events may concern any watch.
      guard notice.watch >= 0 else {
        state.moved = Set(state.numbers.keys)
        return Reported(changes: .all, changed: .all)
      }
      guard let entry = state.watched[notice.watch] else { return Reported() }
      if notice.mask & UInt32(IN_IGNORED) != 0 { state.watched[notice.watch] = nil }
      let touched = entry.users(of: notice.name)
      // After any other event, a name may refer to another object.
      if notice.mask & ~UInt32(IN_ISDIR) != UInt32(IN_ATTRIB) { state.moved.formUnion(touched) }
      guard !touched.isEmpty else { return Reported() }
      // Only directories are remembered. Other objects are inspected by each scan.
      let isKept =
        notice.mask == UInt32(IN_ATTRIB)
        || !notice.name.isEmpty && notice.mask & UInt32(IN_ISDIR) == 0
      let isArrival = notice.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
      let paths = isKept && !isArrival ? .none : entry.changed(by: notice.name)
      var reported = Reported(
        changes: WatchedChanges(.some(QuestionNumbers(touched))), changed: isKept ? .none : paths)
      if isArrival, case .some(let arrivals) = paths { reported.changes.arrivals = arrivals }
      return reported
    }
  }

  /// Returns whether a user's paths lead to the same objects as at the last ``cover(_:for:)``.
  func isCurrent(for user: Int = 0) -> Bool {
    state.withLock { $0.numbers[user] != nil && !$0.moved.contains(user) }
  }

  /// Watches the given paths for a user, and stops watching other paths for that user.
  ///
  /// - Returns: The paths that were not watched for the user before, and those that cannot be
  ///   watched.
  func cover(
    _ requests: [Request], for user: Int = 0
  ) -> (new: Set<String>, failed: [(path: String, error: Errno)]) {
    // The lock ensures that no event is taken before its watch descriptor is known.
    state.withLock { cover(requests, for: user, &$0) }
  }

  private func cover(
    _ requests: [Request], for user: Int, _ state: inout State
  ) -> (new: Set<String>, failed: [(path: String, error: Errno)]) {
    let notifier = FileNotifier(of: source)
    state.moved.remove(user)
    var now: [Int32: (names: WatchedNames, paths: [String])] = [:]
    var failed: [(path: String, error: Errno)] = []
    for request in requests {
      do throws(Errno) {
        let watch = try notifier.add(request.path, request.mask)
        // Several paths may lead to the same file.
        let names = now[watch]?.names.union(request.names) ?? request.names
        now[watch] = (names, (now[watch]?.paths ?? []) + [request.path])
      } catch {
        failed.append((request.path, error))
      }
    }
    var new: Set<String> = []
    for (watch, (names, paths)) in now {
      if state.watched[watch]?[user] != names {
        state.watched[watch, default: WatchedPath()][user] = names
        new.formUnion(paths)
      }
      for path in paths where state.watched[watch]?.add(path) == true { new.insert(path) }
    }
    // If the limit is reached, other programs of the same user may free watches later, so the paths
    // do not count as current.
    if failed.contains(where: { $0.error == .noSpace }) { state.moved.insert(user) }
    let before = state.numbers.updateValue(Set(now.keys), forKey: user) ?? []
    for watch in before.subtracting(now.keys) {
      state.watched[watch]?[user] = nil
      guard state.watched[watch]?.isEmpty == true else { continue }
      state.watched[watch] = nil
      notifier.remove(watch)
    }
    return (new, failed)
  }
}

/// Decides when a watch rests after an event.
///
/// Resting keeps the cost low if a watch has a thousand files that change one after another. A
/// processor that was idle must load code and tables into its caches again, which takes as long as
/// about twenty scans. Twenty events that are handled together therefore cost as much as two or
/// three separate ones.
///
/// After a quiet period, the first events are handled at once. The same is true for a question that
/// changes repeatedly, because a change that is reverted during the rest would not be seen. Such
/// events do not count for other questions.
struct EventThrottle {
  /// The duration of a rest, in milliseconds.
  static let rest: Int32 = 200
  private static let share = Duration.milliseconds(rest)
  /// The number of events that are handled at once after a quiet period.
  ///
  /// In the long run, one event per duration of a rest is handled at once.
  static let credit = 20
  /// The number of events within about a second that exempts a question from resting.
  static let busyCount = 3
  private static let second = Duration.seconds(1)
  /// The time after which the events of a question are forgotten.
  private static let memory = Duration.seconds(10)

  /// The time until which the events so far have used up their share, up to a limit.
  private var paid: ContinuousClock.Instant
  /// The number of recent events of each question, and the start of the counted second.
  ///
  /// With each second that has passed, the number is halved.
  private var recent: [Int: (start: ContinuousClock.Instant, count: Int)] = [:]
  private var cleaned: ContinuousClock.Instant

  init(now: ContinuousClock.Instant = .now) { (paid, cleaned) = (now, now) }

  /// Counts a wake-up, and decides whether to rest.
  ///
  /// - Parameters:
  ///   - questions: The questions that the events affect.
  ///   - now: The current time.
  /// - Returns: `true` if the watch should rest before the next wake-up.
  mutating func takesRest(after questions: TouchedQuestions, now: ContinuousClock.Instant) -> Bool {
    guard !count(questions, now) else { return false }
    // The limit lets the watch recover from a storm of events after about as many rests as the
    // credit.
    paid = min(
      max(paid, now).advanced(by: Self.share), now.advanced(by: Self.share * (Self.credit + 1)))
    return now.duration(to: paid) > Self.share * Self.credit
  }

  /// Counts the events of each question, and returns whether one of them changes repeatedly.
  private mutating func count(
    _ questions: TouchedQuestions, _ now: ContinuousClock.Instant
  ) -> Bool {
    if cleaned.duration(to: now) > Self.memory {
      recent = recent.filter { $0.value.start.duration(to: now) <= Self.memory }
      cleaned = now
    }
    guard case .some(let numbers) = questions else { return false }
    var isBusy = false
    for number in numbers {
      var events = recent[number] ?? (now, 0)
      while events.count > 0, events.start.duration(to: now) > Self.second {
        events = (events.start.advanced(by: Self.second), events.count / 2)
      }
      if events.count == 0 { events.start = now }
      events.count += 1
      recent[number] = events
      if events.count >= Self.busyCount { isBusy = true }
    }
    return isBusy
  }
}
