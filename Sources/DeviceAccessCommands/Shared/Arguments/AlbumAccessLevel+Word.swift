internal import DevicePermissions

extension AlbumAccessLevel {
  /// As the option `--access` takes it.
  var word: String {
    switch self {
    case .addOnly: "add"
    case .readWrite: "read-write"
    }
  }

  /// The level of a word; `nil` for any other word.
  init?(word: String) {
    guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = level
  }
}
