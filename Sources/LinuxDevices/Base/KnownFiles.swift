internal import AccessModel
internal import Synchronization

/// What was found in files, for as long as nobody writes to them.
///
/// Who looks again at each event reads a list of a megabyte once.
final class KnownFiles: Sendable {
  /// A search in a file.
  struct Search: Hashable, Sendable {
    var path: String
    /// The names that are looked for; empty for all that the file holds.
    var names: [String] = []
  }

  private struct Found: Sendable {
    let stamp: FileStamp
    let names: Set<String>
  }

  private let found = Mutex<[Search: Found]>([:])

  /// More than a machine has; this bounds a folder in which files come and go.
  private static let mostSearches = 1024

  init() {}

  /// What a search gives: what it gave before, where the file is the same.
  ///
  /// - Parameters:
  ///   - search: The search, which is made in one way alone.
  ///   - limit: As many bytes are read.
  ///   - find: Makes it in what the file holds.
  /// - Throws: The error that keeps the file from being read.
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
