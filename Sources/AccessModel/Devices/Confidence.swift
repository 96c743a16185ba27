/// How sure a conclusion about a device is.
public enum Confidence: String, Hashable, Sendable, Codable {
  /// The driver itself said so (`VIDIOC_QUERYCAP`).
  case certain
  /// Several indirect facts agree.
  case likely
  /// A single indirect fact, which is sometimes wrong.
  case guess
}
