/// Something that could have mattered and could not be observed.
public struct Unobserved: Hashable, Sendable, Codable {
  /// The layer of what the udev daemon keeps of each device.
  public static let udevDatabaseLayer = "udev-database"

  /// The layer of settings that may restrict a service and were not read or not understood.
  package static let restrictionsLayer = "unit-restrictions"

  /// The layer of a device that a probe left closed, because opening it acts by itself.
  package static let openingLayer = "opening"

  /// What was not seen, such as `acl`, `mountinfo`, `device-program`, `logind`.
  public var layer: String
  /// Where, when the layer belongs to one object.
  public var at: String?
  /// Why not, as one clause, such as `permission denied`.
  public var reason: String

  /// Creates an entry about a layer, of one object or of the whole machine.
  public init(_ layer: String, at: String? = nil, reason: String) {
    self.layer = layer
    self.at = at
    self.reason = reason
  }
}
