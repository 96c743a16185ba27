internal import AccessModel

extension Permissions {
  /// Words in a fixed order; `search` for the third bit of a directory, and where nothing exists.
  func words(for type: FileType?) -> [String] {
    var words: [String] = []
    if contains(.read) { words.append("read") }
    if contains(.write) { words.append("write") }
    if contains(.execute) { words.append(type == nil || type == .directory ? "search" : "execute") }
    return words
  }
}
