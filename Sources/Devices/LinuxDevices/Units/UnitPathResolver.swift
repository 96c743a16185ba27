internal import AccessModel
internal import CLinux
internal import Glibc

/// Resolves the paths in a unit's settings as systemd does.
///
/// systemd follows symbolic links within the unit's root directory before it mounts anything there
/// (`follow_symlink` in src/core/namespace.c, version 252 and later).
struct UnitPathResolver {
  /// The object at a path whose parent directories contain no links.
  enum Object {
    case missing
    case link(to: String)
    case other
    case unseen(Errno)
  }

  /// The result of resolving a path.
  enum Place {
    /// The path without links, the links that were followed, and whether an object exists there.
    case found(UnitPath, links: [String], exists: Bool)
    /// The path cannot be resolved, and systemd fails too, even for an optional path.
    case impossible(String)
    /// The result is unknown, for the given reason.
    case unknown(String)
  }

  /// The unit's root directory; `nil` for the machine's root directory.
  let root: UnitPath?
  /// Inspects a path in the unit.
  private let scan: (String) -> Object

  /// `CHASE_SYMLINKS_MAX` in systemd.
  private static let mostLinks = 32

  init(root: UnitPath? = nil, scan: @escaping (String) -> Object) {
    self.root = root
    self.scan = scan
  }

  /// Creates a resolver for a unit, which uses the current filesystem.
  init(of root: UnitRoot) {
    switch root {
    case .machine, .unknown: self.init(scan: Self.object)
    case .directory(let directory):
      self.init(root: UnitPath(directory)) { Self.object(at: directory + $0) }
    case .devices(let directory):
      self.init(root: UnitPath(directory)) { path in
        // The machine's `/dev` is already mounted when systemd follows a path below it.
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

  /// Returns the path in the unit for an entry of a list, or `nil` if it is outside the root
  /// directory.
  ///
  /// Without the prefix `+`, the entry is a path of the machine (`append_access_mounts`,
  /// `drop_outside_root`).
  func path(ofListed text: String) -> UnitPath? {
    let (bare, isOfUnit) = UnitPathRule.withoutMarks(text)
    let path = UnitPath(String(bare))
    guard let root, !isOfUnit else { return path }
    guard root.covers(path.path) else { return nil }
    return root.path == "/" ? path : UnitPath(String(path.path.dropFirst(root.path.count)))
  }

  /// Resolves the links in a path of the unit.
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
      switch scan(at) {
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

/// The starting directory of a unit's path resolution (systemd.exec(5), `RootDirectory=`).
enum UnitRoot: Hashable {
  /// The machine's root directory.
  case machine
  /// A directory that contains the target as the unit sees it.
  case directory(String)
  /// A root directory in which systemd bind-mounts the machine's `/dev`, for a target below `/dev`.
  case devices(String)
  /// A root that cannot be inspected, with the setting that defines it.
  case unknown(String)

  /// The paths at which systemd mounts something in another root directory; `/run` is empty there.
  static let interfaces = ["/dev", "/proc", "/sys", "/run"].map { UnitPath($0) }

  /// The root directory, if it is a plain directory; otherwise, `nil`.
  var directory: String? {
    if case .directory(let directory) = self { directory } else { nil }
  }

  /// Determines where the resolution of a target path starts for a unit.
  init(_ settings: UnitSettings, target: String) {
    guard let setting = settings.rootSetting else {
      self = .machine
      return
    }
    guard let directory = settings.rootDirectory, setting == "RootDirectory=" else {
      self = .unknown(setting)
      return
    }
    guard settings.hasInterfacesBelowRoot else {
      self = .directory(directory)
      return
    }
    if UnitPath("/dev").covers(target) {
      self = .devices(directory)
    } else if Self.interfaces.contains(where: { $0.covers(target) }) {
      self = .unknown(setting)
    } else {
      self = .directory(directory)
    }
  }
}
