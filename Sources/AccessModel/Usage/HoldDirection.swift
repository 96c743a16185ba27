/// What a process does with a virtual camera.
public enum HoldDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// It gives the camera its pictures.
  case feeds
  /// It shows or records the camera's pictures.
  case views
}
