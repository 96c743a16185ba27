internal import Glibc

extension Descriptor {
  /// Reads a regular file to its end, or to a limit.
  borrowing func content(
    limit: Int, expecting size: Int
  ) throws(SystemFailure) -> FoundFile.Content {
    guard size <= limit else { return .unreadable("it has more than \(limit) bytes") }
    var bytes: [UInt8] = []
    // One byte more, so that the end is seen without another step.
    var step = size + 1
    while true {
      var failure: SystemFailure?
      let part = unsafe [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
        let result = unsafe read(number, buffer.baseAddress, step)
        if result < 0 { failure = .current("read") }
        count = max(result, 0)
      }
      if let failure {
        if failure.errno == EINTR { continue }
        if failure.isOfResources { throw failure }
        return .unreadable(failure.description)
      }
      if part.isEmpty { return .bytes(bytes) }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      if bytes.count > limit { return .unreadable("it has more than \(limit) bytes") }
      step = 65_536
    }
  }

  /// Writes all bytes.
  borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var written = 0
    while written < bytes.count {
      let rest = bytes[written...]
      let number = number
      written += try SystemFailure.check("write") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
    }
  }
}
