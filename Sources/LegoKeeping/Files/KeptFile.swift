internal import Synchronization

/// A file that is kept: the open directory, and what is known of the file.
///
/// Nothing of the caller's runs in here, so that a lock may be held around it.
struct KeptFile: Sendable {
  private let name: String
  private let location: StateDirectory
  private let limit: Int
  private let shownPath: KeptPath
  private var directory: KeptDirectory?
  /// The file whose content this program knows.
  ///
  /// It is held open, so that no other file gets its number.
  private var known: FileSnapshot?

  init(_ name: String, in location: StateDirectory, limit: Int, showing path: KeptPath) {
    self.name = name
    self.location = location
    self.limit = limit
    shownPath = path
  }

  /// The path by which the kernel finds the open directory.
  var kernelPath: String? { directory?.kernelPath }

  /// The name of the file in its directory.
  var fileName: String? { directory?.name.file }

  /// What lies there, unless that is known.
  ///
  /// - Returns: `nil` when there is no file, or the known one.
  mutating func readIfChanged() throws(KeepingError) -> FileSnapshot? {
    let directory = try openDirectory()
    return try readUnlessKnown(in: directory)
  }

  /// Takes the file at the start, and cleans up what a writer left that was ended.
  mutating func readAtStart() throws(KeepingError) -> FileSnapshot? {
    let directory = try openDirectory()
    directory.cleanUp()
    return try readUnlessKnown(in: directory)
  }

  /// From here on the file counts as known, and may be replaced.
  mutating func markKnown(_ found: FileSnapshot) {
    known = found
  }

  /// Whether there is no file.
  mutating func isMissing() throws(KeepingError) -> Bool {
    let directory = try openDirectory()
    do throws(SystemCallError) { return try directory.identity() == nil } catch {
      throw KeepingError(.unreadable, directory.path, error)
    }
  }

  /// Replaces the file, if it is the known one or there is none.
  ///
  /// - Returns: What another program has put there meanwhile; nothing is written then.
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

  /// Moves a file out of the way that was found, if it is still there.
  ///
  /// - Throws: `.notSetAside`, and then nothing was moved.
  /// - Returns: Its new name; `nil` when it is not there any more.
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
        .notSetAside, directory.path, "a hundred files beside it were set aside; look at them")
    }
  }

  /// Closes everything.
  mutating func close() {
    (directory, known) = (nil, nil)
  }

  /// The file, unless it is missing or known.
  private func readUnlessKnown(in directory: KeptDirectory) throws(KeepingError) -> FileSnapshot? {
    do throws(SystemCallError) {
      let identity = try directory.identity()
      if identity == nil || identity == known?.identity { return nil }
      return try directory.read(limit: limit)
    } catch { throw KeepingError(.unreadable, directory.path, error) }
  }

  private mutating func openDirectory() throws(KeepingError) -> KeptDirectory {
    // One that somebody has removed is made anew.
    if let directory, !directory.wasRemoved() { return directory }
    guard let name = FileName(name) else {
      throw KeepingError(.badName, name, "not a name for a file")
    }
    guard let path = location.path(in: .current) else {
      throw KeepingError(.noDirectory, name.file, "no home directory is known, and no other place")
    }
    let directory = try KeptDirectory(name, at: path)
    self.directory = directory
    shownPath.text = directory.path
    return directory
  }
}

/// The path of a kept file, which can be asked for while the file waits for its lock.
final class KeptPath: Sendable {
  private let path: Mutex<String>

  /// - Parameter name: The name of the file, which stands for the path until that is known.
  init(_ name: String) {
    path = Mutex(name)
  }

  /// The path of the file, or its name while the path is not known.
  var text: String {
    get { path.withLock { $0 } }
    set { path.withLock { $0 = newValue } }
  }
}
