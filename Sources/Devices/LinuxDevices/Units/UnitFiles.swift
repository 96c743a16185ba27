internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds the files of a system manager's unit (systemd.unit(5), "Unit File Load Path").
struct UnitFiles {
  /// The folders in order of precedence.
  let folders: [String]
  /// The prefix for absolute paths, if the system's files are below another directory.
  private let base: String

  /// Creates the folders of the running system, or of a system below another directory.
  init(roots: MachineRoots) {
    let base = roots.etc.hasSuffix("/etc") ? String(roots.etc.dropLast(4)) : ""
    self.base = base
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

  /// The result of reading a unit's files.
  enum Result: Hashable, Sendable {
    case absent
    case masked
    case found(Contents)
  }

  /// The parsed files of a unit.
  struct Contents: Hashable, Sendable {
    /// The name that systemd uses for the unit, which may differ from the requested alias.
    var name: UnitName
    /// The unit file and its drop-ins, in the order that systemd applies them.
    var files: [UnitFile] = []
    /// Ignored parts of the files, one clause each.
    var problems: [String] = []
    /// Files that may contain settings but could not be read, one clause each.
    var doubts: [String] = []
  }

  /// Reads the unit file and its drop-ins, in the order that systemd applies them.
  ///
  /// An implicit unit exists without a file, as every slice does.
  func read(_ name: UnitName, isImplicit: Bool = false) -> Result {
    var search = UnitFileSearch(folders: folders, base: base)
    var contents = Contents(name: name)
    var aliases: [UnitName] = []
    if let path = search.file(of: name) {
      // A folder that cannot be searched may contain another file that is not a mask.
      if Self.isMask(path), search.doubts.isEmpty { return .masked }
      contents.name = search.identity(of: path, askedFor: name)
      aliases = search.aliases(of: contents.name, file: path, askedFor: name)
      if let file = Self.parse(path, &contents) { contents.files.append(file) }
    } else if !isImplicit, search.doubts.isEmpty {
      // Drop-ins without a unit file do not define a unit.
      return .absent
    }
    for path in dropIns(of: [contents.name] + aliases, &search, &contents) {
      if let file = Self.parse(path, &contents) { contents.files.append(file) }
    }
    contents.doubts = search.doubts + contents.doubts
    return .found(contents)
  }

  private static let mostDropIns = 1024

  /// Returns the paths of the drop-ins, ordered by file name.
  ///
  /// If several drop-ins have the same file name, only the first one applies. If that one is a
  /// mask, none applies. Folders for the unit's name come first, then those for its aliases, then
  /// those for all units of the type. For each, all unit folders are searched
  /// (`unit_file_find_dropin_paths` in systemd's src/shared/dropin.c).
  private func dropIns(
    of names: [UnitName], _ search: inout UnitFileSearch, _ contents: inout Contents
  ) -> [String] {
    var found: [String: (path: String, name: Int)] = [:]
    func take(_ subfolders: [String], of name: Int) {
      for folder in folders where !search.unsearchable.contains(folder) {
        for subfolder in subfolders {
          let place = "\(folder)/\(subfolder)"
          for file in search.dropIns(in: folder, subfolder, &contents)
          where !file.hasPrefix(".") && file.hasSuffix(".conf") {
            guard let other = found[file] else {
              guard found.count < Self.mostDropIns else {
                contents.doubts.append("\(place) has too many drop-ins")
                return
              }
              found[file] = ("\(place)/\(file)", name)
              continue
            }
            // systemd processes the aliases in the order of a hash table.
            let isOpen = other.name > 0 && name > 0 && other.name != name
            if isOpen, other.path != "\(place)/\(file)" {
              contents.doubts.append("\(place)/\(file) or \(other.path) counts")
            }
          }
        }
      }
    }
    for (index, name) in names.enumerated() { take(name.dropInFolders, of: index) }
    take([contents.name.typeFolder], of: 0)
    return found.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
      .map(\.value.path).filter { !Self.isMask($0) }
  }

  /// Returns whether a file is empty or a link to `/dev/null`.
  private static func isMask(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFREG { return status.st_size == 0 }
    return status.st_mode & S_IFMT == S_IFCHR
  }

  private static func parse(_ path: String, _ found: inout Contents) -> UnitFile? {
    do throws(Errno) {
      let contents = try BoundedFile.read(path, limit: UnitFile.limit)
      let file = UnitFile(parsing: contents.bytes)
      if contents.isTruncated || file.isTruncated { found.doubts.append("\(path) is too long") }
      if file.malformedLines > 0 {
        found.problems.append("\(path): malformed lines skipped: \(file.malformedLines)")
      }
      return file
    } catch {
      found.doubts.append("\(path) was not read: \(error.reason)")
      return nil
    }
  }
}
