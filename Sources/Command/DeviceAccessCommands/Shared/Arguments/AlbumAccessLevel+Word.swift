internal import DevicePermissions

extension AlbumAccessLevel {
  /// The word for the level as a value of `--access`.
  var word: String {
    switch self {
    case .addOnly: "add"
    case .readWrite: "read-write"
    }
  }

  /// Creates a level from its word; returns `nil` if no level has this word.
  init?(word: String) {
    guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = level
  }
}
