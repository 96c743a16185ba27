internal import AccessModel
internal import Glibc

/// The lines of `/proc/PID/maps` that map a file (proc_pid_maps(5)).
struct MappingTable {
  /// One mapping of a file.
  struct Mapping: Hashable, Sendable {
    var file: FileIdentity
    /// Its addresses, such as `7f0000000000-7f0000001000`: its name in `map_files`.
    var range: String
    /// Whether writing to it would reach the file.
    var isShared: Bool
    /// The path of the file, as the process sees it; `nil` where it is not a path.
    var path: String?
  }

  /// Reads whole lines, and hands over each mapping that is not passed over.
  ///
  /// Most mappings are of the same libraries in every process, so that little is left to look at.
  ///
  /// - Parameters:
  ///   - bytes: Lines, of which the last may be cut off.
  ///   - isSharedOnly: Whether every mapping that is not shared is passed over.
  ///   - passes: Whether to pass over a mapping, by its file and whether it is shared.
  ///   - body: Takes one mapping.
  /// - Returns: How many bytes were whole lines.
  static func read(
    _ bytes: Span<UInt8>, sharedOnly isSharedOnly: Bool = false,
    _ passes: (FileIdentity, _ isShared: Bool) -> Bool, _ body: (Mapping) -> Void
  ) -> Int {
    var start = 0
    // The mappings of one library follow each other.
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

  /// Where the line that begins at a place ends, by memchr(3): of most lines little else is read.
  private static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      let end = unsafe memchr(base + start, Int32(ByteScanner.newline), bytes.count - start)
      return unsafe end.map { unsafe base.distance(to: $0) }
    }
  }

  /// The file of a line, and whether it is shared; `nil` for memory without a file, for a line that
  /// is none, and for one that is not shared where only those count.
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
