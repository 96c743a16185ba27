internal import AccessModel
internal import JSONText

/// Recognizes files that contain neither snapshots nor cases.
enum ForeignInput {
  /// The members that only cases have.
  private static let membersOfCases: Set = ["sysctl", "mounts", "nodes", "subject", "request"]

  /// Returns the format that the beginning of a file indicates, such as `HTML`.
  ///
  /// - Parameters:
  ///   - bytes: The first line that is not blank, or the whole file.
  ///   - readsCases: `true` if the command reads cases, `false` if it reads snapshots.
  /// - Returns: The format; `nil` if the input may be a faulty snapshot or case, such as a JSON
  ///   object that ends too early.
  static func description(of bytes: [UInt8], readsCases: Bool) -> String? {
    let text = bytes.drop(while: isBlank)
    guard let first = text.first else { return "empty" }
    if let format = binaryFormat(of: bytes) { return format }
    switch first {
    case UInt8(ascii: "{"): return objectDescription(Array(text), readsCases: readsCases)
    case UInt8(ascii: "["): return "a JSON array"
    case UInt8(ascii: "<"): return markupLanguage(of: text)
    default: break
    }
    if (try? JSONReader.decode(JSONScalar.self, from: Array(text))) != nil { return "a JSON value" }
    if text.starts(with: "#!".utf8) { return "a script" }
    return isYAML(text) ? "YAML" : "plain text"
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  // MARK: - Formats

  private static func binaryFormat(of bytes: [UInt8]) -> String? {
    let beginnings: [([UInt8], String)] = [
      ([0x1F, 0x8B], "compressed (gzip)"), ([0x28, 0xB5, 0x2F, 0xFD], "compressed (zstd)"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed (xz)"),
      ([0x50, 0x4B, 0x03, 0x04], "a zip archive"),
      ([0xFF, 0xFE], "text in UTF-16"), ([0xFE, 0xFF], "text in UTF-16"),
    ]
    if let (_, name) = beginnings.first(where: { bytes.starts(with: $0.0) }) { return name }
    let hasControls = bytes.contains { $0 < 0x20 && !isBlank($0) && $0 != 0x1B }
    return hasControls || String(validating: bytes, as: UTF8.self) == nil ? "binary" : nil
  }

  private static func markupLanguage(of text: ArraySlice<UInt8>) -> String {
    let beginning = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
    return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html") ? "HTML" : "XML"
  }

  /// Returns whether the first line is a YAML marker, or a key with or without a value.
  private static func isYAML(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    if line.starts(with: "---".utf8) || line.starts(with: "%YAML".utf8) { return true }
    let key = line.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    let rest = line.dropFirst(key.count)
    guard !key.isEmpty, rest.first == UInt8(ascii: ":") else { return false }
    return rest.count == 1 || rest.dropFirst().first == UInt8(ascii: " ")
  }

  // MARK: - Objects

  private static func objectDescription(_ bytes: [UInt8], readsCases: Bool) -> String? {
    guard let object = try? JSONReader.decode(JSONObject.self, from: bytes) else {
      // This is the first line of indented JSON, but a case is always on one line.
      return readsCases
        && bytes.drop(while: isBlank).drop { $0 == UInt8(ascii: "{") }
          .allSatisfy(isBlank)
        ? "JSON on several lines" : nil
    }
    if object.format == AccessFacts.snapshotFormat {
      return readsCases ? "a snapshot, which 'devaccess explain --from' reads" : nil
    }
    if let command = object.command, object.schema == Schema.name {
      // The output of `snapshot --json` contains a snapshot.
      return command == .snapshot && !readsCases
        ? nil : "the answer of 'devaccess \(command.rawValue) --json'"
    }
    if !membersOfCases.isDisjoint(with: object.members) {
      return readsCases ? nil : "a case, which 'devaccess decide' reads"
    }
    guard !object.members.isEmpty, !readsCases || object.members != ["id"] else { return nil }
    let shown = object.members.prefix(3).map { "'\(Escaped($0, limit: 32))'" }
    return "a JSON object with " + shown.joined(separator: ", ")
      + (object.members.count > shown.count ? " and others" : "")
  }
}

/// The members of a JSON object that identify its format.
private struct JSONObject: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let members: [String]
  let format: String?
  let schema: String?
  let command: CommandName?

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func text(_ key: String) -> String? {
      try? values.decode(String.self, forKey: Key(stringValue: key))
    }
    members = values.allKeys.map(\.stringValue).sorted()
    format = text("format")
    schema = text("schema")
    command = text("command").flatMap(CommandName.init(rawValue:))
  }
}

/// A JSON string, number, Boolean or null.
private struct JSONScalar: Decodable {
  init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer() }
}
