internal import AccessModel

/// A pattern for the file names of pictures: `IMG 1.png`, `IMG 2.png` and so on.
public struct PictureName: Hashable, Sendable {
  /// The text before the number, such as `IMG`.
  public let base: String
  /// The text after the number and a dot, such as `png`; empty for a name without a dot.
  public let suffix: String
  /// The text between the base and the number.
  public let separator: String

  /// The highest number to try.
  public static let mostNumbers = 1_000_000
  /// The maximum length of a file name in bytes (`NAME_MAX`).
  static let longest = 255

  /// Creates a pattern whose file names are valid for every number.
  ///
  /// - Parameters:
  ///   - base: The text before the number. It must not be empty or start with a dot, which would
  ///     hide the picture.
  ///   - suffix: The text after the number and a dot.
  ///   - separator: The text between the base and the number.
  /// - Throws: `invalidName` if `base` is empty or starts with a dot, if any part contains a slash
  ///   or a NUL byte, or if the name with the highest number is longer than 255 bytes.
  public init(
    _ base: String, suffix: String, separator: String = " "
  ) throws(AlbumError) {
    self.base = base
    self.suffix = suffix
    self.separator = separator
    func invalid(_ reason: String) -> AlbumError {
      AlbumError(.invalidName, at: base, "invalid picture name: \(reason)")
    }
    guard !base.isEmpty else { throw invalid("the name is empty") }
    guard base.utf8.first != UInt8(ascii: ".") else { throw invalid("it begins with a dot") }
    for part in [base, suffix, separator] {
      guard !part.utf8.contains(UInt8(ascii: "/")) else { throw invalid("it contains a slash") }
      guard !part.utf8.contains(0) else { throw invalid("it contains a NUL byte") }
    }
    guard ByteText(file(Self.mostNumbers)).byteCount <= Self.longest else {
      throw invalid("it is longer than \(Self.longest) bytes with its number")
    }
  }

  /// Returns the file name with the given number.
  func file(_ number: Int) -> String {
    "\(base)\(separator)\(number)\(suffix.isEmpty ? "" : ".")\(suffix)"
  }
}
