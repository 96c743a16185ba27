internal import AccessModel

/// Functions for the path in a URI of the scheme `file` (RFC 8089).
package enum FileURI {
  /// The reason why a URI is not the path of a file.
  package enum Problem: String, Error {
    case tooLong = "it is too long for a path"
    case scheme = "it is not a URI of the scheme file"
    case host = "it names another host"
    case relative = "it has no absolute path"
    case query = "it has a query or a fragment"
    case escape = "it contains a malformed escape"
    case slash = "it contains an escaped slash"
    case null = "it contains a NUL byte"
    case control = "it contains a control character"

    /// The problem as a clause for a sentence.
    package var clause: String { rawValue }
  }

  /// The longest URI in bytes: a path with every byte escaped, and the prefix before it.
  package static let longest = 3 * AbsolutePath.longest + 64

  /// Returns the path of a URI.
  ///
  /// The path is not resolved or shortened. Escaped bytes need not be UTF-8.
  ///
  /// - Parameter uri: The URI.
  /// - Throws: The problem with the URI.
  /// - Returns: The absolute path.
  package static func path(_ uri: String) throws(Problem) -> String {
    guard uri.utf8.count <= longest else { throw .tooLong }
    var rest = Array(uri.utf8)[...]
    let scheme = rest.prefix(5).map(lowercase)
    guard scheme == Array("file:".utf8) else { throw .scheme }
    rest = rest.dropFirst(5)
    // Without an authority, the path follows directly (appendix B of the RFC).
    if rest.starts(with: [slash, slash]) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != slash }
      guard host.isEmpty || host.map(lowercase) == Array("localhost".utf8) else { throw .host }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == slash else { throw .relative }
    var path: [UInt8] = []
    path.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { throw .escape }
        let escaped = high << 4 | low
        if escaped == 0 { throw .null }
        // A name cannot contain a slash.
        if escaped == slash { throw .slash }
        path.append(escaped)
      case UInt8(ascii: "?"), UInt8(ascii: "#"): throw .query
      case 0: throw .null
      case 1..<0x20, 0x7F: throw .control
      default: path.append(byte)
      }
    }
    guard path.count < AbsolutePath.longest else { throw .tooLong }
    return ByteText(bytes: path).text
  }

  private static let slash = UInt8(ascii: "/")

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch lowercase(byte) {
    case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
      byte - UInt8(ascii: "0")
    case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte):
      byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
