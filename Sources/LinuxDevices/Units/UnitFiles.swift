internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds the files of a unit of the system's manager (systemd.unit(5), "Unit File Load Path").
struct UnitFiles {
  /// The folders in the order in which they take precedence.
  var folders: [String]

  init(folders: [String]) {
    self.folders = folders
  }

  /// The folders of the running system, or of one whose files are below another directory.
  init(roots: MachineRoots) {
    let base = roots.etc.hasSuffix("/etc") ? String(roots.etc.dropLast(4)) : ""
    folders =
      [
        "\(roots.etc)/systemd/system.control", "\(roots.run)/systemd/system.control",
        "\(roots.run)/systemd/transient", "\(roots.run)/systemd/generator.early",
        "\(roots.etc)/systemd/system", "\(roots.etc)/systemd/system.attached",
        "\(roots.run)/systemd/system", "\(roots.run)/systemd/system.attached",
        "\(roots.run)/systemd/generator",
      ] + ["/usr/local/lib", "/usr/lib", "/lib"].map { "\(base)\($0)/systemd/system" }
      + ["\(roots.run)/systemd/generator.late"]
  }

  /// What the files of a unit are.
  enum Result: Hashable, Sendable {
    case absent
    case masked
    /// The parsed unit file and its drop-ins, and what could not be read, one clause each.
    case found([UnitFile], problems: [String])
  }

  /// Reads the unit file and its drop-ins, in the order in which they count.
  ///
  /// An implicit unit exists without any file, as every slice does.
  func read(_ name: UnitName, isImplicit: Bool = false) -> Result {
    var problems: [String] = []
    var files: [UnitFile] = []
    var dropInFolders = name.dropInFolders
    switch fragment(name.text) ?? name.template.flatMap(fragment) {
    case .masked?: return .masked
    case .file(let path)?:
      // A link is another name of the unit, whose drop-ins count too.
      let target = Self.linkTarget(path).flatMap { link in
        link.split(separator: "/").last.map(String.init)
      }
      for folder in (target.flatMap { UnitName($0) })?.dropInFolders ?? []
      where !dropInFolders.contains(folder) {
        dropInFolders.insert(folder, at: 1)
      }
      if let file = Self.parse(path, &problems) { files.append(file) }
    case nil: break
    }
    // Drop-ins of all services do not make a unit.
    let isMade = isImplicit || !files.isEmpty || !problems.isEmpty
    guard isMade else { return .absent }
    let dropIns = dropIns(dropInFolders, &problems)
    for path in dropIns {
      if let file = Self.parse(path, &problems) { files.append(file) }
    }
    return .found(files, problems: problems)
  }

  private enum Fragment {
    case masked
    case file(String)
  }

  /// The first file of a name in the order of the folders.
  private func fragment(_ name: String) -> Fragment? {
    for folder in folders {
      let path = "\(folder)/\(name)"
      var status = stat()
      if unsafe lstat(path, &status) != 0 { continue }
      if Self.isMask(path) { return .masked }
      return .file(path)
    }
    return nil
  }

  /// The drop-ins by the names of their files; of two with one name the first counts, and one
  /// that is masked takes the other with it.
  private func dropIns(_ names: [String], _ problems: inout [String]) -> [String] {
    var paths: [String: String] = [:]
    for name in names {
      for folder in folders {
        for file in Self.list("\(folder)/\(name)", &problems)
        where !file.hasPrefix(".") && file.hasSuffix(".conf") && paths[file] == nil
          && paths.count < 1024
        {
          paths[file] = "\(folder)/\(name)/\(file)"
        }
      }
    }
    return paths.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
      .map(\.value).filter { !Self.isMask($0) }
  }

  /// Whether a file is empty or a link to `/dev/null`.
  private static func isMask(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFREG { return status.st_size == 0 }
    return status.st_mode & S_IFMT == S_IFCHR
  }

  private static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, 4095)
    guard count > 0 else { return nil }
    return String(
      validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The names in a folder of drop-ins; none where there is no folder.
  private static func list(_ path: String, _ problems: inout [String]) -> [String] {
    do throws(Errno) {
      return try Directory.names(in: path) ?? []
    } catch {
      problems.append("\(path): \(error.reason)")
      return []
    }
  }

  private static func parse(_ path: String, _ problems: inout [String]) -> UnitFile? {
    do throws(Errno) {
      let contents = try BoundedFile.read(path, limit: UnitFile.limit)
      let file = UnitFile(parsing: contents.bytes)
      if contents.isTruncated || file.isTruncated { problems.append("\(path) is too long") }
      if file.malformedLines > 0 {
        problems.append("\(path): malformed lines skipped: \(file.malformedLines)")
      }
      return file
    } catch {
      problems.append("\(path): \(error.reason)")
      return nil
    }
  }
}
