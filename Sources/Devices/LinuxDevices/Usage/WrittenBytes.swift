internal import AccessModel

/// Reads the total number of bytes that a process has written, from its `io` file (proc_pid_io(5)).
enum WrittenBytes {
  private static let key = Array("wchar: ".utf8)

  /// Returns the number of bytes that write(2) and similar calls accepted.
  ///
  /// - Parameter folder: A descriptor of the process's folder in `/proc`.
  /// - Returns: The number, or `nil` if it is not available.
  static func read(in folder: Int32) -> UInt64? {
    guard let file = try? BoundedFile.read("io", in: folder, limit: 4096) else { return nil }
    for line in file.bytes.split(separator: ByteScanner.newline) where line.starts(with: key) {
      return UInt64(String(decoding: line.dropFirst(key.count), as: UTF8.self))
    }
    return nil
  }
}
