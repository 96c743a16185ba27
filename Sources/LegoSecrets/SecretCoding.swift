internal import JSONText

/// Turns values into the bytes of secrets, and back.
struct SecretCoding: Sendable {
  let format: SecretFormat

  /// What stored bytes are, for people who look at them with other programs.
  enum Content {
    case text
    case bytes
    case json

    /// The content type.
    var mediaType: String {
      switch self {
      case .text: "text/plain; charset=utf8"
      case .bytes: "application/octet-stream"
      case .json: "application/json"
      }
    }
  }

  /// What the bytes of a type are.
  func content(of type: (some Any).Type) -> Content {
    guard format == .automatic else { return .json }
    if type == String.self { return .text }
    return type == [UInt8].self ? .bytes : .json
  }

  func encode<Value: Encodable>(_ value: Value) throws(SecretFailure) -> SecretBytes {
    let bytes: SecretBytes
    switch (content(of: Value.self), value) {
    case (.text, let text as String): bytes = SecretBytes(Array(text.utf8))
    case (.bytes, let list as [UInt8]): bytes = SecretBytes(list)
    default: bytes = try json(value)
    }
    guard bytes.count <= SecretBytes.limit else {
      throw SecretFailure(.badSize, "it has \(bytes.count) bytes, and at most 1 MiB is kept")
    }
    return bytes
  }

  /// Turns bytes into a value; a text that a person may have written can end with a line end that is
  /// not part of it.
  func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: SecretBytes, strippingLineEnd stripsLineEnd: Bool
  ) throws(SecretFailure) -> Value {
    let value: Value?
    switch content(of: type) {
    case .text: value = text(bytes, stripsLineEnd) as? Value
    case .bytes: value = bytes.withBytes { $0 } as? Value
    // Errors of decoding quote what they found.
    case .json: value = bytes.withBytes { try? JSONReader.decode(type, from: $0, options: .secret) }
    }
    guard let value else {
      throw SecretFailure(
        .notDecodable, "holds a secret of that name that is not \(describe(type))")
    }
    return value
  }

  private func json(_ value: some Encodable) throws(SecretFailure) -> SecretBytes {
    guard let text = try? JSONWriter.encode(value, options: .secret) else {
      throw SecretFailure(.notEncodable, "it cannot be written as JSON")
    }
    return SecretBytes(Array(text.utf8))
  }

  private func text(_ bytes: SecretBytes, _ stripsLineEnd: Bool) -> String? {
    bytes.withBytes { bytes in
      let end = bytes.last == UInt8(ascii: "\n") && stripsLineEnd ? bytes.count - 1 : bytes.count
      return String(validating: bytes[..<end], as: UTF8.self)
    }
  }

  private func describe(_ type: (some Any).Type) -> String {
    switch content(of: type) {
    case .text: "text in UTF-8"
    case .bytes: "bytes"
    case .json: "the JSON of \(type)"
    }
  }
}

extension JSONOptions {
  /// Secrets of any shape; what is stored is at most 1 MiB.
  fileprivate static let secret = JSONOptions(depth: 64, allowsNonFiniteNumbers: true)
}

/// How a value becomes the bytes of a secret.
public struct SecretFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case automatic
    case json
  }

  let kind: Kind

  /// A `String` is its text in UTF-8, `[UInt8]` is its bytes, and every other type is JSON.
  ///
  /// So a `String` reads what people and other programs write: a password in a file, for example.
  public static let automatic = SecretFormat(kind: .automatic)

  /// Every type is JSON, a `String` too.
  public static let json = SecretFormat(kind: .json)
}
