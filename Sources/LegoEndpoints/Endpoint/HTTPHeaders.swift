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

  /// These fields, with others, which replace those of the same name.
  func merging(_ others: HTTPHeaders) -> HTTPHeaders {
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

/// What a request asks the server to do.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
  /// The method as it is sent, such as `GET`.
  public let name: String

  /// Creates any method; a name that is not one of HTTP fails when it is sent.
  public init(_ name: String) {
    self.name = name
  }

  /// Reads.
  public static let get = HTTPMethod("GET")
  /// Reads only the header.
  public static let head = HTTPMethod("HEAD")
  /// Does what the path says; a second time does it again.
  public static let post = HTTPMethod("POST")
  /// Puts the body in the place of what was there.
  public static let put = HTTPMethod("PUT")
  /// Changes a part of what is there.
  public static let patch = HTTPMethod("PATCH")
  /// Removes.
  public static let delete = HTTPMethod("DELETE")
  /// Asks what may be done.
  public static let options = HTTPMethod("OPTIONS")

  /// Whether sending it twice does the same as sending it once.
  var isIdempotent: Bool {
    [.get, .head, .put, .delete, .options].contains(self)
  }

  /// Whether its requests may have a body.
  var allowsBody: Bool { self != .get && self != .head }

  /// The name, with control characters escaped.
  public var description: String { JSONQuotes.escaped(name) }
}

/// What HTTP allows in names and values.
enum HTTPSyntax {
  /// Whether a text can be the name of a method or of a header field (RFC 9110, section 5.6.2).
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256 && text.utf8.allSatisfy(isNameByte)
  }

  /// Whether a text can be the value of a header field.
  ///
  /// A line break in a value would begin another field, or another request.
  static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 16_384 && text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether it is a letter or a digit of ASCII.
  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
