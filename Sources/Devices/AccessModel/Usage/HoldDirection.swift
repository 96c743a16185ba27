/// The direction in which a process uses a virtual camera.
public enum HoldDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// The process provides the camera's pictures.
  case feeds
  /// The process shows or records the camera's pictures.
  case views
}
