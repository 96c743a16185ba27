/// Comparison and splitting of text by bytes, as in the kernel.
///
/// Swift combines a character and a following combining mark into one character, and treats two
/// encodings of the same letter as equal.
extension StringProtocol {
  /// Returns whether another text has the same bytes.
  package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Returns whether the bytes of this text start with the bytes of another text.
  package func begins(with other: some StringProtocol) -> Bool { utf8.starts(with: other.utf8) }

  /// Splits the text at each occurrence of an ASCII character.
  ///
  /// - Parameters:
  ///   - sign: The ASCII character to split at.
  ///   - omittingEmpty: Whether to omit empty parts.
  /// - Returns: The parts, without the separators.
  package func parts(
    at sign: Unicode.Scalar, omittingEmpty: Bool = true
  ) -> [Substring] {
    Substring(self).utf8
      .split(separator: UInt8(ascii: sign), omittingEmptySubsequences: omittingEmpty)
      .map { Substring($0) }
  }
}

extension String {
  /// Returns whether this canonical path is below a directory other than `/`.
  package func isBelow(_ directory: String) -> Bool {
    let (path, above) = (utf8Span.span, directory.utf8Span.span)
    guard path.count > above.count, path[above.count] == UInt8(ascii: "/") else { return false }
    return above.indices.allSatisfy { path[$0] == above[$0] }
  }

  /// Returns whether this canonical path is the given directory, or is below it.
  ///
  /// If the directory is `/`, only `/` itself matches.
  package func isAtOrBelow(_ directory: String) -> Bool {
    isBelow(directory) || isSame(as: directory)
  }
}
