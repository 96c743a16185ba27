internal import AccessModel

/// The mounts of a mount namespace, read once.
struct MountTable: Sendable {
  /// In the order of the file: a later mount covers an earlier one at the same place.
  private(set) var entries: [MountEntry] = []
  private var indexByID: [UInt64: Int] = [:]
  private let decoded = DecodedMounts()
  /// Whether a filesystem may not answer.
  private(set) var hasDistant = false
  /// Whether the file could be read; then an empty table tells that nothing is mounted.
  private(set) var isRead = false
  /// How many lines were passed over because they are malformed.
  private(set) var malformedLines = 0

  /// At most this much is read: some hundred thousand mounts.
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
  /// What is wrong with it is listed; an unreadable table is an empty one.
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

  /// The number of the mount at `/`; `nil` when none is, as in a chroot(2) into a folder.
  var rootID: UInt64? { last(at: "/")?.id }

  /// The last mount at a point, which covers those before it there.
  func last(at point: String) -> MountEntry? {
    // Each look of a watch asks for the same few of many entries.
    let index = decoded.index(at: point) {
      let point = ByteText(point).bytes
      // By index, because a copy of an entry costs more than the comparison.
      return entries.indices.last { entries[$0].isAt(point) }
    }
    return index.map { entries[$0] }
  }

  /// The mount that a path is on: the one that statx(2) names, else the last of the deepest
  /// mount points at or above it.
  ///
  /// The second is a guess where one mount hides another, and where the table was not read.
  func mount(of path: String, id: UInt64?) -> MountEntry? {
    index(of: path, id: id).map { entries[$0] }
  }

  /// Which of the entries ``mount(of:id:)`` is.
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

  /// Where the filesystem of a path is mounted, if it may not answer; `nil` for any other, and for the
  /// root's: without that nothing is left to look at.
  func distantPoint(of path: String) -> String? {
    guard hasDistant, let index = index(of: path, id: nil), entries[index].isDistant else {
      return nil
    }
    let point = entries[index].point
    return point == "/" ? nil : point
  }

  /// The mount of an entry, seen from inside a user namespace or not.
  func mount(_ index: Int, inUserNamespace: Bool) -> Mount {
    decoded.mount(index, inUserNamespace: inUserNamespace) {
      Mount(entries[index], at: entries[index].point, inUserNamespace: inUserNamespace)
    }
  }
}
