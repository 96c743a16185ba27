internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds the files of the system manager's units (systemd.unit(5), "Unit File Load Path").
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

/// Finds a unit's file and its aliases through the links in the unit folders.
///
/// The search follows `unit_file_build_name_map` and `unit_file_find_fragment` in systemd's
/// src/shared/unit-file.c.
struct UnitFileSearch {
  private let folders: [String]
  private let base: String
  /// The folders, both as given and with symbolic links resolved.
  private let places: Set<String>
  /// Places that may contain a file of the unit but could not be read, one clause each.
  private(set) var doubts: [String] = []
  /// The folders that cannot be searched.
  private(set) var unsearchable: Set<String> = []

  /// Creates a search that has not read any folder yet.
  ///
  /// - Parameters:
  ///   - folders: The folders in order of precedence.
  ///   - base: The prefix for absolute link targets; empty on the running system.
  init(folders: [String], base: String) {
    self.folders = folders
    self.base = base
    places = Set(folders + folders.compactMap(SymbolicLink.canonical))
  }

  /// The first entry in the folders for a name.
  private enum Entry {
    case absent
    case file(String)
    case alias(UnitName)
  }

  /// The maximum number of aliases to follow (`FOLLOW_MAX` in systemd).
  private static let mostAliases = 8

  /// Returns the unit file for a name or its template, or `nil` if neither exists.
  mutating func file(of name: UnitName) -> String? {
    if let path = path(of: name) { return path }
    return name.template.flatMap { UnitName($0, suffix: name.suffix) }.flatMap { path(of: $0) }
  }

  /// Follows aliases from name to name, searching all folders for each one.
  private mutating func path(of name: UnitName) -> String? {
    var next = name
    for _ in 0..<Self.mostAliases {
      var entry = entry(next)
      if case .absent = entry, next != name, let template = next.template,
        let template = UnitName(template, suffix: name.suffix)
      {
        entry = self.entry(template)
      }
      switch entry {
      case .absent: return nil
      case .file(let path): return path
      case .alias(let name): next = name
      }
    }
    doubts.append("too many links: \(name.text)")
    return nil
  }

  private mutating func entry(_ name: UnitName) -> Entry {
    for folder in folders where !unsearchable.contains(folder) {
      let path = "\(folder)/\(name.text)"
      var status = stat()
      if unsafe lstat(path, &status) != 0 {
        let failure = Errno.current
        if failure != .noSuchFile, failure != .notDirectory { doubt(folder, failure) }
        continue
      }
      guard status.st_mode & S_IFMT == S_IFLNK, let target = aliasTarget(of: path, in: folder)
      else { return .file(path) }
      // A link that cannot be an alias is ignored.
      if let alias = UnitName(target, suffix: name.suffix), alias.text == target,
        name.mayBeAlias(of: alias)
      {
        return .alias(alias)
      }
    }
    return .absent
  }

  private mutating func doubt(_ folder: String, _ failure: Errno) {
    unsearchable.insert(folder)
    doubts.append("\(folder) could not be searched: \(failure.reason)")
  }

  /// Returns the unit name that a link in a unit folder refers to, or `nil` for any other link.
  ///
  /// A link that leads elsewhere counts as a file with its own name (`unit_file_resolve_symlink`).
  private func aliasTarget(of link: String, in folder: String) -> String? {
    guard let target = SymbolicLink.target(of: link) else { return nil }
    let isAbsolute = target.hasPrefix("/")
    for path in isAbsolute ? Set([target, base + target]).sorted() : ["\(folder)/\(target)"] {
      let names = AbsolutePath.components(of: path)
      guard let last = names.last, last != ".", last != ".." else { return nil }
      let parent = "/" + names.dropLast().joined(separator: "/")
      let place = SymbolicLink.canonical(parent) ?? SymbolicLink.resolve(parent, from: "/")
      if places.contains(where: { place.isAtOrBelow($0) }) { return last }
    }
    return nil
  }

  // MARK: Names

  /// Returns the name of the unit that a file defines, which is the file's own name
  /// (`unit_load_fragment`).
  func identity(of path: String, askedFor name: UnitName) -> UnitName {
    guard let own = Self.name(of: path, suffix: name.suffix) else { return name }
    return name.instance.flatMap { own.with(instance: $0) } ?? own
  }

  /// Returns the other names of a unit, which are links to the same file, the requested one first.
  mutating func aliases(
    of unit: UnitName, file: String, askedFor asked: UnitName
  ) -> [UnitName] {
    var aliases = asked == unit ? [] : [asked]
    for link in links(suffix: unit.suffix) {
      guard let path = path(of: link), let own = Self.name(of: path, suffix: unit.suffix)
      else { continue }
      var alias = link
      if let instance = unit.instance, link.isTemplate, path == file {
        // An instance with its own file is not an alias of this one.
        guard let instanced = link.with(instance: instance) else { continue }
        if let other = self.path(of: instanced), other != file { continue }
        alias = instanced
      } else if (link.instance.flatMap { own.with(instance: $0) } ?? own) != unit {
        continue
      }
      if alias != unit, !aliases.contains(alias) { aliases.append(alias) }
    }
    return aliases
  }

  /// Returns the unit names of all folder entries that may be links.
  private mutating func links(suffix: String) -> [UnitName] {
    var names: Set<String> = []
    for folder in folders where !unsearchable.contains(folder) {
      do throws(Errno) {
        for entry in try Directory.entries(in: folder) ?? []
        where !entry.isRegular && entry.name.hasSuffix(suffix) {
          names.insert(entry.name)
        }
      } catch {
        if error != .notDirectory {
          doubts.append("\(folder) could not be listed: \(error.reason)")
        }
      }
    }
    return names.sorted().compactMap { UnitName($0, suffix: suffix) }
  }

  private static func name(of path: String, suffix: String) -> UnitName? {
    AbsolutePath.components(of: path).last.flatMap { UnitName($0, suffix: suffix) }
  }

  // MARK: Drop-ins

  /// Returns the file names in a drop-in folder; empty if the folder does not exist.
  mutating func dropIns(
    in folder: String, _ subfolder: String, _ contents: inout UnitFiles.Contents
  ) -> [String] {
    let path = "\(folder)/\(subfolder)"
    do throws(Errno) {
      return try Directory.names(in: path) ?? []
    } catch {
      var status = stat()
      if error == .notDirectory {
        // A path below a regular file does not exist. A file with the name of the drop-in folder is
        // a problem.
        if unsafe lstat(path, &status) == 0 {
          contents.problems.append("\(path): \(error.reason)")
        }
      } else if unsafe lstat(path, &status) != 0 {
        if !unsearchable.contains(folder) { doubt(folder, error) }
      } else {
        contents.doubts.append("\(path) was not read: \(error.reason)")
      }
      return []
    }
  }
}

extension UnitName {
  /// Returns whether a link with this name can make it an alias of another unit
  /// (`unit_validate_alias_symlink_or_warn`).
  fileprivate func mayBeAlias(of other: UnitName) -> Bool {
    guard self != other else { return false }
    switch (instance, other.instance) {
    case (nil, nil): return true
    case (let own?, let others?): return others.isEmpty || own == others
    default: return false
    }
  }
}
