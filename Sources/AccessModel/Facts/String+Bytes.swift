/// Text compared and split as the kernel does it, by bytes: to Swift a sign and a mark that follows are one
/// character, and two ways to write a letter are equal.
extension StringProtocol {
  /// Whether another text has the same bytes.
  package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether the bytes begin with those of another text.
  package func begins(with other: some StringProtocol) -> Bool { utf8.starts(with: other.utf8) }

  /// The texts between the places of a sign of ASCII.
  ///
  /// - Parameters:
  ///   - sign: The sign.
  ///   - omittingEmpty: Whether those that are empty are left out.
  /// - Returns: The texts.
  package func parts(
    at sign: Unicode.Scalar, omittingEmpty: Bool = true
  ) -> [Substring] {
    Substring(self).utf8
      .split(separator: UInt8(ascii: sign), omittingEmptySubsequences: omittingEmpty)
      .map { Substring($0) }
  }
}

extension String {
  /// Whether this canonical path is below a directory other than `/`.
  package func isBelow(_ directory: String) -> Bool {
    let (path, above) = (utf8Span.span, directory.utf8Span.span)
    guard path.count > above.count, path[above.count] == UInt8(ascii: "/") else { return false }
    return above.indices.allSatisfy { path[$0] == above[$0] }
  }

  /// Whether this canonical path is that of a directory, or below it and that is not `/`.
  package func isAtOrBelow(_ directory: String) -> Bool {
    isBelow(directory) || isSame(as: directory)
  }
}
