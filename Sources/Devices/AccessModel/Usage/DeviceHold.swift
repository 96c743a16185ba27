/// A process's hold on a device, such as its open descriptors and its activity.
public struct DeviceHold: Hashable, Sendable {
  /// The activity of a process on a device.
  public enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
    /// Data flows.
    case streaming
    /// The process has the device open, but no data flows.
    case idle
  }

  /// The number of descriptors that refer to the device.
  ///
  /// It is zero if the process only maps memory of the device, or if only the driver reports the
  /// process.
  public var descriptors: Int
  /// The permissions that the descriptors were opened with, combined; `nil` if unknown.
  public var access: Permissions?
  /// A Boolean value that indicates whether the process maps memory of the device.
  ///
  /// A mapping keeps the device open even without a descriptor.
  public var isMapped: Bool
  /// The activity of the process on the device; `nil` if unknown.
  public var activity: Activity?
  /// The time at which the stream began, in seconds since the epoch; `nil` if unknown.
  public var streamingSince: Int64?
  /// A Boolean value that indicates whether the process has written enough bytes, to any files, for
  /// a few small pictures.
  ///
  /// It is `nil` unless the process may feed a virtual camera and the amount could be read.
  public var hasWritten: Bool?
  /// The lowest ID among the processes that share an open file of the device with this one; `nil`
  /// if none does.
  ///
  /// A program can share an open file with the processes that it started.
  public var sharesWith: Int32?
  /// A Boolean value that indicates whether a descriptor was opened through a different node than
  /// the requested one, such as a container's own node.
  ///
  /// Events on the requested node do not report when such a descriptor is closed.
  package var isThroughOtherNode = false

  /// Creates a hold, by default with one descriptor that was opened for reading and writing.
  public init(
    descriptors: Int = 1, access: Permissions? = [.read, .write], isMapped: Bool = false,
    activity: Activity? = nil, streamingSince: Int64? = nil
  ) {
    self.descriptors = descriptors
    self.access = access
    self.isMapped = isMapped
    self.activity = activity
    self.streamingSince = streamingSince
  }
}

extension DeviceHold: Codable {
  private enum Keys: String, CodingKey {
    case descriptors
    case access
    case isMapped = "mapped"
    case activity
    case streamingSince = "streaming_since"
    case hasWritten = "has_written"
    case sharesWith = "shares_with"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    descriptors = try values.decode(Int.self, forKey: .descriptors)
    if let letters = try values.decodeIfPresent(String.self, forKey: .access) {
      guard let permissions = Permissions(letters: letters) else {
        throw DecodingError.dataCorruptedError(
          forKey: .access, in: values, debugDescription: "access is made of r, w and x")
      }
      access = permissions
    }
    isMapped = try values.decode(Bool.self, forKey: .isMapped)
    activity = try values.decodeIfPresent(Activity.self, forKey: .activity)
    streamingSince = try values.decodeIfPresent(Int64.self, forKey: .streamingSince)
    hasWritten = try values.decodeIfPresent(Bool.self, forKey: .hasWritten)
    sharesWith = try values.decodeIfPresent(Int32.self, forKey: .sharesWith)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(descriptors, forKey: .descriptors)
    try values.encodeIfPresent(access?.letters, forKey: .access)
    try values.encode(isMapped, forKey: .isMapped)
    try values.encodeIfPresent(activity, forKey: .activity)
    try values.encodeIfPresent(streamingSince, forKey: .streamingSince)
    try values.encodeIfPresent(hasWritten, forKey: .hasWritten)
    try values.encodeIfPresent(sharesWith, forKey: .sharesWith)
  }
}
