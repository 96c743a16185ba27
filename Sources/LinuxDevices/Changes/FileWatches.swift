internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// The files that one watch of facts has the kernel tell about.
final class FileWatches: Sendable {
  /// To whom the account files matter: to everybody, and no question has this number.
  private static let accounts = -1

  let paths: PathWatches

  /// The files of each question that are not watched themselves, as their directories tell of them, and
  /// whether each had another name: nobody tells that it gets one.
  private let unread = Mutex<[Int: [String: Bool]]>([:])

  /// The files that decide who is in which group.
  private static let accountFiles = ["passwd", "group", "nsswitch.conf"]
  /// The folder of records that nss-systemd(8) reads.
  private static let recordFolder = "userdb"
  /// What tells that a name in a directory leads to something else: nothing that is only written to
  /// wakes anybody.
  private static let nameMask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
  )
  /// What tells that a name in a directory leads to something that was not there before.
  private static let comingMask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let fileMask = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Calls `body` on the event loop's thread when one of them has changed, and at times when
  /// another file has.
  ///
  /// - Throws: `EMFILE` when the user has too many (`fs.inotify.max_user_instances`).
  init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    paths = try PathWatches(early: true, paced: true, body)
  }

  /// Takes what has happened that matters to a question.
  ///
  /// - Parameter isReading: Whether what the kernel has not told yet counts, too.
  /// - Returns: What has happened.
  func take(reading isReading: Bool) -> PathWatches.Told {
    var told = paths.take(reading: isReading)
    if told.news.questions.contains(Self.accounts) { told.news.questions = .all }
    return told
  }

  func cancel() { paths.cancel() }

  /// Watches the account files.
  ///
  /// - Parameter roots: Where they are.
  /// - Returns: Whether something is watched that was not before, and what cannot be.
  func coverAccounts(in roots: MachineRoots) -> WatchCoverage {
    let contentMask = Self.fileMask | UInt32(IN_CLOSE_WRITE)
    let recordMask = PathWatches.directoryMask | UInt32(IN_CLOSE_WRITE)
    let names = WatchedNames.some(Set(Self.accountFiles + [Self.recordFolder]))
    var requests: [PathWatches.Request] = [
      .init(path: roots.etc, names: names, mask: Self.nameMask),
      // Much comes and goes where the state of services is; the folder itself tells that it goes.
      .init(path: roots.run, names: .some([Self.recordFolder]), mask: Self.comingMask),
    ]
    var gaps: [Unobserved] = []
    let silence = DistantFilesystems.shared.silence(proc: roots.proc)
    let files = Self.accountFiles.map { ("\(roots.etc)/\($0)", contentMask) }
    let folders = [roots.etc, roots.run].map { ("\($0)/\(Self.recordFolder)", recordMask) }
    for (path, mask) in files + folders {
      requests.append(.init(path: path, names: .all, mask: mask))
      let way = PathNames(of: path, leavingOut: silence)
      guard way.hasLinks else { continue }
      // What it leads to is another file when any link on the way is.
      if let end = way.end { requests.append(.init(path: end, names: .all, mask: mask)) }
      requests += way.names.map { directory, names in
        .init(path: directory, names: .some(names), mask: PathWatches.directoryMask)
      }
      if let error = way.error { gaps.append(Self.gap(path, error)) }
    }
    let result = paths.cover(requests, for: Self.accounts)
    return WatchCoverage(
      isNew: !result.new.isEmpty,
      // Where there are none, nobody can be in another group.
      gaps: gaps
        + result.failed.filter { $0.error != .noSuchFile && $0.error != .notDirectory }.map {
          Self.gap($0.path, $0.error)
        })
  }

  /// Whether the paths of a question lead to what is watched for it, and what is not watched has the names
  /// that it had.
  func isCurrent(for question: Int) -> Bool {
    paths.isCurrent(for: question)
      && (unread.withLock { $0[question] } ?? [:]).allSatisfy { Self.hasOtherNames($0) == $1 }
  }

  /// Watches the files of a plan for a question, and no others for it.
  ///
  /// - Returns: What is watched that was not before, and what cannot be watched.
  func cover(_ plan: WatchPlan, for question: Int) -> (new: Set<String>, gaps: [Unobserved]) {
    let mask = PathWatches.directoryMask
    var requests = plan.directories.map { path, names in
      PathWatches.Request(path: path, names: names, mask: mask)
    }
    requests += plan.files.map { .init(path: $0, names: .all, mask: Self.fileMask) }
    requests += plan.contents.map {
      .init(path: $0, names: .all, mask: Self.fileMask | UInt32(IN_CLOSE_WRITE))
    }
    let result = paths.cover(requests, for: question)
    let unread = result.failed.filter { $0.error == .permissionDenied && isTold(of: $0.path, plan) }
    let names = Dictionary(
      unread.map { ($0.path, Self.hasOtherNames($0.path)) }, uniquingKeysWith: { $1 })
    self.unread.withLock { $0[question] = names.isEmpty ? nil : names }
    // A directory that may not be searched tells when it may.
    let unfollowed = plan.unfollowed.filter { $0.value != .permissionDenied }.map(Self.gap)
    let gaps =
      result.failed.compactMap { gap($0.path, $0.error, plan, hasOtherNames: names[$0.path]) }
      + unfollowed
    return (result.new, gaps.sorted())
  }

  /// Whether the directory that an object is in tells of what is done by its name there: not of what is
  /// mounted there.
  private func isTold(of path: String, _ plan: WatchPlan) -> Bool {
    plan.files.contains(path) && plan.directories[AbsolutePath.parent(of: path)] != nil
      && !plan.mountPoints.contains(path)
  }

  /// What cannot be watched and nothing else tells; `nil` for what does not matter.
  ///
  /// Of what its directory tells it is known whether it has names elsewhere.
  private func gap(
    _ path: String, _ error: Errno, _ plan: WatchPlan, hasOtherNames: Bool?
  ) -> Unobserved? {
    switch error {
    // It went meanwhile, which its directory tells.
    case .noSuchFile, .notDirectory: return nil
    case .permissionDenied:
      if hasOtherNames == false { return nil }
      guard !plan.mountPoints.contains(path) else { break }
      // One that may not be searched hides what is in it.
      if plan.hidden.contains(path) { return nil }
    default: break
    }
    return Self.gap(path, error)
  }

  private static func gap(_ path: String, _ error: Errno) -> Unobserved {
    let reason = error == .timedOut ? Errno.silenceReason : FileNotifier.reason(error)
    return Unobserved("file-events", at: path, reason: reason)
  }

  /// Whether a file can be changed by another name, of which its directory does not tell.
  private static func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(ByteText(path).cString, &status) == 0 && status.st_nlink > 1
  }
}

extension [Unobserved] {
  /// In an order that does not depend on that of a dictionary.
  fileprivate func sorted() -> [Unobserved] {
    sorted { ($0.at ?? "", $0.reason) < ($1.at ?? "", $1.reason) }
  }
}
