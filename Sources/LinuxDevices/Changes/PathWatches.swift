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

  /// What is watched under one number.
  private struct Watched: Equatable {
    var path: String
    var names: WatchPlan.Names
  }

  private let watched = Mutex<[Int32: Watched]>([:])
  private let source: DescriptorSource
  private let registration: WatchRegistration

  /// What tells that names in a directory, or the directory itself, came, went or changed.
  static let directoryMask = UInt32(
    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR)

  /// Calls `body` on the event loop's thread when something about one of them has happened.
  ///
  /// - Throws: `EMFILE` when the user has too many (`fs.inotify.max_user_instances`).
  init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let relay = Relay()
    source = DescriptorSource(try FileNotifier.open(), interest: CLINUX_READABLE) { number, _ in
      var matters = false
      FileNotifier(descriptor: number).drain { notice in
        if relay.owner.withLock({ $0.value?.matters(notice) }) ?? false { matters = true }
      }
      if matters { body() }
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

  private func matters(_ notice: FileNotifier.Notice) -> Bool {
    // An overflow can have been about any of them.
    if notice.watch < 0 { return true }
    return watched.withLock { watched in
      guard let entry = watched[notice.watch] else { return false }
      if notice.mask & UInt32(IN_IGNORED) != 0 { watched[notice.watch] = nil }
      return notice.name.isEmpty || entry.names.contains(notice.name)
    }
  }

  /// Watches some paths, and no others.
  ///
  /// - Returns: Whether something is watched that was not before, and what cannot be watched.
  func cover(_ requests: [Request]) -> (isNew: Bool, failed: [(path: String, error: Errno)]) {
    // Nothing that happens to a path is taken before it is known under its number.
    watched.withLock { cover(requests, &$0) }
  }

  private func cover(
    _ requests: [Request], _ watched: inout [Int32: Watched]
  ) -> (isNew: Bool, failed: [(path: String, error: Errno)]) {
    let notifier = FileNotifier(descriptor: source.descriptor)
    var now: [Int32: Watched] = [:]
    var failed: [(path: String, error: Errno)] = []
    for request in requests {
      do throws(Errno) {
        let watch = try notifier.add(request.path, request.mask)
        var merged = Watched(path: request.path, names: request.names)
        // Another path of the same file.
        if let other = now[watch]?.names { merged.names = Self.union(request.names, other) }
        now[watch] = merged
      } catch {
        failed.append((request.path, error))
      }
    }
    for watch in watched.keys where now[watch] == nil { notifier.remove(watch) }
    let isNew = now.contains { watched[$0.key] != $0.value }
    watched = now
    return (isNew, failed)
  }

  private static func union(_ one: WatchPlan.Names, _ other: WatchPlan.Names) -> WatchPlan.Names {
    guard case .some(let names) = one, case .some(let others) = other else { return .all }
    return .some(names.union(others))
  }
}
