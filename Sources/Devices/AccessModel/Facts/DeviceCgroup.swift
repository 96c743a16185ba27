/// The device list of a version 1 control group.
///
/// A list that was read from `devices.list` is evidence but not proof, because the file can show a
/// line that allows everything after a denial.
public struct DeviceCgroup: Hashable, Sendable {
  /// The behavior for a device that no exception matches.
  public enum Default: String, Hashable, Sendable, Codable {
    /// Every device is allowed unless an exception refuses it.
    case allow
    /// No device is allowed unless an exception allows it.
    case deny
  }

  /// An exception to the default behavior.
  public struct Exception: Hashable, Sendable {
    /// `true` for block devices; `false` for character devices.
    public var isBlock: Bool
    /// The major number; `nil` matches every number.
    public var major: UInt32?
    /// The minor number; `nil` matches every number.
    public var minor: UInt32?
    /// `r`: opening a device for reading.
    public var read: Bool
    /// `w`: opening a device for writing.
    public var write: Bool
    /// `m`: creating a device node with mknod(2), which open(2) never requires.
    public var makeNode: Bool

    /// Creates an exception that corresponds to a line of `devices.list`.
    public init(
      isBlock: Bool, major: UInt32?, minor: UInt32?, read: Bool, write: Bool, makeNode: Bool
    ) {
      self.isBlock = isBlock
      self.major = major
      self.minor = minor
      self.read = read
      self.write = write
      self.makeNode = makeNode
    }
  }

  /// The behavior for a device that no exception matches.
  public var defaultBehavior: Default
  /// The exceptions to the default behavior.
  ///
  /// Each exception is compared with a request separately. The permissions of several exceptions
  /// are not combined.
  public var exceptions: [Exception]

  /// Creates a list from its default behavior and the exceptions to it.
  public init(defaultBehavior: Default, exceptions: [Exception]) {
    self.defaultBehavior = defaultBehavior
    self.exceptions = exceptions
  }
}

extension DeviceCgroup {
  /// The maximum number of pairs of exceptions to compare.
  private static let mostPairs = 1 << 16

  /// Returns a list that allows only what both lists allow.
  ///
  /// The kernel runs the device programs of a control group and of its ancestors, and each of them
  /// can refuse access.
  ///
  /// - Returns: The intersection; `nil` if a list does not deny by default, or if there are too
  ///   many pairs of exceptions.
  public func intersection(_ other: DeviceCgroup) -> DeviceCgroup? {
    guard defaultBehavior == .deny, other.defaultBehavior == .deny,
      exceptions.count * other.exceptions.count <= Self.mostPairs
    else { return nil }
    var common: [Exception] = []
    for left in exceptions {
      for right in other.exceptions {
        guard let both = left.intersection(right), !common.contains(both) else { continue }
        common.append(both)
      }
    }
    return DeviceCgroup(defaultBehavior: .deny, exceptions: common)
  }

  /// Returns `true` if the list allows all of the permissions on a device.
  ///
  /// If the list denies by default, one exception must contain all of them. If it allows by default,
  /// an exception that contains one of them denies them (`devcgroup_legacy_check_permission`).
  public func allows(
    _ number: DeviceNumber, isBlock: Bool, for permissions: Permissions
  ) -> Bool {
    let asked = permissions.intersection([.read, .write])
    for exception in exceptions {
      guard exception.isBlock == isBlock, exception.major ?? number.major == number.major,
        exception.minor ?? number.minor == number.minor
      else { continue }
      var listed: Permissions = []
      if exception.read { listed.insert(.read) }
      if exception.write { listed.insert(.write) }
      switch defaultBehavior {
      case .deny: if listed.isSuperset(of: asked) { return true }
      case .allow: if !listed.isDisjoint(with: asked) { return false }
      }
    }
    return defaultBehavior == .allow
  }
}

extension DeviceCgroup.Exception {
  /// Returns an exception that covers what both exceptions cover; `nil` if they have nothing in
  /// common.
  fileprivate func intersection(_ other: Self) -> Self? {
    guard isBlock == other.isBlock, Self.agree(major, other.major), Self.agree(minor, other.minor)
    else { return nil }
    let both = Self(
      isBlock: isBlock, major: major ?? other.major, minor: minor ?? other.minor,
      read: read && other.read, write: write && other.write,
      makeNode: makeNode && other.makeNode)
    return both.read || both.write || both.makeNode ? both : nil
  }

  private static func agree(_ left: UInt32?, _ right: UInt32?) -> Bool {
    guard let left, let right else { return true }
    return left == right
  }
}

extension DeviceCgroup: Codable {
  private enum CodingKeys: String, CodingKey {
    case defaultBehavior = "default"
    case exceptions
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    defaultBehavior = try values.decode(Default.self, forKey: .defaultBehavior)
    exceptions = try values.bounded(.exceptions, limit: CaseLimits.exceptions)
  }
}

extension DeviceCgroup.Exception: Codable {
  private enum Keys: String, CodingKey {
    case type
    case major
    case minor
    case access
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    switch try values.decode(String.self, forKey: .type) {
    case "c": isBlock = false
    case "b": isBlock = true
    default: throw values.invalid(.type, "the type of an exception is c or b")
    }
    // Null matches every number, so a missing key must be an error.
    major = try values.decode(UInt32?.self, forKey: .major)
    minor = try values.decode(UInt32?.self, forKey: .minor)
    read = false
    write = false
    makeNode = false
    for letter in try values.decode(String.self, forKey: .access) {
      switch letter {
      case "r": read = true
      case "w": write = true
      case "m": makeNode = true
      default: throw values.invalid(.access, "the letters of an exception are r, w and m")
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(isBlock ? "b" : "c", forKey: .type)
    try values.encode(major, forKey: .major)
    try values.encode(minor, forKey: .minor)
    let letters = (read ? "r" : "") + (write ? "w" : "") + (makeNode ? "m" : "")
    try values.encode(letters, forKey: .access)
  }
}
