internal import AccessModel

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
    switch observer.look(at: path) {
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
