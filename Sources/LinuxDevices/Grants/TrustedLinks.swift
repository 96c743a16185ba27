internal import AccessModel
internal import CLinux
internal import Glibc

/// Follows the symbolic links of a path that only root or the caller can have put where they are, such as
/// those of udev in `/dev`, and a `/home` that lies elsewhere.
///
/// Whoever else may write to a directory on the way could lead a grant, or its record, to another object
/// than was named.
package struct TrustedLinks {
  private let caller: UInt32
  private let sighting: (String) -> PathSighting

  /// Follows links on a machine that is described.
  ///
  /// - Parameters:
  ///   - caller: The user who grants.
  ///   - sighting: What is at a canonical path.
  package init(caller: UInt32, _ sighting: @escaping (String) -> PathSighting) {
    self.caller = caller
    self.sighting = sighting
  }

  /// Follows links as they are now, for this process.
  package init() { self.init(caller: GrantCaller.user, Self.look) }

  /// A path without the links that are trusted.
  ///
  /// One with any other link, and one that leads nowhere, is returned as it is: who holds what is there,
  /// following no link, finds out.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: The path that it leads to.
  package func followed(_ path: String) -> String {
    var way = Way(caller: caller, sighting: sighting)
    return PathWalk.walk(path, with: &way) ?? path
  }

  /// The same for a path of which the last names may be missing.
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

  /// What tells where the way leads, and who may change that.
  private static func look(at path: String) -> PathSighting {
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

  /// The way, as long as nobody else can change it.
  private struct Way: PathSource {
    /// Who may change the names in a directory.
    private enum Writers {
      case trusted
      /// Others, each those that are theirs.
      case sticky
      case others
    }

    let isForAnother = false
    let caller: UInt32
    let sighting: (String) -> PathSighting
    /// Whether it ended where there is nothing.
    private(set) var isMissing = false
    private var writers: [String: Writers] = [:]

    init(caller: UInt32, sighting: @escaping (String) -> PathSighting) {
      self.caller = caller
      self.sighting = sighting
    }

    mutating func look(at path: String) -> PathSighting {
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

    /// Whether only root and the caller can have put an object where it is.
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
      // The bits of the group are the mask of an access list, where there is one.
      guard directory.mode & 0o022 != 0 else { return .trusted }
      return directory.mode & 0o1000 != 0 ? .sticky : .others
    }

    private func isOurs(_ node: Node) -> Bool { node.uid == 0 || node.uid == caller }

    func markUnobserved(_ element: Node.Element, at path: String, reason: String) {}
    func insertUnknown(_ path: String, reason: String) {}
  }
}
