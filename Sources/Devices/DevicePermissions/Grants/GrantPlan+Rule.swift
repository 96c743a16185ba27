package import AccessModel

extension GrantPlan {
  /// Returns the rule that matches only the planned device.
  ///
  /// Two devices without serial numbers, such as those from a virtual driver, may be plugged into
  /// the same place. A user who gets access to one must not get access to the other.
  ///
  /// - Parameter devices: The devices that exist.
  /// - Returns: The rule; `nil` if the plan is not for a device, if nothing identifies the device,
  ///   or if another existing device matches too.
  package func rule(among devices: [DeviceFacts]) -> DeviceRule? {
    guard let device, let rule = DeviceRule(only: device) else { return nil }
    let isAlone = devices.allSatisfy { other in
      other.node == device.node || DeviceRule(only: other)?.conditions != rule.conditions
    }
    return isAlone ? rule : nil
  }

  /// Checks that a udev rule can make the planned grant permanent.
  ///
  /// - Parameter rule: The rule that matches only the device; `nil` if it has none.
  /// - Throws: `wrongObject` if no rule can.
  /// - Returns: The rule.
  package func lasting(_ rule: DeviceRule?) throws(GrantError) -> DeviceRule {
    guard let rule else {
      throw GrantError(
        .wrongObject, at: node.path, "nothing identifies it among other devices")
    }
    // setfacl -m makes the mask as wide as the widest entry, so the mask must not limit any entry.
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
