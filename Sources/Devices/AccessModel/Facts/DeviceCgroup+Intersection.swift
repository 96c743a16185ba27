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
