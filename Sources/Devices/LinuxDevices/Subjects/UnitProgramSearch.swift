internal import AccessModel

/// Finds the programs of a unit as systemd does, in the filesystem that the unit sees.
struct UnitProgramSearch {
  let settings: UnitSettings
  let own: SubjectView

  /// A nesting depth of interpreters that exceeds the kernel's limit.
  private static let mostInterpreters = 5
  /// The folders that systemd searches for a program whose name is not a path (`DEFAULT_PATH`).
  private static let folders = [
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
  ]

  func program(_ word: String) -> UnitProgram {
    if word.hasPrefix("/") { return file(at: word) }
    // An unknown specifier remains in the word.
    guard !word.isEmpty, !word.contains("/"), !word.contains("%") else {
      return .unseen(word, reason: "it has no path")
    }
    for folder in settings.searchPath.isEmpty ? Self.folders : settings.searchPath {
      let found = file(at: "\(folder)/\(word)")
      if case .missing = found { continue }
      return found
    }
    return .missing(word)
  }

  private func file(at path: String) -> UnitProgram {
    var path = path
    for _ in 0..<Self.mostInterpreters {
      switch look(at: path) {
      case .end(let program): return program
      case .interpreter(let next): path = next
      }
    }
    return .unseen(path, reason: "too many interpreters")
  }

  // MARK: One file

  private enum Look {
    case end(UnitProgram)
    case interpreter(String)
  }

  private func look(at path: String) -> Look {
    guard !path.contains("%") else { return .end(.unseen(path, reason: "it holds a specifier")) }
    let place: (root: String, path: String)
    switch self.place(of: path) {
    case .success(let found): place = found
    case .failure(let hidden): return .end(.unseen(path, reason: hidden.reason))
    }
    var observer = PathObserver(
      translator: own.translator, root: place.root, isForAnother: true, mounts: own.mounts)
    guard let end = PathWalk.walk(place.path, with: &observer),
      let sighting = observer.sighting(end)
    else {
      let unseen = observer.unobserved.first
      return .end(unseen.map { .unseen(path, reason: $0.reason) } ?? .missing(path))
    }
    let node = sighting.node
    if let unseen = observer.unobserved.first(where: { $0.at == end && $0.layer != "flags" }) {
      return .end(.unseen(path, reason: unseen.reason))
    }
    guard node.type == .regular, node.mode & 0o111 != 0 else { return .end(.missing(path)) }
    return look(at: node, root: place.root, mountID: sighting.mountID)
  }

  private func look(at node: Node, root: String, mountID: UInt64?) -> Look {
    let full = root + node.path
    var file = ExecutableFacts(mode: node.mode, uid: node.uid, gid: node.gid)
    do throws(Errno) {
      file.capabilities = try ExecutableFacts.FileCapabilities.read(full)
    } catch {
      return .end(.unseen(node.path, reason: error.reason))
    }
    let isSpecial =
      node.mode & 0o4000 != 0 || node.mode & 0o2010 == 0o2010 || file.capabilities != nil
    let beginning: [UInt8]
    do throws(Errno) {
      beginning = try BoundedFile.readHeld(full, limit: 256).bytes
    } catch {
      return .end(isSpecial ? .unseen(node.path, reason: error.reason) : .plain)
    }
    if beginning.starts(with: "#!".utf8) {
      guard let interpreter = Self.interpreter(in: beginning) else {
        return .end(.unseen(node.path, reason: "its interpreter has no path"))
      }
      return .interpreter(interpreter)
    }
    guard isSpecial else { return .end(.plain) }
    guard beginning.starts(with: [0x7F] + Array("ELF".utf8)) else {
      return .end(.unseen(node.path, reason: "the kernel runs a different program for it"))
    }
    let mount = own.mounts.mount(of: full, id: mountID)
    return .end(
      .privileged(path: node.path, file: file, isHonoured: mount.map { !$0.isWithoutSetID }))
  }

  /// Returns the path after `#!`, or `nil` if it is not absolute.
  static func interpreter(in bytes: [UInt8]) -> String? {
    let blanks: Set<UInt8> = [0x20, 0x09]
    let line = bytes.dropFirst(2).prefix { $0 != ByteScanner.newline && $0 != 0 }
      .drop { blanks.contains($0) }
    let path = line.prefix { !blanks.contains($0) }
    return path.first == UInt8(ascii: "/") ? ByteText(bytes: path).text : nil
  }

  // MARK: Location

  private struct Hidden: Error {
    var reason: String
  }

  /// Returns the root directory and the path in it that correspond to a path in the unit.
  private func place(of path: String) -> Result<(root: String, path: String), Hidden> {
    let replaced = settings.replacedPaths.filter { UnitPath($0.path).covers(path) }
      .max { $0.path.utf8.count < $1.path.utf8.count }
    if let replaced {
      guard let source = replaced.source, !replaced.setting.hasPrefix("MountImages") else {
        return .failure(Hidden(reason: "\(replaced.setting) puts something else there"))
      }
      let rest =
        replaced.path == "/"
        ? path : String(Substring(path.utf8.dropFirst(replaced.path.utf8.count)))
      return .success(("", UnitPath(source + rest).path))
    }
    switch UnitRoot(settings, target: path) {
    case .machine: return .success(("", path))
    case .directory(let directory): return .success((directory, path))
    case .devices, .unknown:
      return .failure(
        Hidden(reason: "\(settings.rootSetting ?? "") gives the unit another root directory"))
    }
  }
}
