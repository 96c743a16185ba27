/// How a process holds a device.
public struct DeviceHold: Hashable, Sendable {
  /// What happens on the device.
  public enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
    /// Data flows.
    case streaming
    /// It is open, and no data flows.
    case idle
  }

  /// How many descriptors lead to the device: none for a process that only maps its memory, or
  /// that only the driver reports.
  public var descriptors: Int
  /// What the descriptors were opened for, all together; `nil` where that is not known.
  public var access: Permissions?
  /// Whether memory of the device is mapped, which keeps it open without a descriptor.
  public var isMapped: Bool
  /// Whether the process streams or merely holds the device; `nil` where that cannot be told.
  public var activity: Activity?
  /// When the stream began, in seconds since the epoch; `nil` where that cannot be told.
  public var streamingSince: Int64?
  /// Whether the process has written as much as some pictures take, to whatever files; `nil` where that
  /// was not looked for: only feeders of virtual cameras are told by it.
  public var hasWritten: Bool?
  /// The process with the least number among those that have an open file of the device in common with
  /// it, as a program and those that it started may; `nil` for none.
  public var sharesWith: Int32?
  /// Whether a descriptor was opened by another node than the one in question, such as one that a
  /// container has: no event of the node tells when it is closed.
  package var isThroughOtherNode = false

  /// Creates a hold by one descriptor for reading and writing, unless said otherwise.
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
