package import DeviceAccessCommands
internal import JSONReading
internal import JSONText
package import LinuxDevices

/// A parser of text that comes from outside, under the name of its folder in the corpus.
package enum FuzzedParser: Hashable, Sendable {
  case text(TextFormat)
  case document(DocumentFormat)
  /// Any JSON text.
  case json
  /// A file of udev's rules, which is also applied to a device.
  case udevRules
  /// The messages of the portals of cameras and files, and of the permission store.
  case portal
  /// The URI of a file that a person chose.
  case fileURI
  /// What systemd answers about a service.
  case unitProperties
  /// The calls of `devaccess-broker`, and what the bus and polkit answer it.
  case broker

  /// Every parser.
  package static let all =
    TextFormat.allCases.map(FuzzedParser.text) + DocumentFormat.allCases.map(FuzzedParser.document)
    + [.json, .udevRules, .portal, .fileURI, .unitProperties, .broker]

  /// The parser of a name; `nil` when there is none.
  package init?(_ name: String) {
    guard let parser = Self.all.first(where: { $0.name == name }) else { return nil }
    self = parser
  }

  /// The name of its folder in the corpus.
  package var name: String {
    switch self {
    case .text(let format): format.rawValue
    case .document(let format): format.rawValue
    case .json: "json"
    case .udevRules: "udev-rules"
    case .portal: "portal"
    case .fileURI: "file-uri"
    case .unitProperties: "unit-properties"
    case .broker: "broker"
    }
  }

  /// Feeds it, and checks what must hold of every input.
  ///
  /// - Throws: ``BrokenPromise``. That a text is malformed is no error.
  /// - Returns: Whether the text made sense.
  @discardableResult
  package func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    switch self {
    case .text(let format):
      let records = format.records(in: bytes)
      guard records <= bytes.count else {
        throw BrokenPromise("\(records) records in \(bytes.count) bytes")
      }
      return records > 0
    case .document(let format):
      guard let reading = try? format.read(bytes) else { return false }
      try check(reading, of: format)
      return true
    case .json:
      guard let value = try? ParsedJSON(parsing: bytes) else { return false }
      for layout in [JSONWriter.Layout.compact, .indented] {
        let text = try? JSONWriter.encode(value, layout: layout)
        guard let text, let again = try? ParsedJSON(parsing: Array(text.utf8)) else {
          throw BrokenPromise("what was read cannot be written and read again")
        }
        guard again == value else { throw BrokenPromise("what was written differs") }
        // What reaches a terminal must not steer it.
        if text.unicodeScalars.contains(where: { $0 != "\n" && $0.properties.isControl }) {
          throw BrokenPromise("a control character in JSON")
        }
      }
      return true
    case .udevRules:
      return try FuzzedRules(bytes).check()
    case .portal:
      var portal = FuzzedPortal(bytes)
      return try portal.check()
    case .fileURI:
      return try FuzzedFileURI(bytes).check()
    case .unitProperties:
      return try FuzzedUnitProperties(bytes).check()
    case .broker:
      var broker = FuzzedBroker(bytes)
      return try broker.check()
    }
  }

  private func check(
    _ reading: DocumentFormat.Reading, of format: DocumentFormat
  ) throws(BrokenPromise) {
    guard let again = try? format.read(Array(reading.document.utf8)) else {
      throw BrokenPromise("what was written cannot be read")
    }
    guard again == reading else {
      throw BrokenPromise("what was written does not mean the same")
    }
    for answer in reading.answers {
      // What reaches a terminal must not steer it.
      if answer.unicodeScalars.contains(where: { $0 != "\n" && $0.properties.isControl }) {
        throw BrokenPromise("a control character in an answer")
      }
    }
  }
}

extension Unicode.Scalar.Properties {
  /// Whether it steers a terminal or the direction of text.
  fileprivate var isControl: Bool {
    generalCategory == .control || isBidiControl
  }
}
