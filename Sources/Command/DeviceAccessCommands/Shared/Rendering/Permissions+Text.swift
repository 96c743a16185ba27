internal import AccessModel

extension Permissions {
  /// Returns the permissions as words in a fixed order.
  ///
  /// For a directory, or without a type, execute permission is called `search`.
  func words(for type: FileType?) -> [String] {
    var words: [String] = []
    if contains(.read) { words.append("read") }
    if contains(.write) { words.append("write") }
    if contains(.execute) { words.append(type == nil || type == .directory ? "search" : "execute") }
    return words
  }
}
