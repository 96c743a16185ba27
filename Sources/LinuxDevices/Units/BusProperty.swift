/// A property of an object of the system's manager.
struct BusProperty: Hashable, Sendable {
  var object: String
  var interface: String
  var name: String

  /// A property that every unit has, such as `LoadState`.
  static func unit(_ object: String, _ name: String) -> BusProperty {
    BusProperty(object: object, interface: "org.freedesktop.systemd1.Unit", name: name)
  }

  /// A property of a service, such as `DeviceAllow`.
  static func service(_ object: String, _ name: String) -> BusProperty {
    BusProperty(object: object, interface: "org.freedesktop.systemd1.Service", name: name)
  }

  /// The types of units that are a control group.
  enum UnitType: String {
    case service = "Service"
    case scope = "Scope"
    case slice = "Slice"
  }

  /// A property of a unit of a type.
  static func of(_ type: UnitType, _ object: String, _ name: String) -> BusProperty {
    BusProperty(
      object: object, interface: "org.freedesktop.systemd1.\(type.rawValue)", name: name)
  }
}
