internal import JSONText

/// The header fields of a request or a response.
///
/// The names of fields are not case-sensitive.
///
/// Printed output omits values that may be secret: the values of `Authorization`, `Cookie`, and all
/// other fields whose names contain a word such as *token*, *key* or *secret*. In other values, it
/// omits everything from the first question mark onward, because a value can be a URL with a query.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  private var fields: [(name: String, value: String)] = []

  /// Creates an empty collection of fields.
  public init() {}

  /// Creates a collection from names and values.
  ///
  /// If several fields have the same name, the last one is used.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of the field with the given name, or `nil` if there is none.
  ///
  /// Setting `nil` removes the field.
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

  /// The names of the fields, in the order in which they were first set.
  public var names: [String] { fields.map(\.name) }

  /// Returns these fields merged with other fields.
  ///
  /// The other fields replace fields with the same name.
  func merging(_ others: HTTPHeaders) -> HTTPHeaders {
    others.fields.reduce(into: self) { $0[$1.name] = $1.value }
  }

  /// The fields, except those that may be secret.
  var withoutSecrets: HTTPHeaders {
    var result = self
    result.fields.removeAll { Self.isSecret($0.name) }
    return result
  }

  /// Returns a Boolean value that indicates whether a field with this name may be secret.
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

  /// Returns a Boolean value that indicates whether two collections have the same fields,
  /// regardless of their order and the case of their names.
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.normalized == right.normalized
  }

  /// Hashes the fields.
  public func hash(into hasher: inout Hasher) { hasher.combine(normalized) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private var printable: [(String, String)] {
    fields.map { field in
      // The value may be a URL with a secret in its query.
      let value = field.value.unicodeScalars
      let open = Self.isSecret(field.name) ? value.prefix(0) : value.prefix { $0 != "?" }
      let rest = open.endIndex < value.endIndex ? "…" : ""
      return (JSONQuotes.escaped(field.name), JSONQuotes.escaped(String(open)) + rest)
    }
  }

  /// A one-line description of the fields, without secrets or control characters.
  public var description: String {
    printable.map { "\($0): \($1)" }.joined(separator: ", ")
  }

  /// The same as ``description``, in brackets.
  public var debugDescription: String { "[\(description)]" }

  /// A mirror that shows the fields without secrets, for `dump` and change logs.
  public var customMirror: Mirror {
    let children = printable.map { field -> Mirror.Child in (field.0, field.1) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

/// An HTTP method.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
  /// The name as it is sent, such as `GET`.
  public let name: String

  /// Creates a method with the given name.
  ///
  /// If the name is not valid in HTTP, a request with the method fails with
  /// ``EndpointError/Code/invalidRequest``.
  public init(_ name: String) {
    self.name = name
  }

  /// Reads a resource.
  public static let get = HTTPMethod("GET")
  /// Requests the header fields of a resource, without its body.
  public static let head = HTTPMethod("HEAD")
  /// Submits data.
  ///
  /// Repeating the request may repeat its effect.
  public static let post = HTTPMethod("POST")
  /// Replaces a resource with the request body.
  public static let put = HTTPMethod("PUT")
  /// Changes a part of a resource.
  public static let patch = HTTPMethod("PATCH")
  /// Deletes a resource.
  public static let delete = HTTPMethod("DELETE")
  /// Requests the methods that a resource supports.
  public static let options = HTTPMethod("OPTIONS")

  /// A Boolean value that indicates whether sending a request with this method several times has
  /// the same effect as sending it once.
  var isIdempotent: Bool {
    [.get, .head, .put, .delete, .options].contains(self)
  }

  /// A Boolean value that indicates whether a request with this method can have a body.
  var allowsBody: Bool { self != .get && self != .head }

  /// The name, with control characters escaped.
  public var description: String { JSONQuotes.escaped(name) }
}

/// The syntax rules for names and values in HTTP.
enum HTTPSyntax {
  /// Returns a Boolean value that indicates whether a string is a valid name for a method or a
  /// header field (RFC 9110, section 5.6.2).
  ///
  /// Names of more than 256 bytes are rejected as well.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256 && text.utf8.allSatisfy(isNameByte)
  }

  /// Returns a Boolean value that indicates whether a string is a valid value for a header field.
  ///
  /// Control characters other than tabs are rejected, because a line break would begin a new field
  /// or a new request. Values of more than 16,384 bytes are rejected as well.
  static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 16_384 && text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Returns a Boolean value that indicates whether a byte is an ASCII letter or digit.
  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
