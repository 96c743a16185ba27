/// A fact that could affect the answer but could not be observed.
public struct Unobserved: Hashable, Sendable, Codable {
  /// The layer of the data that the udev daemon stores about each device.
  public static let udevDatabaseLayer = "udev-database"

  /// The layer of settings that may restrict a service, but could not be read or interpreted.
  package static let restrictionsLayer = "unit-restrictions"

  /// The layer of a device that a probe did not open, because opening it has an effect.
  package static let openingLayer = "opening"

  /// The layer that was not observed, such as `acl`, `mountinfo`, `device-program` or `logind`.
  public var layer: String
  /// The path or name of the object; `nil` if the layer concerns the whole machine.
  public var at: String?
  /// The reason, as one clause, such as `permission denied`.
  public var reason: String

  /// Creates an entry for a layer, by default about the whole machine.
  public init(_ layer: String, at: String? = nil, reason: String) {
    self.layer = layer
    self.at = at
    self.reason = reason
  }
}
