internal import AccessModel

/// A snapshot of the mounts in a mount namespace.
struct MountTable: Sendable {
  /// The mounts in the order of the file; a later mount covers an earlier one at the same point.
  private(set) var entries: [MountEntry] = []
  private var indexByID: [UInt64: Int] = [:]
  private let decoded = DecodedMounts()
  /// A Boolean value that indicates whether any filesystem may stop responding.
  private(set) var hasDistant = false
  /// A Boolean value that indicates whether the file was read.
  ///
  /// If it was, an empty table means that nothing is mounted.
  private(set) var isRead = false
  /// The number of malformed lines, which were skipped.
  private(set) var malformedLines = 0

  /// The maximum number of bytes to read, which is enough for about a hundred thousand mounts.
  static let limit = 32 << 20

  init(parsing bytes: [UInt8]) {
    for line in bytes.split(separator: ByteScanner.newline) {
      guard let entry = MountEntry(parsing: line) else {
        malformedLines += 1
        continue
      }
      indexByID[entry.id] = entries.count
      if entry.isDistant { hasDistant = true }
      entries.append(entry)
    }
  }

  /// Reads the table of a process's mount namespace, such as `/proc/thread-self/mountinfo`.
  ///
  /// Problems are added to `unobserved`. If the file cannot be read, the table is empty.
  static func read(_ path: String, _ unobserved: inout [Unobserved]) -> MountTable {
    do throws(Errno) {
      let contents = try BoundedFile.read(path, limit: limit)
      var table = MountTable(parsing: contents.bytes)
      table.isRead = true
      if contents.isTruncated {
        unobserved.append(Unobserved("mountinfo", at: path, reason: "longer than 32 MiB"))
      }
      if table.malformedLines > 0 {
        unobserved.append(
          Unobserved(
            "mountinfo", at: path, reason: "malformed lines skipped: \(table.malformedLines)"))
      }
      if table.entries.isEmpty && table.malformedLines == 0 {
        unobserved.append(Unobserved("mountinfo", at: path, reason: "empty"))
      }
      return table
    } catch {
      unobserved.append(Unobserved("mountinfo", at: path, reason: error.reason))
      return MountTable(parsing: [])
    }
  }

  /// The ID of the mount at `/`; `nil` if there is none, for example after chroot(2) to a
  /// directory.
  var rootID: UInt64? { last(at: "/")?.id }

  /// Returns the last mount at a point, which covers all earlier ones there.
  func last(at point: String) -> MountEntry? {
    // Each scan of a watch requests the same few of many entries.
    let index = decoded.index(at: point) {
      let point = ByteText(point).bytes
      // By index, because a copy of an entry costs more than the comparison.
      return entries.indices.last { entries[$0].isAt(point) }
    }
    return index.map { entries[$0] }
  }

  /// Returns the mount that contains a path.
  ///
  /// This is the mount with the ID from statx(2). Without such an ID, it is the last of the deepest
  /// mount points at or above the path. That may be wrong if one mount hides another, or if the
  /// table could not be read.
  func mount(of path: String, id: UInt64?) -> MountEntry? {
    index(of: path, id: id).map { entries[$0] }
  }

  /// Returns the index of the entry that ``mount(of:id:)`` returns.
  func index(of path: String, id: UInt64?) -> Int? {
    let path = ByteText(path).bytes
    if let id, let index = indexByID[id], entries[index].covers(path) { return index }
    var best: (index: Int, length: Int)?
    for index in entries.indices where entries[index].covers(path) {
      let length = entries[index].point.utf8.count
      if length >= best?.length ?? 0 { best = (index, length) }
    }
    return best?.index
  }

  /// Returns the mount point of a path's filesystem if that filesystem may stop responding.
  ///
  /// The result is `nil` for other filesystems, and for the root filesystem, because without it
  /// nothing can be observed.
  func distantPoint(of path: String) -> String? {
    guard hasDistant, let index = index(of: path, id: nil), entries[index].isDistant else {
      return nil
    }
    let point = entries[index].point
    return point == "/" ? nil : point
  }

  /// Returns the mount of an entry; see ``Mount/init(_:at:inUserNamespace:)``.
  func mount(_ index: Int, inUserNamespace: Bool) -> Mount {
    decoded.mount(index, inUserNamespace: inUserNamespace) {
      Mount(entries[index], at: entries[index].point, inUserNamespace: inUserNamespace)
    }
  }
}
