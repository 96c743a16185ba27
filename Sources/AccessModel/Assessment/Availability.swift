/// Whether there is anything to have permission for.
public enum Availability: String, Hashable, Sendable, Codable, CaseIterable {
  /// The object is there.
  case present
  /// The device or path does not exist.
  case absent
  /// The device is there, and another program uses it.
  case busy
  /// What is there could not be seen, such as behind a directory that may not be searched.
  case unknown
}
