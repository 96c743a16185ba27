internal import AccessModel
internal import CLinux
internal import Synchronization

/// The paths that one watch has the kernel tell about.
final class PathWatches: Sendable {
  /// One path, and what matters about it.
  struct Request: Equatable, Sendable {
    var path: String
    /// Of a directory the names that matter.
    var names: WatchPlan.Names
    /// The constants `IN_…`.
    var mask: UInt32
  }

  /// What was read, and to whom it matters.
  struct Told: Sendable {
    var questions = TouchedQuestions.none
    /// Whether a directory may be another one, or have other attributes.
    var isAtDirectories = false
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
  private let source: DescriptorSource
  private let registration: WatchRegistration

  /// What tells that names in a directory, or the directory itself, came, went or changed.
  static let directoryMask = UInt32(
    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR)

  /// Calls `body` on the event loop's thread when something has happened that matters to somebody.
  ///
  /// - Throws: `EMFILE` when the user has too many (`fs.inotify.max_user_instances`).
  init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let relay = Relay()
    source = DescriptorSource(try FileNotifier.open(), interest: CLINUX_READABLE) { number, _ in
      guard let owner = relay.owner.withLock({ $0.value }) else {
        FileNotifier(descriptor: number).drain { _ in }
        return true
      }
      if owner.told.withLock({ owner.read(&$0) }) { body() }
      return true
    }
    registration = try EventLoop.shared.watch(source)
    relay.owner.withLock { $0.value = self }
  }

  /// What the source knows of its owner, which it does not keep alive.
  private final class Relay: Sendable {
    struct Owner { weak var value: PathWatches? }
    let owner = Mutex(Owner())
  }

  func cancel() { registration.cancel() }

  /// Takes what has happened that matters to somebody.
  ///
  /// - Parameter isReading: Whether what the kernel has not told yet counts, too.
  /// - Returns: What has happened, and to whom it matters.
  func take(reading isReading: Bool) -> Told {
    told.withLock { told in
      if isReading { _ = read(&told) }
      defer { told = Told() }
      return told
    }
  }

  /// Reads what has happened, and tells whether that matters to anybody.
  ///
  /// One thread reads at a time, and adds what it read before the next one does.
  private func read(_ told: inout Told) -> Bool {
    var new = Told()
    FileNotifier(descriptor: source.descriptor).drain { notice in
      let touched = self.touched(by: notice)
      guard touched != .none else { return }
      new.questions.formUnion(touched)
      // The attributes of anything else are looked at each time.
      if notice.mask != UInt32(IN_ATTRIB) { new.isAtDirectories = true }
    }
    told.questions.formUnion(new.questions)
    told.isAtDirectories = told.isAtDirectories || new.isAtDirectories
    return new.questions != .none
  }

  private func touched(by notice: FileNotifier.Notice) -> TouchedQuestions {
    state.withLock { state in
      // An overflow can have been about any of them.
      guard notice.watch >= 0 else {
        state.moved = Set(state.numbers.keys)
        return .all
      }
      guard let entry = state.watched[notice.watch] else { return .none }
      if notice.mask & UInt32(IN_IGNORED) != 0 { state.watched[notice.watch] = nil }
      let touched = entry.users(of: notice.name)
      // Of all that can be watched, this alone leaves names and objects together.
      if notice.mask & ~UInt32(IN_ISDIR) != UInt32(IN_ATTRIB) { state.moved.formUnion(touched) }
      return .some(touched)
    }
  }

  /// Whether the paths of one of those who share this lead to what was watched when
  /// ``cover(_:for:)`` was last called.
  func isCurrent(for user: Int = 0) -> Bool {
    state.withLock { $0.numbers[user] != nil && !$0.moved.contains(user) }
  }

  /// Watches some paths for one of those who share this, and no others for them.
  ///
  /// - Returns: Whether something is watched for them that was not before, and what cannot be.
  func cover(
    _ requests: [Request], for user: Int = 0
  ) -> (isNew: Bool, failed: [(path: String, error: Errno)]) {
    // Nothing that happens to a path is taken before it is known under its number.
    state.withLock { cover(requests, for: user, &$0) }
  }

  private func cover(
    _ requests: [Request], for user: Int, _ state: inout State
  ) -> (isNew: Bool, failed: [(path: String, error: Errno)]) {
    let notifier = FileNotifier(descriptor: source.descriptor)
    state.moved.remove(user)
    var now: [Int32: WatchPlan.Names] = [:]
    var failed: [(path: String, error: Errno)] = []
    for request in requests {
      do throws(Errno) {
        let watch = try notifier.add(request.path, request.mask)
        // Another path of the same file.
        now[watch] = now[watch].map { Self.union(request.names, $0) } ?? request.names
      } catch {
        failed.append((request.path, error))
      }
    }
    var isNew = false
    for (watch, names) in now where state.watched[watch]?[user] != names {
      isNew = true
      state.watched[watch, default: WatchedPath()][user] = names
    }
    let before = state.numbers.updateValue(Set(now.keys), forKey: user) ?? []
    for watch in before.subtracting(now.keys) {
      state.watched[watch]?[user] = nil
      guard state.watched[watch]?.isEmpty == true else { continue }
      state.watched[watch] = nil
      notifier.remove(watch)
    }
    return (isNew, failed)
  }

  private static func union(_ one: WatchPlan.Names, _ other: WatchPlan.Names) -> WatchPlan.Names {
    guard case .some(let names) = one, case .some(let others) = other else { return .all }
    return .some(names.union(others))
  }
}
