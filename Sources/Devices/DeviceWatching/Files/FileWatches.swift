internal import AccessModel
internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// The file watches of one machine watch.
final class FileWatches: Sendable {
  /// The number for watches of account files, which matter to every question.
  ///
  /// No question has this number.
  private static let accounts = -1

  let paths: PathWatches

  /// The files of each question that are watched only through their directories.
  ///
  /// Each value indicates whether the file has other hard links. No event reports that it gets
  /// another one.
  private let unread = Mutex<[Int: [String: Bool]]>([:])

  /// The files that determine the groups of users.
  private static let accountFiles = ["passwd", "group", "nsswitch.conf"]
  /// The name of the directories with the records that nss-systemd(8) reads.
  private static let recordFolder = "userdb"
  /// The events after which a name in a directory may lead to another object.
  ///
  /// Writing to a file does not cause a wake-up.
  private static let nameMask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
  )
  /// The events after which a name in a directory may lead to a new object.
  private static let comingMask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let fileMask = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Starts to watch files.
  ///
  /// `body` is called on the event loop's thread when a watched file has changed. Sometimes it is
  /// called although no relevant file has changed.
  ///
  /// - Throws: `EMFILE` if the user has too many inotify instances
  ///   (`fs.inotify.max_user_instances`).
  init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    paths = try PathWatches(early: true, paced: true, body)
  }

  /// Returns the changes since the last call that matter to a question.
  ///
  /// - Parameter isReading: A Boolean value that indicates whether to read the kernel's pending
  ///   events as well.
  /// - Returns: The changes.
  func take(reading isReading: Bool) -> PathWatches.Reported {
    var reported = paths.take(reading: isReading)
    if reported.changes.questions.contains(Self.accounts) { reported.changes.questions = .all }
    return reported
  }

  func cancel() { paths.cancel() }

  /// Watches the account files.
  ///
  /// - Parameter roots: The directories that contain them.
  /// - Returns: The coverage, with a gap for each file that cannot be watched.
  func coverAccounts(in roots: MachineRoots) -> WatchCoverage {
    let contentMask = Self.fileMask | UInt32(IN_CLOSE_WRITE)
    let recordMask = PathWatches.directoryMask | UInt32(IN_CLOSE_WRITE)
    let names = WatchedNames.some(Set(Self.accountFiles + [Self.recordFolder]))
    var requests: [PathWatches.Request] = [
      .init(path: roots.etc, names: names, mask: Self.nameMask),
      // Files in /run are created and removed often. If the record directory is removed, its own
      // watch reports that.
      .init(path: roots.run, names: .some([Self.recordFolder]), mask: Self.comingMask),
    ]
    var gaps: [Unobserved] = []
    let silence = RemoteFilesystems.shared.silence(proc: roots.proc)
    let files = Self.accountFiles.map { ("\(roots.etc)/\($0)", contentMask) }
    let folders = [roots.etc, roots.run].map { ("\($0)/\(Self.recordFolder)", recordMask) }
    for (path, mask) in files + folders {
      requests.append(.init(path: path, names: .all, mask: mask))
      let way = PathNames(of: path, leavingOut: silence)
      guard way.hasLinks else { continue }
      // If any link on the path changes, the path may lead to another file.
      if let end = way.end { requests.append(.init(path: end, names: .all, mask: mask)) }
      requests += way.names.map { directory, names in
        .init(path: directory, names: .some(names), mask: PathWatches.directoryMask)
      }
      if let error = way.error { gaps.append(Self.gap(path, error)) }
    }
    let result = paths.cover(requests, for: Self.accounts)
    return WatchCoverage(
      isNew: !result.new.isEmpty,
      // A missing file is not a gap, because the watch of its directory reports its creation.
      gaps: gaps
        + result.failed.filter { $0.error != .noSuchFile && $0.error != .notDirectory }.map {
          Self.gap($0.path, $0.error)
        })
  }

  /// Returns whether the watches of a question are up to date.
  ///
  /// They are if its paths still lead to the watched objects, and its files without their own
  /// watches have not gained or lost their other hard links.
  func isCurrent(for question: Int) -> Bool {
    paths.isCurrent(for: question)
      && (unread.withLock { $0[question] } ?? [:]).allSatisfy { Self.hasOtherNames($0) == $1 }
  }

  /// Watches the files in a plan for a question, and stops watching other files for it.
  ///
  /// - Returns: The paths that were not watched before, and the gaps.
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
    let unread = result.failed.filter {
      $0.error == .permissionDenied && isReported(of: $0.path, plan)
    }
    let names = Dictionary(
      unread.map { ($0.path, Self.hasOtherNames($0.path)) }, uniquingKeysWith: { $1 })
    self.unread.withLock { $0[question] = names.isEmpty ? nil : names }
    // If a directory becomes searchable, its watch reports that.
    let unfollowed = plan.unfollowed.filter { $0.value != .permissionDenied }.map(Self.gap)
    let gaps =
      result.failed.compactMap { gap($0.path, $0.error, plan, hasOtherNames: names[$0.path]) }
      + unfollowed
    return (result.new, gaps.sorted())
  }

  /// Returns whether the watch of the parent directory reports the changes to an object.
  ///
  /// It does not if something is mounted on the object's path.
  private func isReported(of path: String, _ plan: WatchPlan) -> Bool {
    plan.files.contains(path) && plan.directories[AbsolutePath.parent(of: path)] != nil
      && !plan.mountPoints.contains(path)
  }

  /// Returns the gap for a path that could not be watched.
  ///
  /// The result is `nil` if another watch reports the changes, or if they do not matter. If the
  /// parent directory reports changes, `hasOtherNames` indicates whether the file has other hard
  /// links.
  private func gap(
    _ path: String, _ error: Errno, _ plan: WatchPlan, hasOtherNames: Bool?
  ) -> Unobserved? {
    switch error {
    // The object has been removed, which its directory reports.
    case .noSuchFile, .notDirectory: return nil
    case .permissionDenied:
      if hasOtherNames == false { return nil }
      guard !plan.mountPoints.contains(path) else { break }
      // A directory that cannot be searched hides its contents.
      if plan.hidden.contains(path) { return nil }
    default: break
    }
    return Self.gap(path, error)
  }

  private static func gap(_ path: String, _ error: Errno) -> Unobserved {
    let reason = error == .timedOut ? Errno.silenceReason : FileNotifier.reason(error)
    return Unobserved("file-events", at: path, reason: reason)
  }

  /// Returns whether a file has other hard links, whose changes its directory does not report.
  private static func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(ByteText(path).cString, &status) == 0 && status.st_nlink > 1
  }
}

extension [Unobserved] {
  /// Returns the gaps in an order that does not depend on the order of a dictionary.
  fileprivate func sorted() -> [Unobserved] {
    sorted { ($0.at ?? "", $0.reason) < ($1.at ?? "", $1.reason) }
  }
}

/// The files and directories to watch for some facts.
///
/// Each directory on a path can change where the path leads, so all of them are watched. Of the
/// names in a directory, only those that matter cause a wake-up.
struct WatchPlan: Equatable {
  private(set) var directories: [String: WatchedNames] = [:]
  /// The objects to watch that are not directories, in addition to their parent directories.
  private(set) var files: Set<String> = []
  /// The files whose contents matter, in addition to their parent directories.
  private(set) var contents: Set<String> = []
  /// The mount points, at which the parent directory does not report changes to the mounted object.
  private(set) var mountPoints: Set<String> = []
  /// The directories that cannot be searched, whose contents therefore cannot affect an answer.
  private(set) var hidden: Set<String> = []
  /// The files whose contents matter but whose paths cannot be followed to their end, with the
  /// error.
  private(set) var unfollowed: [String: Errno] = [:]

  init(_ facts: [AccessFacts]) {
    for facts in facts { add(facts) }
  }

  /// Adds a file whose contents matter, and the directories on the path to it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which may be missing.
  ///   - way: The names on the path.
  mutating func addContents(of path: String, by way: PathNames) {
    contents.insert(path)
    for (directory, names) in way.names {
      directories[directory, default: .some([])].formUnion(.some(names))
    }
    // If the path is a link, its target is watched as well.
    if let file = way.end { contents.insert(file) }
    if let error = way.error { unfollowed[path] = error }
  }

  /// Removes paths that must not be accessed.
  mutating func leaveOut(where isLeftOut: (String) -> Bool) {
    directories = directories.filter { !isLeftOut($0.key) }
    files = files.filter { !isLeftOut($0) }
    contents = contents.filter { !isLeftOut($0) }
  }

  /// Returns whether two sets of facts lead to the same plan with the same gaps.
  static func isSame(for facts: AccessFacts, as before: AccessFacts) -> Bool {
    isSame(for: facts.access.nodes.span, as: before.access.nodes.span)
      && facts.access.request.path == before.access.request.path && facts.kind == before.kind
      && facts.devices == before.devices && facts.access.mounts == before.access.mounts
      && facts.origin?.kind == before.origin?.kind && facts.album == before.album
      && facts.account.home == before.account.home && facts.unobserved == before.unobserved
      && facts.failedCheck == before.failedCheck
  }

  /// Compares the nodes without copying them, because they are large and each scan compares them.
  private static func isSame(for nodes: Span<Node>, as before: Span<Node>) -> Bool {
    guard nodes.count == before.count else { return false }
    for index in nodes.indices {
      guard nodes[index].path == before[index].path, nodes[index].type == before[index].type,
        nodes[index].target == before[index].target, nodes[index].flags == before[index].flags,
        nodes[index].unobserved == before[index].unobserved
      else { return false }
    }
    return true
  }

  private mutating func add(_ facts: AccessFacts) {
    for node in facts.access.nodes {
      if node.type == .directory {
        directories[node.path] = directories[node.path] ?? .some([])
        if node.unobserved.contains(.contents) { hidden.insert(node.path) }
      } else {
        files.insert(node.path)
      }
    }
    mountPoints.formUnion(facts.access.mounts.map(\.at))
    let kind = facts.kind.flatMap(DeviceKind.named)
    // Device events report changes to the other devices in the subsystem.
    let shown = kind?.members(in: facts.devices) ?? facts.devices
    let nodes = Dictionary(facts.access.nodes.map { (PathKey($0.path), $0) }) { first, _ in first }
    // The target of a link might not exist yet, so the names may continue after the last node.
    var paths = [facts.access.request.path] + shown.compactMap(\.node) + shown.flatMap(\.links)
    paths += facts.access.nodes.filter { $0.type == .symbolicLink }.map(\.path)
    for path in paths {
      for (directory, names) in PathNames(of: path, in: nodes).names {
        directories[directory]?.formUnion(.some(names))
      }
    }
    for node in facts.access.nodes where node.path != "/" {
      directories[AbsolutePath.parent(of: node.path)]?.insert(AbsolutePath.name(of: node.path))
    }
    guard facts.kind != nil, kind != .album else { return }
    addPlaces(of: kind, shown.compactMap(\.node) + [facts.access.request.path], facts.devices)
  }

  /// Adds the directories in which devices of a kind may appear.
  ///
  /// If the kind is unknown, a device may have any name.
  private mutating func addPlaces(
    of kind: DeviceKind?, _ nodes: [String], _ devices: [DeviceFacts]
  ) {
    let companions = DeviceCompanions.namePrefixes(of: kind)
    let prefixes = Set((kind?.namePrefixes ?? []) + companions)
    let places = Set(nodes.map(AbsolutePath.parent))
    for place in places {
      directories[place]?.insert(beginningWith: prefixes.isEmpty ? [""] : prefixes)
    }
    // Companion devices may be in other directories.
    for place in Set(devices.compactMap(\.node).map(AbsolutePath.parent)).subtracting(places) {
      directories[place]?.insert(beginningWith: [""])
    }
  }
}

extension AccessFacts {
  /// The kernel check that failed with an I/O error, if any; no event reports when it would
  /// succeed.
  var failedCheck: KernelCheck? { kernelChecks.first { $0.errno == .inputOutput } }
}
