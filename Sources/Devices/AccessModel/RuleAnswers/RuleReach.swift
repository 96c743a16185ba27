/// Determines which nodes a line affects in addition to the requested one.
///
/// The facts contain no other devices, so the line is applied to fictitious neighbors, which are
/// derived from the facts.
struct RuleReach {
  let facts: RuleFacts
  let action: String

  /// A name that no device has.
  private static let strange: UdevRuleText = "zz9"

  /// Returns whether a line affects nodes that the author's line does not, other than the device.
  ///
  /// - Parameters:
  ///   - line: The line with the proposed change.
  ///   - written: The author's line; `nil` if udevd does not read it.
  ///   - meant: The author's line with the intended spelling.
  /// - Returns: `true` if the line affects one of the neighbors.
  func exceeds(_ line: String, written: String?, meant: String?) -> Bool {
    others.contains { touches($0, line) && !isTouched($0, written) }
      || strangers.contains { touches($0, line) && !isTouched($0, meant) }
  }

  /// Returns whether a line affects nodes of other subsystems that the author's line does not.
  func leavesSubsystem(_ line: String, written: String?) -> Bool {
    others.contains { touches($0, line) && !isTouched($0, written) }
  }

  // MARK: - Neighbours

  /// The parents that have nodes, and nodes of other subsystems next to and below the device.
  private var others: [UdevRuleEvent] {
    guard let device = facts.device else { return [] }
    var events = facts.parents.indices.filter { facts.parents[$0].number != nil }.map { index in
      event(facts.parents[index], Array(facts.parents[(index + 1)...]), [:])
    }
    let properties = facts.record?.properties ?? [:]
    let other = Self.node(like: device, subsystem: Self.strange)
    events.append(event(other, facts.parents, properties))
    events.append(event(other, [device] + facts.parents, properties))
    return events
  }

  /// The nodes of the same subsystem that belong to other hardware, even if it is of the same kind.
  private var strangers: [UdevRuleEvent] {
    guard let device = facts.device else { return [] }
    let other = Self.foreign(Self.node(like: device, subsystem: device.subsystem))
    let kinds = (facts.record?.properties ?? [:]).filter { !$0.key.isIdentity }
    return [event(other, facts.parents.map(Self.foreign), kinds)]
  }

  private func event(
    _ device: UdevRuleDevice, _ parents: [UdevRuleDevice],
    _ properties: [UdevRuleText: UdevRuleText]
  ) -> UdevRuleEvent {
    var device = device
    device.properties.merge(properties) { own, _ in own }
    device.properties["ACTION"] = UdevRuleText(action)
    return UdevRuleEvent(
      action: UdevRuleText(action), device: device, parents: parents,
      record: UdevRuleEvent.Record(properties: properties))
  }

  private static func node(
    like device: UdevRuleDevice, subsystem: UdevRuleText?
  ) -> UdevRuleDevice {
    var other = device
    let folder = device.path.bytes.prefix(
      (device.path.bytes.lastIndex(of: .slash) ?? -1) + 1)
    other.path = UdevRuleText(Array(folder) + strange.bytes)
    other.node = "/dev/zz9"
    other.number = DeviceNumber(major: 4095, minor: 1)
    other.subsystem = subsystem
    other.properties["DEVNAME"] = other.node
    other.properties["DEVPATH"] = other.path
    other.properties["SUBSYSTEM"] = subsystem
    return other
  }

  /// Returns the device with another name and identity, but with the same type and drivers.
  private static func foreign(_ device: UdevRuleDevice) -> UdevRuleDevice {
    var other = device
    other.path = UdevRuleText(device.path.bytes + strange.bytes)
    for (name, fact) in device.attributes {
      guard let value = fact.value, RuleTies.isIdentity(name, value) else { continue }
      other.attributes[name] = .present(UdevRuleText(strange.bytes + value.bytes))
    }
    other.properties = device.properties.filter { !$0.key.isIdentity }
    return other
  }

  // MARK: - Touching

  private func touches(_ event: UdevRuleEvent, _ line: String) -> Bool {
    let path = "/etc/udev/rules.d/99-reach.rules"
    let file = UdevRuleFile(
      path: path, bytes: Array(line.utf8) + [10], version: facts.version)
    let report = UdevRuleSet([file]).evaluate(event, facts.environment)
    return report.outcomes.contains { outcome in
      switch outcome.verdict {
      case .matched, .undetermined: true
      case .failed, .skipped, .irrelevant: false
      }
    }
  }

  /// Returns whether the author's line affects the device of an event with this action, `add` or
  /// `change`.
  ///
  /// A line with another action affects the same nodes.
  private func isTouched(_ event: UdevRuleEvent, _ line: String?) -> Bool {
    guard let line else { return false }
    return Set([action, "add", "change"]).contains { action in
      var event = event
      event.action = UdevRuleText(action)
      event.device.properties["ACTION"] = event.action
      return touches(event, line)
    }
  }
}
