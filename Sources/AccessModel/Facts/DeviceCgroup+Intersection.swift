extension DeviceCgroup {
  /// The most pairs of exceptions that are worth forming.
  private static let mostPairs = 1 << 16

  /// The list that allows what both allow; `nil` when it would be too long.
  ///
  /// The kernel runs the device programs of a control group and of those above it, and each can
  /// refuse. Both lists deny by default.
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

  /// Whether a device may be used for all of the permissions.
  public func allows(
    _ number: DeviceNumber, isBlock: Bool, for permissions: Permissions
  ) -> Bool {
    let matches = exceptions.contains { exception in
      exception.isBlock == isBlock && exception.major ?? number.major == number.major
        && exception.minor ?? number.minor == number.minor
        && (exception.read || !permissions.contains(.read))
        && (exception.write || !permissions.contains(.write))
    }
    return matches == (defaultBehavior == .deny)
  }
}

extension DeviceCgroup.Exception {
  /// What both exceptions allow; `nil` when that is nothing.
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
