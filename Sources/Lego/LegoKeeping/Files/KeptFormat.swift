package import FoundationEssentials
internal import JSONText

/// The versions of a kept value, and the migrations between them.
///
/// ```swift
/// KeptHistory(FirstSettings.self)
///   .then(Settings.self) { old in Settings(name: old.title, volume: 5) }
/// ```
///
/// By default, the first type is version 1, and each additional type increments the version. The
/// version is saved in the file. A file with an older version is decoded as the type of that
/// version, and the value then passes through all later migrations.
public struct KeptHistory<Value: Codable & Sendable>: Sendable {
  package typealias Reader = @Sendable (JSONDecoder, Data) throws -> Value

  package let first: Int
  package let readers: [Reader]

  /// Creates a history with one type.
  ///
  /// - Parameters:
  ///   - type: The oldest type that can still be read. If you add no further versions, values are
  ///     also saved as this type.
  ///   - version: The version of the type. If you have removed older types from the history, pass
  ///     the version that this type had before.
  public init(_ type: Value.Type = Value.self, version: Int = 1) {
    self.init(first: version, readers: [Self.read])
  }

  private init(first: Int, readers: [Reader]) {
    self.first = first
    self.readers = readers
  }

  /// Returns this history with the next version added.
  ///
  /// - Parameters:
  ///   - type: The type of the next version.
  ///   - migrate: Converts a value of the previous version. If it throws an error, the file is set
  ///     aside, and the error is reported.
  /// - Returns: The extended history.
  public func then<Next: Codable & Sendable>(
    _ type: Next.Type = Next.self, _ migrate: @escaping @Sendable (Value) throws -> Next
  ) -> KeptHistory<Next> {
    var readers = readers.map { read -> KeptHistory<Next>.Reader in
      { try migrate(read($0, $1)) }
    }
    readers.append(KeptHistory<Next>.read)
    return KeptHistory<Next>(first: first, readers: readers)
  }

  /// The current version, which is saved with each value.
  public var version: Int { first + readers.count - 1 }

  private static var read: Reader {
    { decoder, bytes in try decoder.decode(KeptDocument<Value>.self, from: bytes).value }
  }
}

/// Encodes and decodes the content of kept files.
struct KeptFormat<Value: Codable & Sendable>: Sendable {
  /// The result of decoding a file.
  enum Reading: Sendable {
    /// A decoded value, and whether it was saved in an older version of the format.
    case value(Value, isOlder: Bool)
    case newer(version: Int)
    case unreadable(String)
  }

  let history: KeptHistory<Value>

  /// Decodes the content of a file.
  func read(_ content: FileSnapshot.Content) -> Reading {
    switch content {
    case .unreadable(let reason): .unreadable(reason)
    case .bytes(let bytes): read(bytes)
    }
  }

  private func read(_ bytes: [UInt8]) -> Reading {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let version: Int
    do { version = try decoder.decode(KeptHeader.self, from: data).version } catch {
      return .unreadable("it is not a saved value: \(Self.clause(error))")
    }
    if version > history.version { return .newer(version: version) }
    guard version >= history.first else {
      return .unreadable("version \(version) is too old for this program")
    }
    do {
      let value = try history.readers[version - history.first](decoder, data)
      return .value(value, isOlder: version < history.version)
    } catch {
      return .unreadable("version \(version) cannot be read: \(Self.clause(error))")
    }
  }

  /// Encodes a value.
  ///
  /// - Throws: `.notEncodable` if the value cannot be encoded or is nested too deeply.
  func bytes(of value: Value, for path: String) throws(KeepingError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let bytes: [UInt8]
    do {
      let document = KeptDocument(version: history.version, value: value)
      bytes = try Array(encoder.encode(document)) + [UInt8(ascii: "\n")]
    } catch {
      throw KeepingError(.notEncodable, path, "it cannot be encoded: \(Self.clause(error))")
    }
    // The decoder rejects deeper nesting, and an unreadable file must not replace a readable one.
    guard JSONDepth.of(bytes) <= 512 else {
      throw KeepingError(.notEncodable, path, "it nests more than 512 levels deep")
    }
    return bytes
  }

  /// Returns a one-line description of an error, truncated if necessary.
  private static func clause(_ error: any Error) -> String {
    let text: String
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      text = place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context): text = context.debugDescription
    default: text = "\(error)"
    }
    return JSONQuotes.escaped(text, limit: 300)
  }
}

/// The content of a kept file: the version and the value.
struct KeptDocument<Value: Sendable>: Sendable {
  let version: Int
  let value: Value

  enum CodingKeys: String, CodingKey {
    case version, value
  }
}

extension KeptDocument: Encodable where Value: Encodable {}
extension KeptDocument: Decodable where Value: Decodable {}

/// The version of a kept file, which is decoded before the value.
struct KeptHeader: Decodable {
  let version: Int
}

/// Measures the nesting depth of JSON.
enum JSONDepth {
  /// Returns the nesting depth of valid JSON, such as the output of an encoder.
  static func of(_ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var (depth, deepest) = (0, 0)
      var isInside = false
      var index = 0
      while index < bytes.count {
        let byte = unsafe bytes[index]
        index += 1
        if isInside {
          if byte == UInt8(ascii: "\\") {
            index += 1
          } else if byte == UInt8(ascii: "\"") {
            isInside = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInside = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
      return deepest
    }
  }
}
