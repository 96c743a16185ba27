/// A device number (`st_rdev`), split into its two parts.
public struct DeviceNumber: Hashable, Sendable {
  /// The major number, which identifies the driver, as the C macro `major` returns it.
  public var major: UInt32
  /// The minor number, which identifies the device within its driver, as the C macro `minor`
  /// returns it.
  public var minor: UInt32

  /// Creates a device number from its two parts.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }
}

extension DeviceNumber: Codable {
  public init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    major = try parts.decode(UInt32.self)
    minor = try parts.decode(UInt32.self)
    guard parts.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "a device number has two parts")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(major)
    try parts.encode(minor)
  }
}
