internal import AccessModel
internal import Glibc

/// The names that decide where a path leads: those on the way to it, and on the way that each symbolic link
/// takes, up to the first one that is missing.
///
/// Nothing is opened. The links are those that the kernel follows, and `..` is the directory above the one
/// that a link led to.
struct PathNames: Equatable {
  /// The names, by the canonical directories that they are in.
  private(set) var names: [String: Set<String>] = [:]
  /// The canonical path of what the path leads to; `nil` where something is missing, or is not followed.
  private(set) var end: String?
  /// Whether there is a link on the way.
  private(set) var hasLinks = false
  /// What kept the way from being followed to its end, other than that something is missing.
  private(set) var error: Errno?

  /// Goes the way by what was seen of it.
  ///
  /// - Parameters:
  ///   - path: An absolute path.
  ///   - nodes: What was seen, by canonical paths.
  init(of path: String, in nodes: [PathKey: Node]) {
    self.init(path, Way { path in nodes[PathKey(path)].map { .found($0) } ?? .absent })
  }

  /// Goes the way as it is now.
  ///
  /// - Parameters:
  ///   - path: An absolute path, whose own names may be touched.
  ///   - isLeftOut: Whether a path is not to be touched that a link leads to, as its filesystem does not
  ///     answer.
  init(of path: String, leavingOut isLeftOut: @escaping (String) -> Bool) {
    self.init(path, Way(Self.look, leavingOut: isLeftOut))
  }

  private init(_ path: String, _ way: consuming Way) {
    end = PathWalk.walk(path, with: &way)
    (names, hasLinks, error) = (way.names, way.hasLinks, way.error)
  }

  /// Whether there is a link; what is none is taken for a directory until a name in it is looked at.
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

  /// Notes each name that is looked at.
  private struct Way: PathSource {
    private(set) var names: [String: Set<String>] = [:]
    private(set) var hasLinks = false
    private(set) var error: Errno?
    private let sighting: (String) -> PathSighting
    private let isLeftOut: (String) -> Bool
    /// A link of another process's procfs was marked when it was seen.
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
