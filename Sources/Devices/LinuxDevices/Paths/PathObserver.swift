internal import AccessModel
internal import CLinux
internal import Glibc

/// Inspects every object on the way to a path, without opening any.
///
/// It calls statx(2), lgetxattr(2) and readlink(2) on canonical paths. These calls need search
/// permission on the parent directories and no permission on the object itself. The results are
/// cached, so the nodes of a thousand devices share one inspection of `/dev`.
struct PathObserver: ~Copyable, PathSource {
  /// The inspected objects in order, parents before children.
  private(set) var sightings: [Sighting] = []
  /// The index of each path in ``sightings``.
  private var places: [PathKey: Int] = [:]
  private(set) var unobserved: [Unobserved] = []
  var translator: IDTranslator
  /// The prefix that makes a path start at the subject's root directory.
  private let root: String
  /// A Boolean value that indicates whether the subject is a process other than the observer.
  ///
  /// If so, `/proc/self` does not refer to the subject.
  let isForAnother: Bool
  /// The mounts that the subject sees; `nil` if every filesystem is assumed to respond.
  private let mounts: MountTable?
  private let filesystems: RemoteFilesystems
  /// The cached results of checking whether filesystems respond, keyed by mount point.
  private var answers: [String: Bool] = [:]
  /// A Boolean value that indicates whether an object was skipped because its filesystem does not
  /// respond.
  private(set) var metSilence = false

  /// A node, and its mount according to statx(2).
  struct Sighting {
    var node: Node
    var mountID: UInt64?
    /// A Boolean value that indicates whether statx(2) reports immutable and append-only flags.
    var reportsFlags: Bool
  }

  init(
    translator: IDTranslator, root: String = "", isForAnother: Bool = false,
    mounts: MountTable? = nil, filesystems: RemoteFilesystems = .shared
  ) {
    self.translator = translator
    self.root = root
    self.isForAnother = isForAnother
    self.mounts = mounts
    self.filesystems = filesystems
  }

  /// Starts with known directories; the observer must not have inspected any object yet.
  mutating func begin(with known: KnownDirectories) {
    (sightings, places) = (known.sightings, known.places)
  }

  /// Returns the directories on the way to the last object, if all of them could be observed.
  borrowing func directories(
    on mounts: [Mount]
  ) -> (parent: PathKey, known: KnownDirectories)? {
    guard unobserved.isEmpty, !translator.metOverflow, let end = sightings.last else { return nil }
    var places = places
    places[PathKey(end.node.path)] = nil
    return KnownDirectories(Array(sightings.dropLast()), places, mounts, before: end)
      .map { (PathKey(AbsolutePath.parent(of: end.node.path)), $0) }
  }

  borrowing func sighting(_ path: String) -> Sighting? {
    places[PathKey(path)].map { sightings[$0] }
  }

  mutating func markUnobserved(_ element: Node.Element, at path: String, reason: String) {
    guard let place = places[PathKey(path)] else { return }
    if sightings[place].node.unobserved.insert(element).inserted {
      unobserved.append(Unobserved(element.rawValue, at: path, reason: reason))
    }
  }

  /// Inspects a canonical path: absolute, without symbolic links among its directories.
  mutating func scan(at path: String) -> InspectedPath {
    let key = PathKey(path)
    if let place = places[key] { return .found(sightings[place].node) }
    guard hasAnswer(at: path) else {
      metSilence = true
      return .failed(.timedOut)
    }
    let name = ByteText(root.isEmpty ? path : root + path).cString
    var status = clinux_status()
    do throws(Errno) {
      try Errno.check(negated: unsafe clinux_status(name, &status))
    } catch {
      return error == .noSuchFile ? .absent : .failed(error)
    }
    guard let type = FileType(mode: status.mode) else {
      return .failed(.notSupported)
    }
    var node = Node(
      path: path, type: type, mode: UInt16(status.mode & 0o7777),
      uid: translator.user(status.uid), gid: translator.group(status.gid))
    if type.isDevice {
      node.rdev = DeviceNumber(major: status.rdev_major, minor: status.rdev_minor)
    }
    if status.is_partial {
      node.unobserved.insert(.flags)
      unobserved.append(Unobserved("flags", at: path, reason: "statx cannot be called"))
    } else {
      observeFlags(status, of: &node)
    }
    if type == .symbolicLink {
      observeTarget(of: &node, name)
    } else {
      observeACL(of: &node, name)
    }
    add(
      Sighting(
        node: node, mountID: status.has_mount_id ? status.mount_id : nil,
        reportsFlags: status.attributes_mask & UInt64(CLINUX_ATTR_IMMUTABLE) != 0), key)
    return .found(node)
  }

  /// Returns whether the filesystem of a path responds.
  mutating func hasAnswer(at path: String) -> Bool {
    guard let point = mounts?.distantPoint(of: path) else { return true }
    if let known = answers[point] { return known }
    let isAnswering = filesystems.answers(at: root + point)
    answers[point] = isAnswering
    return isAnswering
  }

  private mutating func add(_ sighting: Sighting, _ key: PathKey) {
    places[key] = sightings.count
    sightings.append(sighting)
  }

  /// Adds a node whose path is the only known fact.
  mutating func insertUnknown(_ path: String, reason: String) {
    var node = Node(path: path, type: .regular, mode: 0, uid: .max, gid: .max)
    node.unobserved = [.status, .acl, .flags]
    add(Sighting(node: node, mountID: nil, reportsFlags: true), PathKey(path))
    unobserved.append(Unobserved(Node.Element.status.rawValue, at: path, reason: reason))
  }

  private func observeFlags(_ status: clinux_status, of node: inout Node) {
    let wanted = UInt64(CLINUX_ATTR_IMMUTABLE | CLINUX_ATTR_APPEND)
    let set = status.attributes & status.attributes_mask & wanted
    if set & UInt64(CLINUX_ATTR_IMMUTABLE) != 0 { node.flags.insert(.immutable) }
    if set & UInt64(CLINUX_ATTR_APPEND) != 0 { node.flags.insert(.append) }
  }

  private mutating func observeTarget(of node: inout Node, _ name: [CChar]) {
    var buffer = [CChar](repeating: 0, count: 4097)
    let count = unsafe readlink(name, &buffer, 4097)
    guard count >= 0 else {
      let reason = Errno.current.reason
      node.unobserved.insert(.target)
      unobserved.append(Unobserved("target", at: node.path, reason: reason))
      return
    }
    let bytes = buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }
    node.target = ByteText(bytes: bytes.prefix(4095)).text
    if count > 4095 {
      node.unobserved.insert(.target)
      unobserved.append(
        Unobserved("target", at: node.path, reason: "the link is longer than a path can be"))
    }
  }

  private mutating func observeACL(of node: inout Node, _ name: [CChar]) {
    // Few lists have more than 30 entries. The second size is XATTR_SIZE_MAX, the maximum.
    var size = 256
    while true {
      var bytes = [UInt8](repeating: 0, count: size)
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe clinux_attribute(
          name, "system.posix_acl_access", buffer.baseAddress, buffer.count)
      }
      let reason: String
      if count >= 0 {
        bytes.removeLast(size - count)
        node.acl = entries(bytes, of: node.path)
        if node.acl != nil { return }
        reason = "unknown format"
      } else {
        let error = Errno(negated: Int32(clamping: count))
        if error == .noData || error == .notSupported { return }
        if error == .outOfRange && size < 65536 {
          size = 65536
          continue
        }
        reason = error.reason
      }
      node.unobserved.insert(.acl)
      unobserved.append(Unobserved("acl", at: node.path, reason: reason))
      return
    }
  }

  private mutating func entries(_ bytes: [UInt8], of path: String) -> [ACLEntry]? {
    guard
      let entries = ACLEntry.list(parsing: bytes)
        ?? (try? AccessControlList(path: root + path).entries())
    else { return nil }
    return entries.map { entry in
      guard let id = entry.id else { return entry }
      var entry = entry
      entry.id = entry.tag == .user ? translator.user(id) : translator.group(id)
      return entry
    }
  }
}

/// The directories on the path to an object, and the mounts that the path crosses.
///
/// No directory is a symbolic link, and everything about the directories was observed.
struct KnownDirectories: Sendable {
  /// The directories, from the root directory down.
  let sightings: [PathObserver.Sighting]
  /// The index of each path in ``sightings``.
  let places: [PathKey: Int]
  let mounts: [Mount]

  /// Creates the known directories for one path.
  ///
  /// Returns `nil` if the observations would not hold for other objects in the last directory.
  ///
  /// - Parameters:
  ///   - sightings: The objects on the path, from the root directory down.
  ///   - places: The index of each path in `sightings`.
  ///   - mounts: The mounts of these objects and of `end`.
  ///   - end: The object that follows them on the path.
  init?(
    _ sightings: [PathObserver.Sighting], _ places: [PathKey: Int], _ mounts: [Mount],
    before end: PathObserver.Sighting
  ) {
    var above: String?
    for sighting in sightings {
      guard sighting.node.type == .directory,
        AbsolutePath.parent(of: sighting.node.path) == above ?? "/"
      else { return nil }
      above = sighting.node.path
    }
    self.sightings = sightings
    self.places = places
    self.mounts = mounts
    // A network filesystem may have stopped responding by the time another file is inspected.
    guard !mounts.contains(where: { MountEntry.isDistant($0.fstype) }) else { return nil }
    guard AbsolutePath.parent(of: end.node.path) == above, end.node.type != .symbolicLink,
      isOnLastMount(end)
    else { return nil }
  }

  /// Returns whether any of the paths is one of these directories.
  func lead(through paths: Set<String>) -> Bool {
    paths.contains { places[PathKey($0)] != nil }
  }

  /// Returns whether an object is on the same mount as its directory, as statx(2) reports.
  func isOnLastMount(_ end: PathObserver.Sighting) -> Bool {
    guard let mount = end.mountID, end.reportsFlags else { return false }
    return sightings.last?.mountID == mount
  }
}
