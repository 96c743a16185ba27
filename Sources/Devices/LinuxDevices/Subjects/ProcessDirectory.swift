internal import AccessModel
internal import Glibc

/// An open descriptor of a process's folder in `/proc`.
///
/// It always refers to the same process. After the process has ended, every access through the
/// folder fails with `ESRCH`, even if the process ID has been reused.
final class ProcessDirectory: Sendable {
  private let descriptor: Int32

  /// Opens the folder of a process.
  ///
  /// - Throws: `ENOENT` if the process does not exist, or another error of open(2).
  init(_ number: Int32, proc: String) throws(Errno) {
    descriptor = unsafe open("\(proc)/\(number)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .current }
  }

  deinit { close(descriptor) }

  /// A path to the open folder, independent of its name.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Returns the current credentials of the process, or `nil` if it has ended.
  ///
  /// A zombie counts as ended, because it no longer opens files.
  ///
  /// - Throws: The error that prevents reading the status of a process that has not ended.
  func status() throws(Errno) -> ThreadStatus? {
    let contents: BoundedFile.Contents
    do throws(Errno) {
      contents = try BoundedFile.read("\(path)/status", limit: 1 << 20)
    } catch {
      // The folder of a process that has ended is empty, or reading in it fails with ESRCH.
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
