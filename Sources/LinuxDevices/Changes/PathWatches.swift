internal import AccessModel
internal import CLinux
internal import Synchronization

/// The paths that one watch has the kernel tell about.
final class PathWatches: Sendable {
  /// One path, and what matters about it.
  struct Request: Equatable, Sendable {
    var path: String
    /// Of a directory the names that matter.
    var names: WatchedNames
    /// The constants `IN_…`.
    var mask: UInt32
  }

  /// What was read, and to whom it matters.
  struct Told: Sendable {
    var news = WatchNews.none
    /// What may be another object now, or a directory with other attributes.
    var changed = ChangedPaths.none

    mutating func formUnion(_ other: Self) {
      news.formUnion(other.news)
      changed.formUnion(other.changed)
    }
  }

  private struct State {
    var watched: [Int32: WatchedPath] = [:]
    /// The numbers of what each watches.
    var numbers: [Int: Set<Int32>] = [:]
    /// Those whose paths may lead to something else since they were watched.
    var moved: Set<Int> = []
  }

  private let state = Mutex(State())
  /// What was read and not taken.
  private let told = Mutex(Told())
  /// Whether what was read last mattered to somebody: most often the next does, too, and what does
  /// not matter wakes somebody once.
  private let isMattering = Atomic(false)
  private let source: DescriptorSource
  private let registration: WatchRegistration
  /// When to rest, and what ends that; `nil` for never.
  let pace: Mutex<(EventPace, alarm: Alarm?)>?
  /// Whether something waits for the end of a rest that was read.
  private let isPutOff = Atomic(false)
  private let body: @Sendable () -> Void

  /// What tells that names in a directory, or the directory itself, came, went or changed.
  static let directoryMask = UInt32(
    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR)

  /// Calls `body` on the event loop's thread when something has happened that matters to somebody.
  ///
  /// - Parameters:
  ///   - isEarly: Whether `body` is called before it is read what happened as well, where that is likely
  ///     to matter. Whoever wakes up meanwhile finds it read, and may find nothing.
  ///   - isPaced: Whether to rest at times while events keep coming.
  ///   - body: What to call; it must not wait.
  /// - Throws: `EMFILE` when the user has too many (`fs.inotify.max_user_instances`).
  init(
    early isEarly: Bool = false, paced isPaced: Bool = false,
    _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let relay = Relay()
    self.body = body
    source = DescriptorSource(try FileNotifier.open(), interest: CLINUX_READABLE) { number, _ in
      guard let owner = relay.owner.withLock({ $0.value }) else {
        FileNotifier(descriptor: number).drain(.part, where: { _, _ in false }) { _ in }
        return true
      }
      // A host does the rest on this very thread.
      if isEarly, owner.isMattering.load(ordering: .relaxed), EventLoop.shared.hasThread { body() }
      let new = owner.told.withLock { told in
        let new = owner.read(.part)
        told.formUnion(new)
        return new.news.questions
      }
      owner.isMattering.store(new != .none, ordering: .relaxed)
      if new != .none {
        owner.restIfNeeded(after: new)
        body()
      }
      return true
    }
    pace = isPaced ? Mutex((EventPace(), nil)) : nil
    registration = try EventLoop.shared.watch(source)
    relay.owner.withLock { $0.value = self }
  }

  /// What the source knows of its owner, which it does not keep alive.
  private final class Relay: Sendable {
    struct Owner { weak var value: PathWatches? }
    let owner = Mutex(Owner())
  }

  func cancel() {
    registration.cancel()
    pace?.withLock { $0.alarm }?.end()
  }

  /// Has the kernel keep what happens for a while, where events keep coming.
  private func restIfNeeded(after questions: TouchedQuestions) {
    if pace?.withLock({ $0.0.takesRest(after: questions, now: .now) }) ?? false { _ = rest() }
  }

  /// Has the kernel keep what happens for a while.
  ///
  /// - Returns: Whether it does: without an alarm there is no rest.
  private func rest() -> Bool {
    let alarm = pace?.withLock { pace -> Alarm? in
      pace.alarm = pace.alarm ?? (try? Alarm { [weak self] in self?.endRest() ?? nil })
      return pace.alarm
    }
    guard let alarm else { return false }
    registration.pause()
    alarm.start(after: EventPace.rest)
    return true
  }

  /// Goes on; returns after how long to try again, where that is not possible now.
  private func endRest() -> Int32? {
    if isPutOff.exchange(false, ordering: .relaxed) { body() }
    return (try? registration.resume()) == nil ? EventPace.rest : nil
  }

  /// Takes what has happened that matters to somebody.
  ///
  /// Where the kernel had to leave something out that it has not told yet, everything matters, after a rest:
  /// while others make more events than can be read, there would be nothing but looks.
  ///
  /// - Parameter isReading: Whether what the kernel has not told yet counts, too.
  /// - Returns: What has happened, and to whom it matters.
  func take(reading isReading: Bool) -> Told {
    let (taken, isIncomplete) = told.withLock { told in
      let new = isReading ? read(.all) : Told()
      var taken = told
      guard new.news.questions == .all, pace != nil else {
        taken.formUnion(new)
        told = Told()
        return (taken, false)
      }
      told = new
      // Nothing that is looked at until then relies on what may be another object.
      taken.changed = .all
      return (taken, true)
    }
    guard isIncomplete else { return taken }
    isPutOff.store(true, ordering: .relaxed)
    if !rest() { body() }
    return taken
  }

  /// Reads what has happened, and to whom it matters.
  ///
  /// Others may change files faster than it is read what happens to them, so that it is not read until there
  /// is nothing more: signals, timers and looks have their turn. One thread reads at a time, and adds what it
  /// read before the next one does.
  private func read(_ share: FileNotifier.Share) -> Told {
    var new = Told()
    FileNotifier(descriptor: source.descriptor).drain(share, where: mayMatter) { notice in
      let effect = effect(of: notice)
      if effect.news.questions != .none { new.formUnion(effect) }
    }
    return new
  }

  /// Whether what happens to a name may matter to somebody.
  private func mayMatter(_ watch: Int32, _ name: Span<UInt8>) -> Bool {
    state.withLock { state in
      // An overflow is about no name.
      guard let place = state.watched.index(forKey: watch) else { return false }
      return state.watched.values[place].mayMatter(name)
    }
  }

  private func effect(of notice: FileNotifier.Notice) -> Told {
    state.withLock { state in
      // An overflow can have been about any of them.
      guard notice.watch >= 0 else {
        state.moved = Set(state.numbers.keys)
        return Told(news: .all, changed: .all)
      }
      guard let entry = state.watched[notice.watch] else { return Told() }
      if notice.mask & UInt32(IN_IGNORED) != 0 { state.watched[notice.watch] = nil }
      let touched = entry.users(of: notice.name)
      // Of all that can be watched, this alone leaves names and objects together.
      if notice.mask & ~UInt32(IN_ISDIR) != UInt32(IN_ATTRIB) { state.moved.formUnion(touched) }
      guard !touched.isEmpty else { return Told() }
      // What is no directory is looked at each time.
      let isKept =
        notice.mask == UInt32(IN_ATTRIB)
        || !notice.name.isEmpty && notice.mask & UInt32(IN_ISDIR) == 0
      let isArrival = notice.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
      let paths = isKept && !isArrival ? .none : entry.changed(by: notice.name)
      var told = Told(
        news: WatchNews(.some(QuestionNumbers(touched))), changed: isKept ? .none : paths)
      if isArrival, case .some(let arrivals) = paths { told.news.arrivals = arrivals }
      return told
    }
  }

  /// Whether the paths of one of those who share this lead to what was watched when
  /// ``cover(_:for:)`` was last called.
  func isCurrent(for user: Int = 0) -> Bool {
    state.withLock { $0.numbers[user] != nil && !$0.moved.contains(user) }
  }

  /// Watches some paths for one of those who share this, and no others for them.
  ///
  /// - Returns: What is watched for them that was not before, and what cannot be.
  func cover(
    _ requests: [Request], for user: Int = 0
  ) -> (new: Set<String>, failed: [(path: String, error: Errno)]) {
    // Nothing that happens to a path is taken before it is known under its number.
    state.withLock { cover(requests, for: user, &$0) }
  }

  private func cover(
    _ requests: [Request], for user: Int, _ state: inout State
  ) -> (new: Set<String>, failed: [(path: String, error: Errno)]) {
    let notifier = FileNotifier(descriptor: source.descriptor)
    state.moved.remove(user)
    var now: [Int32: (names: WatchedNames, paths: [String])] = [:]
    var failed: [(path: String, error: Errno)] = []
    for request in requests {
      do throws(Errno) {
        let watch = try notifier.add(request.path, request.mask)
        // Another path of the same file.
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
    // The user's other programs may leave some of their watches to it.
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
