internal import JSONText

/// Converts between values and the bytes of secrets.
struct SecretCoding: Sendable {
  let format: SecretFormat

  /// The kind of content in the stored bytes, which tells other programs how to display them.
  enum Content {
    case text
    case bytes
    case json

    /// The media type, such as `text/plain`.
    var mediaType: String {
      switch self {
      case .text: "text/plain; charset=utf8"
      case .bytes: "application/octet-stream"
      case .json: "application/json"
      }
    }
  }

  /// Returns the kind of content that represents values of the given type.
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
      throw SecretFailure(.badSize, "it has \(bytes.count) bytes; the maximum is 1 MiB")
    }
    return bytes
  }

  /// Decodes a value from the bytes of a secret.
  ///
  /// If `stripsLineEnd` is `true`, a trailing newline is removed from text, because text that was
  /// written by hand usually has one.
  func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: SecretBytes, strippingLineEnd stripsLineEnd: Bool
  ) throws(SecretFailure) -> Value {
    let value: Value?
    switch content(of: type) {
    case .text: value = text(bytes, stripsLineEnd) as? Value
    case .bytes: value = bytes.withBytes { $0 } as? Value
    // Decoding errors may quote the secret, so they are discarded.
    case .json: value = bytes.withBytes { try? JSONReader.decode(type, from: $0, options: .secret) }
    }
    guard let value else {
      throw SecretFailure(
        .notDecodable, "has a secret with that name that is not \(describe(type))")
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
  /// The JSON options for secrets, which allow 64 levels of nesting and non-finite numbers.
  fileprivate static let secret = JSONOptions(depth: 64, allowsNonFiniteNumbers: true)
}

/// The format in which a value is stored as a secret.
public struct SecretFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case automatic
    case json
  }

  let kind: Kind

  /// Stores a `String` as UTF-8 text, `[UInt8]` as raw bytes, and every other type as JSON.
  ///
  /// You can therefore read text that users or other programs have written, such as a password in a
  /// file, as a `String`.
  public static let automatic = SecretFormat(kind: .automatic)

  /// Stores every type as JSON, including `String` and `[UInt8]`.
  public static let json = SecretFormat(kind: .json)
}
