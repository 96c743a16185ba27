internal import AccessModel
internal import Glibc

/// The folder of a process below `/proc`, held open.
///
/// It stays that of the one process: once it has ended, every look into the folder fails
/// (`ESRCH`), also when its number has been given to another.
final class ProcessDirectory: Sendable {
  private let descriptor: Int32

  /// - Throws: `ENOENT` when there is no such process.
  init(_ number: Int32, proc: String) throws(Errno) {
    descriptor = unsafe open("\(proc)/\(number)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .current }
  }

  deinit { close(descriptor) }

  /// A path that leads through the open folder, whatever its own name is now.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Its credentials now; `nil` when it has ended.
  ///
  /// A zombie has: it opens nothing any more.
  ///
  /// - Throws: Any other error that keeps its status from being read.
  func status() throws(Errno) -> ThreadStatus? {
    let contents: BoundedFile.Contents
    do throws(Errno) {
      contents = try BoundedFile.read("\(path)/status", limit: 1 << 20)
    } catch {
      // The folder of a process that has ended is empty, or answers ESRCH.
      guard error == .noSuchProcess || error == .noSuchFile,
        SymbolicLink.target(of: path) != nil
      else { throw error }
      return nil
    }
    let state = Array("State:\t".utf8)
    let hasEnded = contents.bytes.split(separator: ByteScanner.newline).contains { line in
      guard line.starts(with: state), let letter = line.dropFirst(state.count).first else {
        return false
      }
      return letter == UInt8(ascii: "Z") || letter == UInt8(ascii: "X")
    }
    return hasEnded ? nil : ThreadStatus(parsing: contents.bytes)
  }
}
