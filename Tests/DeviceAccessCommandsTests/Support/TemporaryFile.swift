import Glibc
import LinuxTestSupport

/// A file with given contents, gone when the value goes.
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

  /// A read-only descriptor on the file; the caller closes it.
  func open() throws -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure(description: "open failed: \(errno)") }
    return descriptor
  }

  /// What the file holds now.
  func contents() throws -> String {
    try Repository.read(path: path)
  }
}

/// Why a test could not do what it wanted to.
struct TestFailure: Error, CustomStringConvertible {
  var description: String
}
