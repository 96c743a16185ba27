internal import AccessModel
internal import CLinux
internal import Glibc
internal import UdevRules

/// Reads the files in udev's rules folders.
///
/// Only regular files are opened, because a link that masks a rule may lead to any device.
struct RuleFolders {
  var roots: MachineRoots

  /// The names that udevd uses for the folders and their actual paths, in order of precedence.
  var folders: [(name: String, path: String)] {
    let usr = AbsolutePath.parent(of: roots.lib)
    let split = AbsolutePath.parent(of: roots.modules)
    // If /lib is a link to /usr/lib, they are the same folder.
    let isMerged = SymbolicLink.target(of: split) != nil
    let parents = [roots.etc, roots.run, "\(usr)/local/lib", roots.lib, split]
    return zip(UdevRuleFileChoice.folders, parents)
      .filter { !(isMerged && $0.0 == UdevRuleFileChoice.folders.last) }
      .map { (name: $0.0, path: "\($0.1)/udev/rules.d") }
  }

  /// Returns the files of all folders.
  func files() -> [RuleFile] {
    var files: [RuleFile] = []
    var room = RuleLimits.bytes
    for (folder, path) in folders {
      let entries: [(name: String, isRegular: Bool)]
      do throws(Errno) {
        entries = try Directory.entries(in: path) ?? []
      } catch {
        // A file named `*` represents the folder's unknown contents.
        files.append(
          RuleFile(folder: folder, name: "*", state: .hidden, problem: error.reason))
        continue
      }
      // One entry per folder is reserved to report files that were left out.
      let most = max(RuleLimits.files - folders.count - files.count, 0)
      for entry in entries.sorted(by: { $0.name < $1.name }).prefix(most) {
        let file = Self.read(
          "\(path)/\(entry.name)", folder: folder, name: entry.name, isRegular: entry.isRegular,
          room: room)
        room -= file.bytes.count
        files.append(file)
      }
      if entries.count > most {
        files.append(
          RuleFile(
            folder: folder, name: "*", state: .hidden,
            problem: "only \(most) of its \(entries.count) files were read"))
      }
    }
    return files
  }

  /// Returns the rules files in `/etc/udev` itself, which udevd does not read.
  func misplacedFiles() -> [RuleFile] {
    let folder = "/etc/udev"
    let path = "\(roots.etc)/udev"
    let entries = ((try? Directory.entries(in: path)) ?? nil) ?? []
    let rules = entries.filter { $0.isRegular && $0.name.hasSuffix(".rules") }
    return rules.sorted { $0.name < $1.name }.prefix(Self.mostMisplaced).map { entry in
      Self.read(
        "\(path)/\(entry.name)", folder: folder, name: entry.name, isRegular: true,
        room: Self.otherBytes)
    }
  }

  private static let mostMisplaced = 16

  /// The maximum number of bytes to read from a file that udevd does not read.
  private static let otherBytes = 1 << 16

  /// Reads a file, twice if it changes during the first attempt.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - folder: The name that udevd uses for the folder.
  ///   - name: The name of the file.
  ///   - isRegular: Whether the folder entry is known to be a regular file. If not, the type is
  ///     checked before the file is opened.
  ///   - room: The maximum number of bytes to read.
  /// - Returns: The file, including any problem that occurred while it was read.
  static func read(
    _ path: String, folder: String, name: String, isRegular: Bool = false,
    room: Int = RuleLimits.bytes
  ) -> RuleFile {
    var file = RuleFile(folder: folder, name: name)
    do throws(Errno) {
      for attempt in 0..<2 {
        if !isRegular || attempt > 0 {
          let status = try status(path)
          file.describe(status)
          switch status.st_mode & S_IFMT {
          case S_IFREG where status.st_size > 0: break
          case S_IFREG, S_IFCHR, S_IFBLK:
            file.state = .empty
            return file
          default:
            file.state = .other
            file.problem = "it is not a regular file"
            return file
          }
        }
        // A file that udevd does not read may be a rules file with a wrong name.
        let most = name.hasSuffix(".rules") ? RuleLimits.fileBytes : Self.otherBytes
        let limit = max(min(most, room), 0)
        let (contents, before, after) = try BoundedFile.reading(path, limit: limit)
        let isChanging = FileStamp(before) != FileStamp(after)
        if isChanging, attempt == 0 { continue }
        file.describe(before)
        if before.st_size == 0 {
          file.state = .empty
          return file
        }
        file = RuleFile(
          folder: folder, name: name, bytes: contents.bytes, owner: file.owner,
          modified: file.modified,
          problem: contents.isTruncated
            ? "it is longer than \(limit) bytes, and the rest was not read"
            : isChanging ? "it changed while it was read" : nil)
        return file
      }
    } catch {
      if file.owner == nil, let status = try? status(path) { file.describe(status) }
      // udevd ignores a link whose target does not exist.
      file.state = error == .noSuchFile ? .empty : .hidden
      if error != .noSuchFile { file.problem = error.reason }
    }
    return file
  }

  private static func status(_ path: String) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(unsafe stat(ByteText(path).cString, &status))
    return status
  }
}

extension RuleFile {
  fileprivate mutating func describe(_ status: stat) {
    owner = status.st_uid
    modified = Int64(status.st_mtim.tv_sec)
  }
}
