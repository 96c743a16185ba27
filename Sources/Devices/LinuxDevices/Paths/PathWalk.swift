package import AccessModel
internal import Glibc

/// Walks a path as the kernel does and lists every object on the way.
///
/// See path_resolution(7). The walk does not check permissions: it continues until the observer
/// cannot read further.
package enum PathWalk {
  /// The maximum number of symbolic links to list; the kernel follows 40 and refuses the next one.
  static let mostLinks = 41

  /// Walks an absolute path and returns the canonical path of its end, or `nil` if the walk stopped
  /// early.
  @discardableResult
  package static func walk<Source: PathSource & ~Copyable>(
    _ path: String, with observer: inout Source
  ) -> String? {
    guard observe("/", below: nil, with: &observer) != nil else { return nil }
    return walk(AbsolutePath.components(of: path)[...], from: "/", with: &observer)
  }

  /// Walks from a directory that the observer has already inspected and whose path is canonical.
  static func walk<Source: PathSource & ~Copyable>(
    _ names: ArraySlice<String>, from directory: String, with observer: inout Source
  ) -> String? {
    var pending = names
    var current = directory
    var links = 0
    while let name = pending.popFirst() {
      if name == "." { continue }
      if name == ".." {
        current = AbsolutePath.parent(of: current)
        continue
      }
      let next = current == "/" ? "/\(name)" : "\(current)/\(name)"
      guard let node = observe(next, below: current, with: &observer) else { return nil }
      switch node.type {
      case .symbolicLink:
        links += 1
        guard links <= mostLinks, let target = node.target, !node.unobserved.contains(.target)
        else { return nil }
        if isMagic(next) || observer.isForAnother && isOwn(next) {
          observer.markUnobserved(.target, at: next, reason: "the kernel resolves it differently")
          return nil
        }
        if target.utf8.first == UInt8(ascii: "/") { current = "/" }
        pending = (AbsolutePath.components(of: target) + pending)[...]
      case .directory:
        current = next
      default:
        // Only a directory contains names; the decision reports the error.
        return pending.isEmpty ? next : nil
      }
    }
    return current
  }

  private static func observe<Source: PathSource & ~Copyable>(
    _ path: String, below directory: String?, with observer: inout Source
  ) -> Node? {
    switch observer.scan(at: path) {
    case .found(let node): return node
    case .absent: return nil
    case .failed(let error):
      switch error {
      case .permissionDenied where directory != nil:
        observer.markUnobserved(
          .contents, at: directory ?? "/", reason: "devaccess cannot search this directory")
      // The decision reports these errors, because no such name can exist.
      case .notDirectory, .nameTooLong: break
      case .timedOut: observer.insertUnknown(path, reason: Errno.silenceReason)
      default: observer.insertUnknown(path, reason: error.reason)
      }
      return nil
    }
  }

  /// Returns whether a path is a procfs link to the process or thread that follows it.
  private static func isOwn(_ path: String) -> Bool {
    path == "/proc/self" || path == "/proc/thread-self"
  }

  /// Returns whether a path is a procfs link to an object, regardless of the target that it shows.
  private static func isMagic(_ path: String) -> Bool {
    let names = AbsolutePath.components(of: path)
    guard names.count >= 3, names[0] == "proc", names[1].utf8.allSatisfy(\.isDigit) else {
      return false
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

/// The source of the nodes on a path: the running machine or a described one.
package protocol PathSource: ~Copyable {
  /// A Boolean value that indicates whether the subject is a process other than the observer.
  ///
  /// If so, `/proc/self` does not refer to the subject.
  var isForAnother: Bool { get }

  /// Inspects a canonical path: absolute, without symbolic links among its directories.
  mutating func scan(at path: String) -> InspectedPath
  /// Records that an element of a node that was found could not be observed.
  mutating func markUnobserved(_ element: Node.Element, at path: String, reason: String)
  /// Adds a node whose path is the only known fact.
  mutating func insertUnknown(_ path: String, reason: String)
}

/// The result of inspecting a path.
package enum InspectedPath {
  case found(Node)
  case absent
  /// The path could not be inspected.
  case failed(Errno)
}

/// The names that determine where a path leads, up to the first one that is missing.
///
/// They include the names on the way to the target of each symbolic link. No object is opened.
/// Links are followed as the kernel follows them, and `..` is the parent of the directory that a
/// link led to.
package struct PathNames: Equatable {
  /// The names, keyed by the canonical path of their directory.
  package private(set) var names: [String: Set<String>] = [:]
  /// The canonical path of the final object; `nil` if a name is missing or is not followed.
  package private(set) var end: String?
  /// A Boolean value that indicates whether the path contains a symbolic link.
  package private(set) var hasLinks = false
  /// The error that stopped the walk, other than a missing name.
  package private(set) var error: Errno?

  /// Follows a path through nodes that were observed.
  ///
  /// - Parameters:
  ///   - path: An absolute path.
  ///   - nodes: The observed nodes, keyed by canonical path.
  package init(of path: String, in nodes: [PathKey: Node]) {
    self.init(path, Way { path in nodes[PathKey(path)].map { .found($0) } ?? .absent })
  }

  /// Follows a path on the running machine.
  ///
  /// - Parameters:
  ///   - path: An absolute path. The names in the path itself are always read.
  ///   - isLeftOut: Returns whether to skip a path that a link leads to, because its filesystem
  ///     does not respond.
  package init(of path: String, leavingOut isLeftOut: @escaping (String) -> Bool) {
    self.init(path, Way(Self.scan, leavingOut: isLeftOut))
  }

  private init(_ path: String, _ way: consuming Way) {
    end = PathWalk.walk(path, with: &way)
    (names, hasLinks, error) = (way.names, way.hasLinks, way.error)
  }

  /// Reads a symbolic link; any other object counts as a directory until a name in it is read.
  private static func scan(at path: String) -> InspectedPath {
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
    private let sighting: (String) -> InspectedPath
    private let isLeftOut: (String) -> Bool
    /// Always `false`, because the observer has already marked another process's links in procfs.
    let isForAnother = false

    init(
      _ sighting: @escaping (String) -> InspectedPath,
      leavingOut isLeftOut: @escaping (String) -> Bool = { _ in false }
    ) {
      self.sighting = sighting
      self.isLeftOut = isLeftOut
    }

    mutating func scan(at path: String) -> InspectedPath {
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
