internal import AccessModel

/// What pictures are to be called: `IMG 1.png`, `IMG 2.png` and so on.
public struct PictureName: Hashable, Sendable {
  /// What stands before the number, such as `IMG`.
  public let base: String
  /// What stands after it and a dot, such as `png`; empty for a name without a dot.
  public let suffix: String
  /// What stands between the base and the number.
  public let separator: String

  /// The most numbers that are tried.
  public static let mostNumbers = 1_000_000
  /// The longest name of a file in bytes (`NAME_MAX`).
  static let longest = 255

  /// Creates a name, of which every number has to be one that a file can have.
  ///
  /// - Parameters:
  ///   - base: What stands before the number; not empty, and without a dot at its beginning, which
  ///     would hide the picture.
  ///   - suffix: What stands after the number and a dot.
  ///   - separator: What stands between the base and the number.
  /// - Throws: `invalidName` for a slash or a NUL byte in any part, and for more than 255 bytes with
  ///   the greatest number.
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
      guard !part.utf8.contains(UInt8(ascii: "/")) else { throw invalid("it holds a slash") }
      guard !part.utf8.contains(0) else { throw invalid("it contains a NUL byte") }
    }
    guard ByteText(file(Self.mostNumbers)).byteCount <= Self.longest else {
      throw invalid("it is longer than \(Self.longest) bytes with its number")
    }
  }

  /// The name of the file with a number.
  func file(_ number: Int) -> String {
    "\(base)\(separator)\(number)\(suffix.isEmpty ? "" : ".")\(suffix)"
  }
}
