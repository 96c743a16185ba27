internal import JSONText

/// Encodes values as the bytes of secrets, and decodes them.
struct SecretCoding: Sendable {
  let format: SecretFormat

  /// The type of the stored bytes, for other programs that show them.
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

  /// The type of the bytes for a Swift type.
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

  /// Decodes a value, optionally without the trailing newline of text that was written by hand.
  func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: SecretBytes, strippingLineEnd stripsLineEnd: Bool
  ) throws(SecretFailure) -> Value {
    let value: Value?
    switch content(of: type) {
    case .text: value = text(bytes, stripsLineEnd) as? Value
    case .bytes: value = bytes.withBytes { $0 } as? Value
    // Decoding errors quote the content, so they are discarded.
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
  /// Secrets of any structure.
  ///
  /// Their size is limited to 1 MiB.
  fileprivate static let secret = JSONOptions(depth: 64, allowsNonFiniteNumbers: true)
}

/// The encoding of a value as the bytes of a secret.
public struct SecretFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case automatic
    case json
  }

  let kind: Kind

  /// A `String` is stored as its text in UTF-8, `[UInt8]` as its bytes, and every other type as
  /// JSON.
  ///
  /// A `String` can therefore read text that users and other programs write, such as a password in
  /// a file.
  public static let automatic = SecretFormat(kind: .automatic)

  /// Every type is stored as JSON, also `String`.
  public static let json = SecretFormat(kind: .json)
}
