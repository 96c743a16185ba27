/// The effect of a udev event on a device node, such as an event from `udevadm trigger`.
///
/// A manual change to the node survives an event that does not reset it. Many rules set the group
/// and mode only when the device is added, and udev removes user entries only from the nodes of
/// tagged devices.
struct NodeEvent {
  private let device: DeviceFacts
  /// A Boolean value that indicates whether udev removes the entries of all users except the active
  /// user of the seat.
  private let removesEntries: Bool
  /// The mode and group that the rules set; `nil` if they are unknown.
  private let setting: (mode: UInt16?, group: UInt32?)?

  /// A Boolean value that indicates whether the subject may be active on the seat.
  private let isOfSeat: Bool
  /// A Boolean value that indicates whether a session switch removes the entries of inactive users.
  private let switchRemovesEntries: Bool

  /// Predicts an event of the device at a path; `nil` if the device is unknown.
  init?(at path: String, in facts: AccessFacts, isOfSeat: Bool) {
    guard let device = facts.devices.first(where: { $0.node == path }) else { return nil }
    self.device = device
    self.isOfSeat = isOfSeat
    // If the version is unknown, assume one that removes the entries.
    let version = facts.rules.flatMap { $0.isVersionKnown ? $0.version.number : nil }
    switchRemovesEntries = facts.session?.isLogindRunning != false && (version ?? 258) >= 258
    guard let rules = facts.rules, rules.node == path, let report = rules.report("change"),
      !report.commands.contains(where: \.mayChangeNode)
    else {
      removesEntries = device.isTaggedForUserAccess
      setting = nil
      return
    }
    let tagging = report.commands.filter { $0.isBuiltin && $0.text.known == "uaccess" }
    removesEntries = tagging.contains(where: \.isCertain)
    let node = report.node
    guard removesEntries || tagging.isEmpty, let mode = node.mode.known,
      let group = node.group.known, let owner = node.owner.known,
      owner == nil || owner == facts.access.object(at: path)?.uid
    else {
      setting = nil
      return
    }
    setting = (mode.map { UInt16(truncatingIfNeeded: $0 & 0o7777) }, group)
  }

  /// Returns the time or event at which a fix that changed the node ends.
  ///
  /// - Parameters:
  ///   - facts: The facts after the fix.
  ///   - isGranted: Returns whether the given facts grant the requested access.
  /// - Returns: The end of the fix.
  func end(on facts: AccessFacts, isGranted: (AccessFacts) -> Bool) -> Remedy.End {
    guard let path = device.node, let after = handled(facts, hasSession: true) else {
      return .deviceEvent(.unknown)
    }
    guard isGranted(after) else {
      guard removesEntries else { return .deviceEvent(.setsMode) }
      if isOfSeat { return .deviceEvent(.removesEntries) }
      return .deviceEvent(switchRemovesEntries ? .removesOtherEntries : .setsMode)
    }
    if removesEntries, handled(facts, hasSession: false).map(isGranted) == false {
      return .sessionSwitch
    }
    guard setting != nil else { return .deviceEvent(.unknown) }
    return device.isPluggable ? .replug : .nodeCreation(path: path, isInMemory: true)
  }

  /// Returns the facts after the known effects of the event.
  ///
  /// - Parameters:
  ///   - facts: The facts before the event.
  ///   - hasSession: Pass `true` if the seat's active user gets an entry.
  /// - Returns: The new facts; `nil` if the facts do not contain the device.
  private func handled(_ facts: AccessFacts, hasSession: Bool) -> AccessFacts? {
    guard let path = device.node,
      let index = facts.devices.firstIndex(where: { $0.node == path })
    else { return nil }
    var facts = facts
    facts.devices[index].tags.removeAll { $0 == "uaccess" }
    facts.devices[index].currentTags?.removeAll { $0 == "uaccess" }
    if !hasSession { facts.session?.activeUsers[device.seat] = nil }
    return FactsChange.deviceEvent(
      path: path, mode: setting?.mode, group: setting?.group, isTagged: removesEntries
    ).applied(to: facts)
  }
}

extension UdevRuleReport.Command {
  /// A Boolean value that indicates whether the command is a program that may change node
  /// permissions.
  fileprivate var mayChangeNode: Bool {
    guard !isBuiltin else { return false }
    guard let words = text.known?.exact.split(separator: " ") else { return true }
    return words.contains { word in
      RuleProof.nodePrograms.contains(word.split(separator: "/").last.map(String.init) ?? "")
    }
  }
}
