import Glibc

/// Creates pipes that programs started by other tests do not inherit and keep open.
package enum PipeEnds {
  /// Creates a pipe.
  ///
  /// - Throws: `SystemError`.
  /// - Returns: The descriptors for reading and writing, which the caller must close.
  package static func open() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try SystemError.check(unsafe pipe2(&ends, O_CLOEXEC), "pipe2")
    return (ends[0], ends[1])
  }
}

// glibc declares this function only with _GNU_SOURCE.
@_silgen_name("pipe2") private func pipe2(
  _ ends: UnsafeMutablePointer<Int32>, _ flags: Int32
) -> Int32
