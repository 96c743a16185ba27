/// The availability of a device or path.
public enum Availability: String, Hashable, Sendable, Codable, CaseIterable {
  /// The object exists.
  case present
  /// The device or path does not exist.
  case absent
  /// The device exists, and another program is using it.
  case busy
  /// The existence of the object could not be observed, for example in a directory without search
  /// permission.
  case unknown
}
