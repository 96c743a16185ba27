internal import Synchronization

/// A kept file: its open directory, and the content that this program last accepted or wrote.
///
/// The methods do not call back into other code, so you can call them while holding a lock.
struct KeptFile: Sendable {
  private let name: String
  private let location: StateDirectory
  private let limit: Int
  private let shownPath: KeptPath
  private var directory: KeptDirectory?
  /// The file whose content this program last accepted or wrote.
  ///
  /// It stays open so that no other file can get its inode number.
  private var known: FileSnapshot?

  init(_ name: String, in location: StateDirectory, limit: Int, showing path: KeptPath) {
    self.name = name
    self.location = location
    self.limit = limit
    shownPath = path
  }

  /// A path that refers to the open directory, or `nil` if the directory is not open.
  var kernelPath: String? { directory?.kernelPath }

  /// The name of the file in its directory, or `nil` if the directory is not open.
  var fileName: String? { directory?.name.file }

  /// Reads the file, unless its content is known.
  ///
  /// - Returns: The file, or `nil` if it does not exist or its content is known.
  mutating func readIfChanged() throws(KeepingError) -> FileSnapshot? {
    let directory = try openDirectory()
    return try readUnlessKnown(in: directory)
  }

  /// Removes the temporary file that an interrupted write left behind, and then reads the file.
  ///
  /// - Returns: The file, or `nil` if it does not exist.
  mutating func readAtStart() throws(KeepingError) -> FileSnapshot? {
    let directory = try openDirectory()
    directory.cleanUp()
    return try readUnlessKnown(in: directory)
  }

  /// Marks the content of the file as known, so that the next write may replace it.
  mutating func markKnown(_ found: FileSnapshot) {
    known = found
  }

  /// Returns a Boolean value that indicates whether the file is missing.
  mutating func isMissing() throws(KeepingError) -> Bool {
    let directory = try openDirectory()
    do throws(SystemCallError) { return try directory.identity() == nil } catch {
      throw KeepingError(.unreadable, directory.path, error)
    }
  }

  /// Writes the file, unless another program has changed it.
  ///
  /// - Returns: The file that another program has written in the meantime, in which case nothing is
  ///   written, or `nil` if the write succeeded.
  mutating func write(_ bytes: [UInt8]) throws(KeepingError) -> FileSnapshot? {
    guard bytes.count <= limit else {
      throw KeepingError(.tooLarge, shownPath.text, "it would have more than \(limit) bytes")
    }
    let directory = try openDirectory()
    var written: FileSnapshot?
    defer { if let written { known = written } }
    return try directory.locked { () throws(KeepingError) in
      if let found = try readUnlessKnown(in: directory) { return found }
      do throws(SystemCallError) { try directory.replace(with: bytes) { written = $0 } } catch {
        throw KeepingError(.notWritten, directory.path, error)
      }
      return nil
    }
  }

  /// Sets a file aside if it still has the same content.
  ///
  /// - Throws: `.notSetAside` if the file cannot be renamed, or another error if the directory
  ///   cannot be opened or locked.
  /// - Returns: The new name, or `nil` if the file has changed or no longer exists.
  mutating func setAside(_ found: FileSnapshot, _ why: SetAsideReason) throws(KeepingError)
    -> String?
  {
    let directory = try openDirectory()
    return try directory.locked { () throws(KeepingError) in
      do throws(SystemCallError) {
        guard try directory.identity() == found.identity else { return nil }
        if let name = try directory.setAside(why) { return name }
      } catch { throw KeepingError(.notSetAside, directory.path, error) }
      throw KeepingError(
        .notSetAside, directory.path, "a hundred files have been set aside; remove some of them")
    }
  }

  /// Closes the directory and the known file.
  mutating func close() {
    (directory, known) = (nil, nil)
  }

  /// Reads the file, or returns `nil` if it does not exist or its content is known.
  private func readUnlessKnown(in directory: KeptDirectory) throws(KeepingError) -> FileSnapshot? {
    do throws(SystemCallError) {
      let identity = try directory.identity()
      if identity == nil || identity == known?.identity { return nil }
      return try directory.read(limit: limit)
    } catch { throw KeepingError(.unreadable, directory.path, error) }
  }

  private mutating func openDirectory() throws(KeepingError) -> KeptDirectory {
    // A directory that has been removed is created again.
    if let directory, !directory.wasRemoved() { return directory }
    guard let name = FileName(name) else {
      throw KeepingError(.badName, name, "not a valid file name")
    }
    guard let path = location.path(in: .current) else {
      throw KeepingError(
        .noDirectory, name.file, "no home directory is known, and no other state directory")
    }
    let directory = try KeptDirectory(name, at: path)
    self.directory = directory
    shownPath.text = directory.path
    return directory
  }
}

/// A kept file's path, which can be read even while a write is waiting for the lock.
final class KeptPath: Sendable {
  private let path: Mutex<String>

  /// Creates the path of a file.
  ///
  /// - Parameter name: The name of the file, which is used until the path is known.
  init(_ name: String) {
    path = Mutex(name)
  }

  /// The path of the file, or its name until the path is known.
  var text: String {
    get { path.withLock { $0 } }
    set { path.withLock { $0 = newValue } }
  }
}
