/// The snapshot document, version 1.
extension AccessFacts: Codable {
  /// The format identifier of a snapshot.
  public static let snapshotFormat = "devaccess.snapshot"
  /// The newest version that can be read, which is also the version that is written.
  public static let snapshotVersion = 1

  private enum Keys: String, CodingKey {
    case format
    case version
    case kind
    case access = "case"
  }

  private static let fields: Fields<Self> = [
    .value("devices", \.devices, limit: SnapshotLimits.devices),
    .value("interpreters", \.interpreters, limit: 8, omitting: []),
    .optional("album", \.album),
    .value("account", \.account),
    .optional("session", \.session),
    .value("confinement", \.confinement),
    .optional("subject_origin", \.origin),
    .value("kernel_checks", \.kernelChecks, limit: SnapshotLimits.kernelChecks),
    // Most questions have no attempts, and older versions do not know this member.
    .value("attempts", \.attempts, limit: SnapshotLimits.kernelChecks, omitting: []),
    .optional("hardware", \.hardware),
    .optional("portal", \.portal),
    .optional("use", \.use),
    .optional("rules", \.rules),
    .value("unobserved", \.unobserved, limit: SnapshotLimits.unobserved),
  ]

  /// Decodes and checks a snapshot.
  ///
  /// Only the case is required.
  ///
  /// - Throws: ``SnapshotError`` for another kind of document or a newer version, and
  ///   `DecodingError` with the place and one line that describes the problem.
  public init(from decoder: any Decoder) throws {
    let values: KeyedDecodingContainer<Keys>
    do {
      values = try decoder.container(keyedBy: Keys.self)
    } catch is DecodingError {
      throw SnapshotError.notASnapshot
    }
    guard let format = try? values.decode(String.self, forKey: .format),
      format == Self.snapshotFormat
    else { throw SnapshotError.notASnapshot }
    let version = try values.decode(Int.self, forKey: .version)
    if version > Self.snapshotVersion { throw SnapshotError.newerVersion(version) }
    guard version >= 1 else { throw values.invalid(.version, "there is no version \(version)") }
    let facts = Self(
      kind: try values.decodeIfPresent(String.self, forKey: .kind),
      access: try values.decode(AccessCase.self, forKey: .access))
    self = try Self.fields.decode(facts, from: decoder)
    placeDevices()
  }

  /// Assigns a node with the same device number to each device without a node.
  private mutating func placeDevices() {
    for index in devices.indices where devices[index].node == nil {
      guard devices[index].systemNode == nil, let number = devices[index].number else { continue }
      let type: FileType = devices[index].subsystem == "block" ? .blockDevice : .characterDevice
      devices[index].node = access.nodes.first { $0.type == type && $0.rdev == number }?.path
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(Self.snapshotFormat, forKey: .format)
    try values.encode(Self.snapshotVersion, forKey: .version)
    try values.encodeIfPresent(kind, forKey: .kind)
    try values.encode(access, forKey: .access)
    try Self.fields.encode(self, to: encoder)
  }
}

/// The limits of a snapshot from an external source, in addition to the limits of its case.
enum SnapshotLimits {
  static let devices = 100_000
  static let kernelChecks = 100_000
  static let unobserved = 100_000
  static let hardware = 10_000
  static let names = 1_000_000
}

/// The reason why this version cannot read a document as a snapshot.
public enum SnapshotError: Error, Hashable, Sendable {
  /// The document has a different format, or none.
  case notASnapshot
  /// A newer version of this package has written the document.
  case newerVersion(Int)
}

extension SnapshotError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notASnapshot: "not a snapshot"
    case .newerVersion(let version):
      "newer version \(version); this program reads snapshots up to version "
        + "\(AccessFacts.snapshotVersion)"
    }
  }
}
