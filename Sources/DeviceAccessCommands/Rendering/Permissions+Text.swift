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

  /// What somebody wants, such as `read and write`.
  func phrase(for type: FileType? = nil) -> String {
    let words = words(for: type)
    guard let last = words.last else { return "nothing" }
    return words.count == 1
      ? last : words.dropLast().joined(separator: ", ") + " and " + last
  }
}
