internal import AccessModel

/// How much a process has written in all, as its `io` file says (proc_pid_io(5)).
enum WrittenBytes {
  private static let key = Array("wchar: ".utf8)

  /// - Parameter folder: The folder of the process below `/proc`.
  /// - Returns: What write(2) and its like took of it, in bytes; `nil` where that is not told.
  static func read(in folder: Int32) -> UInt64? {
    guard let file = try? BoundedFile.read("io", in: folder, limit: 4096) else { return nil }
    for line in file.bytes.split(separator: ByteScanner.newline) where line.starts(with: key) {
      return UInt64(String(decoding: line.dropFirst(key.count), as: UTF8.self))
    }
    return nil
  }
}
