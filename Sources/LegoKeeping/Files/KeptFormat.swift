package import FoundationEssentials
internal import JSONText

/// The versions that a kept value has had, and how each becomes the next.
///
/// ```swift
/// KeptHistory(FirstSettings.self)
///   .then(Settings.self) { old in Settings(name: old.title, volume: 5) }
/// ```
///
/// The first type is version 1 unless told otherwise, and each further one counts up. A file says
/// its version. An older one is read as the type that it was, and goes through all later steps.
public struct KeptHistory<Value: Codable & Sendable>: Sendable {
  package typealias Reader = @Sendable (JSONDecoder, Data) throws -> Value

  package let first: Int
  package let readers: [Reader]

  /// Begins with a type.
  ///
  /// - Parameters:
  ///   - type: The oldest type that can still be read, which may be today's.
  ///   - version: Its version, when it is not the first any more.
  public init(_ type: Value.Type = Value.self, version: Int = 1) {
    self.init(first: version, readers: [Self.read])
  }

  private init(first: Int, readers: [Reader]) {
    self.first = first
    self.readers = readers
  }

  /// Adds the next version.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - migrate: Makes a value of it from one of the version before. When it throws, the file is
  ///     set aside and reported.
  /// - Returns: The longer history.
  public func then<Next: Codable & Sendable>(
    _ type: Next.Type = Next.self, _ migrate: @escaping @Sendable (Value) throws -> Next
  ) -> KeptHistory<Next> {
    var readers = readers.map { read -> KeptHistory<Next>.Reader in
      { try migrate(read($0, $1)) }
    }
    readers.append(KeptHistory<Next>.read)
    return KeptHistory<Next>(first: first, readers: readers)
  }

  /// The version that is written.
  public var version: Int { first + readers.count - 1 }

  private static var read: Reader {
    { decoder, bytes in try decoder.decode(KeptDocument<Value>.self, from: bytes).value }
  }
}

/// Turns values into the bytes of files, and back.
struct KeptFormat<Value: Codable & Sendable>: Sendable {
  /// What the bytes of a file are.
  enum Reading: Sendable {
    /// A value; an older version of the program wrote it, perhaps.
    case value(Value, isOlder: Bool)
    case newer(version: Int)
    case unreadable(String)
  }

  let history: KeptHistory<Value>

  /// Reads a file.
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
      return .unreadable("it is not a kept value: \(Self.clause(error))")
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

  /// Writes a value.
  ///
  /// - Throws: `.notEncodable`.
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
    // The decoder refuses more; what it cannot read must not take the place of what it can.
    guard JSONDepth.of(bytes) <= 512 else {
      throw KeepingError(.notEncodable, path, "it nests more than 512 levels deep")
    }
    return bytes
  }

  /// An error of any kind, of bounded length.
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

/// What a file holds: a version and the value.
struct KeptDocument<Value: Sendable>: Sendable {
  let version: Int
  let value: Value

  enum CodingKeys: String, CodingKey {
    case version, value
  }
}

extension KeptDocument: Encodable where Value: Encodable {}
extension KeptDocument: Decodable where Value: Decodable {}

/// The version alone, which is read first.
struct KeptHeader: Decodable {
  let version: Int
}

/// How deep a JSON text nests.
enum JSONDepth {
  /// The depth of a text that an encoder wrote.
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
