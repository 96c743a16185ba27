internal import JSONText

/// The header fields of a request or a response; the case of their names does not matter.
///
/// Where they are printed, values that may be secret are left out: those of `Authorization` and
/// `Cookie`, those of all names that hold a word such as *token*, *key* or *secret*, and whatever
/// follows a question mark.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  private var fields: [(name: String, value: String)] = []

  /// No fields.
  public init() {}

  /// Fields from names and values; a later one replaces an earlier one of the same name.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field, or `nil` when there is none; setting `nil` removes it.
  public subscript(name: String) -> String? {
    get { position(of: name).map { fields[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let index?, let value?): fields[index] = (name, value)
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// The names, in the order in which they were set.
  public var names: [String] { fields.map(\.name) }

  /// Whether there is none.
  public var isEmpty: Bool { fields.isEmpty }

  /// These fields, with others, which replace those of the same name.
  public func merging(_ others: HTTPHeaders) -> HTTPHeaders {
    others.fields.reduce(into: self) { $0[$1.name] = $1.value }
  }

  /// These fields without those that may hold a secret.
  var withoutSecrets: HTTPHeaders {
    var result = self
    result.fields.removeAll { Self.isSecret($0.name) }
    return result
  }

  /// Whether the value of such a field may be a secret.
  static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return [
      "auth", "cookie", "token", "secret", "key", "password", "session", "signature", "credential",
    ].contains { name.contains($0) }
  }

  private func position(of name: String) -> Int? {
    let name = name.lowercased()
    return fields.firstIndex { $0.name.lowercased() == name }
  }
}

extension HTTPHeaders: Hashable {
  private var normalized: [String: String] {
    Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { $1 }
  }

  /// Whether the same fields have the same values; order and case of names do not count.
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.normalized == right.normalized
  }

  /// Feeds the fields to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(normalized) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private var printable: [(String, String)] {
    fields.map { field in
      // An address may have a secret in its query.
      let value = field.value.unicodeScalars
      let open = Self.isSecret(field.name) ? value.prefix(0) : value.prefix { $0 != "?" }
      let rest = open.endIndex < value.endIndex ? "…" : ""
      return (JSONQuotes.escaped(field.name), JSONQuotes.escaped(String(open)) + rest)
    }
  }

  /// The fields as one line, without secrets and control characters.
  public var description: String {
    printable.map { "\($0): \($1)" }.joined(separator: ", ")
  }

  /// The same.
  public var debugDescription: String { "[\(description)]" }

  /// The fields without secrets, for `dump` and logs of changes.
  public var customMirror: Mirror {
    let children = printable.map { field -> Mirror.Child in (field.0, field.1) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
