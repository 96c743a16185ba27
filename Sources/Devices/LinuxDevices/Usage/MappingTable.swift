internal import AccessModel
internal import Glibc

/// Parses the lines of `/proc/PID/maps` that map a file (proc_pid_maps(5)).
struct MappingTable {
  /// A mapping of a file.
  struct Mapping: Hashable, Sendable {
    var file: FileIdentity
    /// The address range, such as `7f0000000000-7f0000001000`, which is also its name in
    /// `map_files`.
    var range: String
    /// A Boolean value that indicates whether the mapping is shared.
    var isShared: Bool
    /// The path of the file as the process sees it; `nil` if the table contains no path.
    var path: String?
  }

  /// Parses complete lines, and calls a closure with each mapping that is not skipped.
  ///
  /// Most mappings are of the same libraries in every process, so few remain.
  ///
  /// - Parameters:
  ///   - bytes: The lines; the last one may be incomplete.
  ///   - isSharedOnly: Whether to skip all mappings that are not shared.
  ///   - passes: Returns whether to skip a mapping, given its file and whether it is shared.
  ///   - body: Receives a mapping.
  /// - Returns: The total size of the complete lines in bytes.
  static func read(
    _ bytes: Span<UInt8>, sharedOnly isSharedOnly: Bool = false,
    _ passes: (FileIdentity, _ isShared: Bool) -> Bool, _ body: (Mapping) -> Void
  ) -> Int {
    var start = 0
    // The mappings of one library are adjacent.
    var passed: (file: FileIdentity, isShared: Bool)?
    while let end = lineEnd(in: bytes, from: start) {
      let line = start..<end
      start = end + 1
      guard let (file, isShared) = identity(in: bytes, line, sharedOnly: isSharedOnly) else {
        continue
      }
      if let passed, passed.file == file, passed.isShared == isShared { continue }
      if passes(file, isShared) {
        passed = (file, isShared)
      } else if let mapping = mapping(in: bytes, line, file) {
        body(mapping)
      }
    }
    return start
  }

  /// Returns the end of the line that starts at an offset; `nil` if the line has no end.
  ///
  /// Little else is read from most lines, so the speed of memchr(3) matters.
  private static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      let end = unsafe memchr(base + start, Int32(ByteScanner.newline), bytes.count - start)
      return unsafe end.map { unsafe base.distance(to: $0) }
    }
  }

  /// Returns the file of a line, and whether the mapping is shared.
  ///
  /// Returns `nil` for a mapping without a file, for a malformed line, and for a private mapping if
  /// only shared ones count.
  private static func identity(
    in bytes: Span<UInt8>, _ line: Range<Int>, sharedOnly isSharedOnly: Bool
  ) -> (file: FileIdentity, isShared: Bool)? {
    // 7f00-7f01 rw-s 00000000 00:06 123                /dev/video0
    var index = line.lowerBound
    var isShared = false
    for word in 0..<3 {
      while index < line.upperBound, bytes[index] != ByteScanner.space { index += 1 }
      if word == 1 {
        isShared = bytes[index - 1] == UInt8(ascii: "s")
        if isSharedOnly, !isShared { return nil }
      }
      index += 1
    }
    var major: UInt64 = 0
    var minor: UInt64 = 0
    var inode: UInt64 = 0
    guard take(&major, radix: 16, in: bytes, &index, line.upperBound),
      index < line.upperBound, bytes[index] == UInt8(ascii: ":")
    else { return nil }
    index += 1
    guard take(&minor, radix: 16, in: bytes, &index, line.upperBound),
      index < line.upperBound, bytes[index] == ByteScanner.space
    else { return nil }
    index += 1
    guard take(&inode, radix: 10, in: bytes, &index, line.upperBound), inode != 0,
      let major = UInt32(exactly: major), let minor = UInt32(exactly: minor)
    else { return nil }
    let filesystem = DeviceNumber(major: major, minor: minor)
    return (FileIdentity(filesystem: filesystem, inode: inode), isShared)
  }

  private static func take(
    _ value: inout UInt64, radix: UInt64, in bytes: Span<UInt8>, _ index: inout Int, _ end: Int
  ) -> Bool {
    let start = index
    while index < end {
      let byte = bytes[index]
      let digit: UInt64
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a")) + 10
      default: return index > start
      }
      guard digit < radix else { return index > start }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(digit)
      guard !overflow, !carry else { return false }
      value = sum
      index += 1
    }
    return index > start
  }

  private static func mapping(
    in bytes: Span<UInt8>, _ line: Range<Int>, _ file: FileIdentity
  ) -> Mapping? {
    let text = line.map { bytes[$0] }
    let words = text.split(
      separator: ByteScanner.space, maxSplits: 5, omittingEmptySubsequences: true)
    guard words.count >= 5, words[1].count == 4 else { return nil }
    var path: String?
    if words.count == 6 {
      let word = words[5].drop { $0 == ByteScanner.space }
      if word.first == UInt8(ascii: "/") { path = ByteText(bytes: word.prefix(4096)).text }
    }
    return Mapping(
      file: file, range: String(decoding: words[0].prefix(64), as: UTF8.self),
      isShared: words[1].last == UInt8(ascii: "s"), path: path)
  }
}
