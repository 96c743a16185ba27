internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A cache of names found in files, which is valid until a file is written.
///
/// Without it, a watch would read a list of one megabyte again after each event.
final class KnownFiles: Sendable {
  /// A search in one file.
  struct Search: Hashable, Sendable {
    var path: String
    /// The names to search for; empty to return all names in the file.
    var names: [String] = []
  }

  private struct Found: Sendable {
    let stamp: FileStamp
    let names: Set<String>
  }

  private let found = Mutex<[Search: Found]>([:])

  /// The maximum number of cached results, which bounds the cache if files are created and removed.
  private static let mostSearches = 1024

  init() {}

  /// Returns the names that a search finds, from the cache if the file has not changed.
  ///
  /// - Parameters:
  ///   - search: The search, which must always be used with the same `find`.
  ///   - limit: The maximum number of bytes to read.
  ///   - find: Returns the names that the search finds in the given bytes.
  /// - Throws: The error from reading the file.
  /// - Returns: The names.
  func names(
    _ search: Search, limit: Int, _ find: ([UInt8]) -> Set<String>
  ) throws(Errno) -> Set<String> {
    if let known = found.withLock({ $0[search] }), try FileStamp(of: search.path) == known.stamp {
      return known.names
    }
    let (contents, before, after) = try BoundedFile.reading(search.path, limit: limit)
    let names = find(contents.bytes)
    let stamp = FileStamp(before)
    let isSettled = stamp.isSettled && stamp == FileStamp(after)
    found.withLock { found in
      if found.count >= Self.mostSearches { found = [:] }
      found[search] = isSettled ? Found(stamp: stamp, names: names) : nil
    }
    return names
  }
}

/// A stamp of a file's status, which shows whether the file was written since it was read.
struct FileStamp: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: Int
  /// The seconds and nanoseconds of each time.
  private let (modified, modifiedRest): (Int, Int)
  private let (changed, changedRest): (Int, Int)

  init(_ status: stat) {
    (device, inode, size) = (status.st_dev, status.st_ino, Int(status.st_size))
    (modified, modifiedRest) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    (changed, changedRest) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  /// Reads the stamp of the file at a path, following symbolic links.
  ///
  /// - Throws: The error from stat(2).
  init(of path: String) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe stat(ByteText(path).cString, &status))
    self.init(status)
  }

  /// A Boolean value that indicates whether any further write is certain to change the stamp.
  ///
  /// Filesystems store times with a resolution of up to two seconds (FAT).
  var isSettled: Bool {
    var now = timespec()
    return unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 && changed < now.tv_sec - 2
  }
}
