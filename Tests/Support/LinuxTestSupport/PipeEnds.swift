import Glibc

/// The ends of a pipe that no program inherits: one that another test starts would keep it open.
package enum PipeEnds {
  /// - Throws: `SystemError`.
  /// - Returns: Where to read and where to write; both are the caller's to close.
  package static func open() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try SystemError.check(unsafe pipe2(&ends, O_CLOEXEC), "pipe2")
    return (ends[0], ends[1])
  }
}

// Declared by glibc under _GNU_SOURCE alone.
@_silgen_name("pipe2") private func pipe2(
  _ ends: UnsafeMutablePointer<Int32>, _ flags: Int32
) -> Int32
