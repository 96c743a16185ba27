internal import AccessModel
internal import CLinux
internal import Glibc

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
