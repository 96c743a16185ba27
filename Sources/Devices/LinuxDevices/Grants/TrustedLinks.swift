internal import AccessModel
internal import CLinux
internal import Glibc

/// Follows the symbolic links of a path that only root or the caller can have created.
///
/// Examples are udev's links in `/dev`, and a link from `/home` to another directory. Any other
/// user who can write to a directory on the path could redirect a grant or its record to another
/// object.
package struct TrustedLinks {
  private let caller: UInt32
  private let sighting: (String) -> InspectedPath

  /// Follows links on a machine that is described by a closure.
  ///
  /// - Parameters:
  ///   - caller: The user who grants.
  ///   - sighting: Returns the object at a canonical path.
  package init(caller: UInt32, _ sighting: @escaping (String) -> InspectedPath) {
    self.caller = caller
    self.sighting = sighting
  }

  /// Follows links on this machine, for the current user of this process.
  package init() { self.init(caller: GrantCaller.user, Self.scan) }

  /// Returns a path with its trusted links resolved.
  ///
  /// If the path contains any other link or leads nowhere, it is returned unchanged. The caller
  /// detects this when it pins the object without following links.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: The resolved path, or `path`.
  package func followed(_ path: String) -> String {
    var way = Way(caller: caller, sighting: sighting)
    return PathWalk.walk(path, with: &way) ?? path
  }

  /// Returns a path with its trusted links resolved, where the last names may be missing.
  func followedAsFarAsThere(_ path: String) -> String {
    var names = AbsolutePath.components(of: path)
    var missing: [String] = []
    while true {
      var way = Way(caller: caller, sighting: sighting)
      if let end = PathWalk.walk("/" + names.joined(separator: "/"), with: &way) {
        return ([end == "/" ? "" : end] + missing.reversed()).joined(separator: "/")
      }
      guard way.isMissing, let name = names.popLast() else { return path }
      missing.append(name)
    }
  }

  /// Returns the facts that determine where a path leads and who may change that.
  private static func scan(at path: String) -> InspectedPath {
    var status = stat()
    guard unsafe lstat(ByteText(path).cString, &status) == 0 else {
      let error = Errno.current
      return error == .noSuchFile ? .absent : .failed(error)
    }
    guard let type = FileType(mode: UInt32(status.st_mode)) else { return .failed(.notSupported) }
    var node = Node(
      path: path, type: type, mode: UInt16(status.st_mode & 0o7777), uid: status.st_uid,
      gid: status.st_gid)
    if type == .symbolicLink {
      guard let target = SymbolicLink.target(of: path) else { return .failed(.inputOutput) }
      node.target = target
    }
    return .found(node)
  }

  /// Follows a path as long as no other user can change where it leads.
  private struct Way: PathSource {
    /// The users who can change the names in a directory.
    private enum Writers {
      case trusted
      /// Other users as well, but each can change only the names of that user's own objects.
      case sticky
      case others
    }

    let isForAnother = false
    let caller: UInt32
    let sighting: (String) -> InspectedPath
    /// A Boolean value that indicates whether the path led to a missing object.
    private(set) var isMissing = false
    private var writers: [String: Writers] = [:]

    init(caller: UInt32, sighting: @escaping (String) -> InspectedPath) {
      self.caller = caller
      self.sighting = sighting
    }

    mutating func scan(at path: String) -> InspectedPath {
      let sighting = sighting(path)
      guard case .found(let node) = sighting else {
        if case .absent = sighting { isMissing = true }
        return sighting
      }
      let isTrusted = isTrusted(node)
      if node.type == .symbolicLink, !isTrusted { return .failed(.tooManyLinks) }
      if node.type == .directory { writers[path] = isTrusted ? writers(to: node) : .others }
      return sighting
    }

    /// Returns whether only root or the caller can have created an object at its path.
    private func isTrusted(_ node: Node) -> Bool {
      guard node.path != "/" else { return true }
      return switch writers[AbsolutePath.parent(of: node.path)] {
      case .trusted: true
      case .sticky: isOurs(node)
      case .others, nil: false
      }
    }

    private func writers(to directory: Node) -> Writers {
      guard isOurs(directory) else { return .others }
      // If the directory has an ACL, the group bits contain its mask.
      guard directory.mode & 0o022 != 0 else { return .trusted }
      return directory.mode & 0o1000 != 0 ? .sticky : .others
    }

    private func isOurs(_ node: Node) -> Bool { node.uid == 0 || node.uid == caller }

    func markUnobserved(_ element: Node.Element, at path: String, reason: String) {}
    func insertUnknown(_ path: String, reason: String) {}
  }
}

/// Opens directories at paths that only root and the caller can change.
enum TrustedFolder {
  /// Opens a directory.
  ///
  /// Links in the path are followed if they are trusted (``TrustedLinks``). The last name must not
  /// be a link.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - mode: The permission bits for a missing directory, which is then created. Missing parent
  ///     directories are created with mode 0755. If `mode` is `nil`, nothing is created.
  /// - Throws: `ENOENT` if the directory is missing, `EINVAL` if the path contains `.` or `..`, or
  ///   another error from opening or creating a directory.
  /// - Returns: The directory.
  static func open(_ path: String, makingWith mode: mode_t? = nil) throws(Errno) -> OwnedDescriptor
  {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let names =
      AbsolutePath.components(
        of: TrustedLinks().followedAsFarAsThere(AbsolutePath.parent(of: path)))
      + [AbsolutePath.name(of: path)]
    guard path.utf8.first == UInt8(ascii: "/"), !names.isEmpty,
      !names.contains(where: { $0 == ".." || $0 == "." })
    else { throw .invalidArgument }
    var place = try OwnedDescriptor(unsafe Glibc.open("/", flags))
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      if let mode,
        unsafe mkdirat(place.number, ByteText(name).cString, isLast ? mode : 0o755) != 0,
        Errno.current != .exists
      {
        throw .current
      }
      let next = try OwnedDescriptor(unsafe openat(place.number, ByteText(name).cString, flags))
      place = next
    }
    return place
  }
}
