internal import AccessModel
internal import LinuxDevices

/// The URI of a chosen file, made from whatever bytes there are.
struct FuzzedFileURI {
  private let uri: String

  init(_ bytes: [UInt8]) { uri = String(decoding: bytes, as: UTF8.self) }

  /// Reads the URI, and once more one that is made of its path.
  ///
  /// - Returns: Whether it is the path of a file.
  func check() throws(BrokenPromise) -> Bool {
    guard let path = try? FileURI.path(uri) else { return false }
    let bytes = ByteText(path).bytes
    guard bytes.first == UInt8(ascii: "/") else { throw BrokenPromise("a path from nowhere") }
    guard bytes.count < 4096 else { throw BrokenPromise("a path that no system call takes") }
    guard !bytes.contains(0) else { throw BrokenPromise("a path with a NUL byte") }
    let escaped = bytes.map { byte in
      byte == UInt8(ascii: "/") ? "/" : "%" + String(UInt16(byte) + 0x100, radix: 16).dropFirst()
    }
    guard let again = try? FileURI.path("file://" + escaped.joined()), again == path else {
      throw BrokenPromise("a path whose URI does not mean the same")
    }
    return true
  }
}
