internal import AccessModel
internal import CLinux

/// The files that one watch of facts has the kernel tell about.
final class FileWatches: Sendable {
  private let paths: PathWatches

  /// The accounts that decide who is in which group.
  private static let accountNames = WatchPlan.Names.some(["passwd", "group", "nsswitch.conf"])
  private static let fileMask = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Calls `body` on the event loop's thread when one of them has changed.
  ///
  /// - Throws: `EMFILE` when the user has too many (`fs.inotify.max_user_instances`).
  init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    paths = try PathWatches(body)
  }

  func cancel() { paths.cancel() }

  /// Watches the files of a plan, and no others.
  ///
  /// - Parameters:
  ///   - plan: The files.
  ///   - accounts: The directory of the account files.
  /// - Returns: Whether something is watched that was not before, and what cannot be watched.
  func cover(_ plan: WatchPlan, accounts: String) -> WatchCoverage {
    let mask = PathWatches.directoryMask
    var requests = plan.directories.map { path, names in
      PathWatches.Request(path: path, names: names, mask: mask)
    }
    requests += plan.files.map { .init(path: $0, names: .all, mask: Self.fileMask) }
    requests.append(
      .init(path: accounts, names: Self.accountNames, mask: mask | UInt32(IN_CLOSE_WRITE)))
    let result = paths.cover(requests)
    return WatchCoverage(
      isNew: result.isNew,
      gaps: result.failed.compactMap { gap($0.path, $0.error, plan) }.sorted())
  }

  /// What cannot be watched and nothing else tells; `nil` for what does not matter.
  private func gap(_ path: String, _ error: Errno, _ plan: WatchPlan) -> Unobserved? {
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
}

extension [Unobserved] {
  /// In an order that does not depend on that of a dictionary.
  fileprivate func sorted() -> [Unobserved] {
    sorted { ($0.at ?? "", $0.reason) < ($1.at ?? "", $1.reason) }
  }
}
