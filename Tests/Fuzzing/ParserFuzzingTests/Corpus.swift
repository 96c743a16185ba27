import Foundation

/// The inputs that stand in the repository.
enum Corpus {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

  /// The names of the folders, one a parser.
  static func folders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path()).sorted()
  }

  /// The inputs for a parser.
  static func inputs(for parser: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: parser), includingPropertiesForKeys: nil
    ).sorted { $0.path() < $1.path() }
  }
}
