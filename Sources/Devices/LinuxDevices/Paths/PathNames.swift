internal import AccessModel
internal import Glibc

/// The names that determine where a path leads, up to the first one that is missing.
///
/// They include the names on the way to the target of each symbolic link. No object is opened.
/// Links are followed as the kernel follows them, and `..` is the parent of the directory that a
/// link led to.
struct PathNames: Equatable {
  /// The names, keyed by the canonical path of their directory.
  private(set) var names: [String: Set<String>] = [:]
  /// The canonical path of the final object; `nil` if a name is missing or is not followed.
  private(set) var end: String?
  /// A Boolean value that indicates whether the path contains a symbolic link.
  private(set) var hasLinks = false
  /// The error that stopped the walk, other than a missing name.
  private(set) var error: Errno?

  /// Follows a path through nodes that were observed.
  ///
  /// - Parameters:
  ///   - path: An absolute path.
  ///   - nodes: The observed nodes, keyed by canonical path.
  init(of path: String, in nodes: [PathKey: Node]) {
    self.init(path, Way { path in nodes[PathKey(path)].map { .found($0) } ?? .absent })
  }

  /// Follows a path on the running machine.
  ///
  /// - Parameters:
  ///   - path: An absolute path. The names in the path itself are always read.
  ///   - isLeftOut: Returns whether to skip a path that a link leads to, because its filesystem
  ///     does not respond.
  init(of path: String, leavingOut isLeftOut: @escaping (String) -> Bool) {
    self.init(path, Way(Self.look, leavingOut: isLeftOut))
  }

  private init(_ path: String, _ way: consuming Way) {
    end = PathWalk.walk(path, with: &way)
    (names, hasLinks, error) = (way.names, way.hasLinks, way.error)
  }

  /// Reads a symbolic link; any other object counts as a directory until a name in it is read.
  private static func look(at path: String) -> PathSighting {
    var buffer = [CChar](repeating: 0, count: AbsolutePath.longest)
    let count = unsafe readlink(ByteText(path).cString, &buffer, buffer.count)
    guard count < 0 else {
      var link = node(path, .symbolicLink)
      link.target = ByteText(bytes: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }).text
      return count < buffer.count ? .found(link) : .failed(.nameTooLong)
    }
    switch Errno.current {
    case .invalidArgument: return .found(node(path, .directory))
    case .noSuchFile, .notDirectory: return .absent
    case let error: return .failed(error)
    }
  }

  private static func node(_ path: String, _ type: FileType) -> Node {
    Node(path: path, type: type, mode: 0, uid: 0, gid: 0)
  }

  /// A path source that records each name that the walk reads.
  private struct Way: PathSource {
    private(set) var names: [String: Set<String>] = [:]
    private(set) var hasLinks = false
    private(set) var error: Errno?
    private let sighting: (String) -> PathSighting
    private let isLeftOut: (String) -> Bool
    /// Always `false`, because the observer has already marked another process's links in procfs.
    let isForAnother = false

    init(
      _ sighting: @escaping (String) -> PathSighting,
      leavingOut isLeftOut: @escaping (String) -> Bool = { _ in false }
    ) {
      self.sighting = sighting
      self.isLeftOut = isLeftOut
    }

    mutating func look(at path: String) -> PathSighting {
      if path != "/" {
        names[AbsolutePath.parent(of: path), default: []].insert(AbsolutePath.name(of: path))
      }
      let sighting = hasLinks && isLeftOut(path) ? .failed(.timedOut) : sighting(path)
      switch sighting {
      case .found(let node): hasLinks = hasLinks || node.type == .symbolicLink
      case .absent: break
      case .failed(let error): self.error = error
      }
      return sighting
    }

    func markUnobserved(_ element: Node.Element, at path: String, reason: String) {}
    func insertUnknown(_ path: String, reason: String) {}
  }
}
