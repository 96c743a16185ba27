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
    case devices
    case interpreters
    case album
    case account
    case session
    case confinement
    case origin = "subject_origin"
    case kernelChecks = "kernel_checks"
    case attempts
    case hardware
    case portal
    case use
    case rules
    case unobserved
  }

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
    kind = try values.decodeIfPresent(String.self, forKey: .kind)
    access = try values.decode(AccessCase.self, forKey: .access)
    devices =
      try values.boundedIfPresent(.devices, limit: SnapshotLimits.devices) ?? []
    interpreters = try values.boundedIfPresent(.interpreters, limit: 8) ?? []
    album = try values.decodeIfPresent(AlbumFacts.self, forKey: .album)
    account =
      try values.decodeIfPresent(AccountFacts.self, forKey: .account) ?? AccountFacts()
    session = try values.decodeIfPresent(SessionFacts.self, forKey: .session)
    confinement =
      try values.decodeIfPresent(ConfinementFacts.self, forKey: .confinement)
      ?? ConfinementFacts()
    origin = try values.decodeIfPresent(SubjectOrigin.self, forKey: .origin)
    kernelChecks =
      try values.boundedIfPresent(.kernelChecks, limit: SnapshotLimits.kernelChecks) ?? []
    attempts = try values.boundedIfPresent(.attempts, limit: SnapshotLimits.kernelChecks) ?? []
    hardware = try values.decodeIfPresent(HardwareFacts.self, forKey: .hardware)
    portal = try values.decodeIfPresent(PortalFacts.self, forKey: .portal)
    use = try values.decodeIfPresent(UseFacts.self, forKey: .use)
    rules = try values.decodeIfPresent(RuleFacts.self, forKey: .rules)
    unobserved =
      try values.boundedIfPresent(.unobserved, limit: SnapshotLimits.unobserved) ?? []
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
    try values.encode(devices, forKey: .devices)
    if !interpreters.isEmpty { try values.encode(interpreters, forKey: .interpreters) }
    try values.encodeIfPresent(album, forKey: .album)
    try values.encode(account, forKey: .account)
    try values.encodeIfPresent(session, forKey: .session)
    try values.encode(confinement, forKey: .confinement)
    try values.encodeIfPresent(origin, forKey: .origin)
    try values.encode(kernelChecks, forKey: .kernelChecks)
    // Most questions have no attempts, and older versions do not know this member.
    if !attempts.isEmpty { try values.encode(attempts, forKey: .attempts) }
    try values.encodeIfPresent(hardware, forKey: .hardware)
    try values.encodeIfPresent(portal, forKey: .portal)
    try values.encodeIfPresent(use, forKey: .use)
    try values.encodeIfPresent(rules, forKey: .rules)
    try values.encode(unobserved, forKey: .unobserved)
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

/// The key of an object member whose name is known only at run time.
private struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}

extension KeyedEncodingContainer {
  /// Encodes a dictionary as an object whose members are sorted by name.
  ///
  /// The order of a dictionary differs between processes, but the same facts must result in the
  /// same text.
  mutating func encode(sorted members: [String: some Encodable], forKey key: Key) throws {
    var object = nestedContainer(keyedBy: NameKey.self, forKey: key)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      try object.encode(value, forKey: NameKey(stringValue: name))
    }
  }
}
