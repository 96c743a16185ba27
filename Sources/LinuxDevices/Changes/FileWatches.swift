internal import AccessModel
internal import CLinux
internal import Synchronization

/// The files that one watch has the kernel tell about.
final class FileWatches: Sendable {
  /// What is watched under one number.
  private struct Watched: Equatable {
    var path: String
    var names: WatchPlan.Names
  }

  private let watched = Mutex<[Int32: Watched]>([:])
  private let source: DescriptorSource
  private let registration: WatchRegistration

  /// The accounts that decide who is in which group.
  private static let accountNames = WatchPlan.Names.some(["passwd", "group", "nsswitch.conf"])
  private static let directoryMask = UInt32(
    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR)
  private static let fileMask = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Calls `body` on the event loop's thread when one of them has changed.
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
    struct Owner { weak var value: FileWatches? }
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

  /// Watches the files of a plan, and no others.
  ///
  /// - Parameters:
  ///   - plan: The files.
  ///   - accounts: The directory of the account files.
  /// - Returns: Whether something is watched that was not before, and what cannot be watched.
  func cover(_ plan: WatchPlan, accounts: String) -> WatchCoverage {
    let notifier = FileNotifier(descriptor: source.descriptor)
    var now: [Int32: Watched] = [:]
    var failed: [(path: String, error: Errno)] = []
    func add(_ path: String, _ names: WatchPlan.Names, _ mask: UInt32) {
      do throws(Errno) {
        let watch = try notifier.add(path, mask)
        var merged = Watched(path: path, names: names)
        // Another path of the same file.
        if let other = now[watch]?.names { merged.names = Self.union(names, other) }
        now[watch] = merged
      } catch {
        failed.append((path, error))
      }
    }
    for (path, names) in plan.directories { add(path, names, Self.directoryMask) }
    for path in plan.files { add(path, .all, Self.fileMask) }
    add(accounts, Self.accountNames, Self.directoryMask | UInt32(IN_CLOSE_WRITE))
    let before = watched.withLock { watched in
      let before = watched
      watched = now
      return before
    }
    for watch in before.keys where now[watch] == nil { notifier.remove(watch) }
    let isNew = now.contains { before[$0.key] != $0.value }
    return WatchCoverage(
      isNew: isNew, gaps: failed.compactMap { gap($0.path, $0.error, plan, accounts) }.sorted())
  }

  /// What cannot be watched and nothing else tells; `nil` for what does not matter.
  private func gap(
    _ path: String, _ error: Errno, _ plan: WatchPlan, _ accounts: String
  ) -> Unobserved? {
    switch error {
    // It went meanwhile, which its directory tells.
    case .noSuchFile, .notDirectory: return nil
    case .permissionDenied:
      // The directory that an object is in tells of it as well, and one that may not be searched
      // hides what is in it.
      if plan.files.contains(path), plan.directories[AbsolutePath.parent(of: path)] != nil {
        return nil
      }
      if plan.hidden.contains(path) { return nil }
    default: break
    }
    return Unobserved("file-events", at: path, reason: error.reason)
  }

  private static func union(_ one: WatchPlan.Names, _ other: WatchPlan.Names) -> WatchPlan.Names {
    guard case .some(let names) = one, case .some(let others) = other else { return .all }
    return .some(names.union(others))
  }
}

extension [Unobserved] {
  /// In an order that does not depend on that of a dictionary.
  fileprivate func sorted() -> [Unobserved] {
    sorted { ($0.at ?? "", $0.reason) < ($1.at ?? "", $1.reason) }
  }
}
