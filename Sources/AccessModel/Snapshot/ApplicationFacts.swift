/// The application that a sandbox runs, and what it was given.
public struct ApplicationFacts: Hashable, Sendable, Codable {
  /// The application's id in Flatpak, the snap's name in snapd; untrusted text.
  public var name: String
  /// What a flatpak may use of devices, such as `dri`, from `devices=` in `/.flatpak-info`.
  public var devices: [String]
  /// What it may see of the file system, such as `xdg-pictures`, from `filesystems=`.
  public var filesystems: [String]

  /// Creates the facts of an application that was given nothing unless said otherwise.
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
  /// The permissions for devices, as a clause after "given".
  var deviceWords: String { Self.words("devices", devices) }

  /// The permissions for files, as a clause after "given".
  var filesystemWords: String { Self.words("filesystems", filesystems) }

  /// The permission as `/.flatpak-info` has it, such as `devices=dri`.
  private static func words(_ key: String, _ values: [String]) -> String {
    guard !values.isEmpty else { return "no \(key)" }
    let rest = values.count > 6 ? " and \(values.count - 6) more" : ""
    return "\(key)=\(values.prefix(6).joined(separator: ";"))\(rest)"
  }
}
