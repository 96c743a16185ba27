import Glibc
import LinuxTestSupport

/// A file with given contents, which is removed when the value is deallocated.
final class TemporaryFile {
  let path: String

  init(_ contents: [UInt8] = []) throws {
    var template = Array("/tmp/\(TestName.prefix)XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw TestFailure(description: "mkstemp failed: \(errno)") }
    defer { close(descriptor) }
    path = String(
      decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    var rest = contents[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      guard written > 0 else { throw TestFailure(description: "write failed: \(errno)") }
      rest = rest.dropFirst(written)
    }
  }

  convenience init(_ text: String) throws {
    try self.init(Array(text.utf8))
  }

  deinit { unsafe unlink(path) }

  /// Returns a read-only descriptor for the file, which the caller must close.
  func open() throws -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure(description: "open failed: \(errno)") }
    return descriptor
  }

  /// Returns the current contents of the file.
  func contents() throws -> String {
    try Repository.read(path: path)
  }
}

/// The reason why a test could not be prepared.
struct TestFailure: Error, CustomStringConvertible {
  var description: String
}
