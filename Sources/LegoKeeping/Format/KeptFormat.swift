internal import FoundationEssentials
internal import JSONText

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
  func read(_ content: FoundFile.Content) -> Reading {
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
