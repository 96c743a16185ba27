internal import AccessModel
internal import CLinux
internal import Glibc

/// Where the paths in the settings of a unit lead: systemd follows their links, within the root
/// directory of the unit, before it mounts anything there (`follow_symlink` in its
/// src/core/namespace.c, in version 252 and later).
struct UnitPlaces {
  /// What is at a path without links above it.
  enum Object {
    case missing
    case link(to: String)
    case other
    case unseen(Errno)
  }

  /// Where a path leads.
  enum Place {
    /// A path without links, whether there is anything, and the links that led there.
    case found(UnitPath, links: [String], exists: Bool)
    /// Nowhere: systemd does not get there either, and passes over that at no path.
    case impossible(String)
    /// Nobody knows, for that reason.
    case unknown(String)
  }

  /// What the unit sees as `/`; `nil` for the machine's own root directory.
  let root: UnitPath?
  /// Looks a path of the unit up.
  private let look: (String) -> Object

  /// `CHASE_SYMLINKS_MAX`.
  private static let mostLinks = 32

  init(root: UnitPath? = nil, look: @escaping (String) -> Object) {
    self.root = root
    self.look = look
  }

  /// The places of a unit as they are now.
  init(of root: UnitRoot) {
    switch root {
    case .machine, .unknown: self.init(look: Self.object)
    case .directory(let directory):
      self.init(root: UnitPath(directory)) { Self.object(at: directory + $0) }
    case .devices(let directory):
      self.init(root: UnitPath(directory)) { path in
        // The machine's own is there by the time that a path below it is followed.
        Self.object(at: UnitPath("/dev").covers(path) ? path : directory + path)
      }
    }
  }

  private static func object(at path: String) -> Object {
    var status = stat()
    guard unsafe lstat(ByteText(path).cString, &status) == 0 else {
      let failure = Errno.current
      return failure == .noSuchFile ? .missing : .unseen(failure)
    }
    guard status.st_mode & S_IFMT == S_IFLNK else { return .other }
    do throws(Errno) {
      return try SymbolicLink.read(path).map { .link(to: $0) } ?? .other
    } catch {
      return .unseen(error)
    }
  }

  /// The path in the unit of one in a list of paths; `nil` for one outside of its root directory.
  ///
  /// Without the mark `+` it is the machine's path (`append_access_mounts`, `drop_outside_root`).
  func path(ofListed text: String) -> UnitPath? {
    let (bare, isOfUnit) = UnitPathRule.withoutMarks(text)
    let path = UnitPath(String(bare))
    guard let root, !isOfUnit else { return path }
    guard root.covers(path.path) else { return nil }
    return root.path == "/" ? path : UnitPath(String(path.path.dropFirst(root.path.count)))
  }

  /// Follows the links of a path of the unit.
  func place(of path: String) -> Place {
    var rest = Array(AbsolutePath.components(of: path).reversed())
    var names: [String] = []
    var links: [String] = []
    var isMissing = false
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        names = names.dropLast()
        continue
      }
      names.append(name)
      if isMissing { continue }
      let at = "/" + names.joined(separator: "/")
      switch look(at) {
      case .missing: isMissing = true
      case .other: break
      case .unseen(.notDirectory): return .impossible("\(at): \(Errno.notDirectory.reason)")
      case .unseen(let failure): return .unknown("\(at): \(failure.reason)")
      case .link(let target):
        links.append(at)
        guard links.count <= Self.mostLinks else { return .impossible("\(at): too many links") }
        names = target.hasPrefix("/") ? [] : names.dropLast()
        rest += AbsolutePath.components(of: target).reversed()
      }
    }
    return .found(UnitPath("/" + names.joined(separator: "/")), links: links, exists: !isMissing)
  }
}
