/// The confidence in a conclusion about a device.
public enum Confidence: String, Hashable, Sendable, Codable {
  /// The driver itself reported it (`VIDIOC_QUERYCAP`).
  case certain
  /// It is derived from indirect facts that are usually right.
  case likely
  /// It is derived from an indirect fact that is sometimes wrong.
  case guess
}
