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
}
