/// The application that runs in a sandbox, and the permissions that it was given.
public struct ApplicationFacts: Hashable, Sendable, Codable {
  /// The untrusted name of the application: its ID in Flatpak, or the name of its snap.
  public var name: String
  /// The devices that a flatpak may use, such as `dri`, from `devices=` in `/.flatpak-info`.
  public var devices: [String]
  /// The parts of the filesystem that a flatpak may access, such as `xdg-pictures`, from
  /// `filesystems=`.
  public var filesystems: [String]

  /// Creates the facts about an application, by default without any permission.
  public init(name: String, devices: [String] = [], filesystems: [String] = []) {
    self.name = name
    self.devices = devices
    self.filesystems = filesystems
  }

  private enum CodingKeys: String, CodingKey {
    case name, devices, filesystems
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    devices = try values.boundedIfPresent(.devices, limit: 4096) ?? []
    filesystems = try values.boundedIfPresent(.filesystems, limit: 4096) ?? []
  }
}

extension ApplicationFacts {
  /// The device permissions, as a clause that follows "given".
  var deviceWords: String { Self.words("devices", devices) }

  /// The file permissions, as a clause that follows "given".
  var filesystemWords: String { Self.words("filesystems", filesystems) }

  /// Returns permissions as `/.flatpak-info` contains them, such as `devices=dri`.
  ///
  /// At most six values are listed.
  private static func words(_ key: String, _ values: [String]) -> String {
    guard !values.isEmpty else { return "no \(key)" }
    let rest = values.count > 6 ? " and \(values.count - 6) more" : ""
    return "\(key)=\(values.prefix(6).joined(separator: ";"))\(rest)"
  }
}
