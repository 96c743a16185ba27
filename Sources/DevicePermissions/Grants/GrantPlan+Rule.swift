package import AccessModel

extension GrantPlan {
  /// The rule that matches the planned device alone.
  ///
  /// Two devices without serial numbers may be plugged into one place, such as those of a virtual
  /// driver: whoever is let in to one must not get the other.
  ///
  /// - Parameter devices: The devices that are there.
  /// - Returns: `nil` for what is no device, and where another device that is there matches, too.
  package func rule(among devices: [DeviceFacts]) -> DeviceRule? {
    guard let device, let rule = DeviceRule(only: device) else { return nil }
    let isAlone = devices.allSatisfy { other in
      other.node == device.node || DeviceRule(only: other)?.conditions != rule.conditions
    }
    return isAlone ? rule : nil
  }

  /// Makes sure that a rule of udev can give what is planned for good.
  ///
  /// - Parameter rule: The rule that matches the device alone; `nil` without one.
  /// - Throws: `wrongObject` where none can.
  /// - Returns: The rule.
  package func lasting(_ rule: DeviceRule?) throws(GrantError) -> DeviceRule {
    guard let rule else {
      throw GrantError(
        .wrongObject, at: node.path, "nothing identifies it among other devices")
    }
    // setfacl -m makes the mask as wide as the widest entry, so none may be cut off by it.
    let isCut = after.entries.contains { entry in
      entry.tag != .mask && entry.id != user && !before.entries.contains(entry)
    }
    guard !isCut, before.mask != [] else {
      throw GrantError(
        .wrongObject, at: node.path, "a rule cannot preserve the limits of its mask")
    }
    return rule
  }
}
