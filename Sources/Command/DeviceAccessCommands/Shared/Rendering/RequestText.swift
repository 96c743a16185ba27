internal import AccessModel

/// Describes the requested access.
struct RequestText: Sendable {
  let explanation: Explanation
  let facts: AccessFacts

  /// The type of the object; `nil` if it does not exist.
  var type: FileType? {
    let type = facts.access.object(at: explanation.path)?.type
    // A path with a trailing slash can only name a directory.
    return type != nil && explanation.path.utf8.last == UInt8(ascii: "/") ? .directory : type
  }

  /// The requested access as words in a fixed order, such as `read` and `write`.
  var words: [String] {
    let request = facts.access.request
    // Finding the type takes a path lookup, so do it only if the words depend on it.
    let type = request.creates || explanation.wanted.contains(.execute) ? type : nil
    if request.creates, type == nil { return ["create"] }
    let words = explanation.wanted.words(for: type)
    guard request.appends else { return words }
    return words.map { $0 == "write" ? "append" : $0 }
  }

  /// The requested access as one phrase, such as `read and write`; `nil` for none.
  private var list: String? {
    words.isEmpty ? nil : words.listed()
  }

  /// Returns the requested access and its object, such as `read and write access to /dev/video0`.
  func phrase(_ object: String) -> String {
    guard let list else { return "no access to \(object)" }
    return list == "create" ? "\(list) \(object)" : "\(list) access to \(object)"
  }

  /// Returns a missing object and the requested access, such as `/dev/video0 (read and write)`.
  func missing(_ object: String) -> String { object + (list.map { " (\($0))" } ?? "") }
}

extension Request {
  /// A Boolean value that indicates whether the request is an open(2) with `O_APPEND`.
  fileprivate var appends: Bool {
    if case .open(_, let flags) = self { flags.contains(.append) } else { false }
  }
}

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
