internal import UdevRules

extension Remedy {
  /// The event that ends the effect of a fix.
  ///
  /// It determines the clause about the duration and the order of fixes. The cases are declared in
  /// the order of their duration, with the shortest first.
  public enum End: Hashable, Sendable {
    /// The end of the shell or program that the fix started.
    case programExit
    /// A session switch, after which another session on the seat is active.
    case sessionSwitch
    /// An event of the device that udev processes.
    ///
    /// A reboot also ends the fix, and so does a replug if the device can be replugged.
    case deviceEvent(EventEffect, isPluggable: Bool)
    /// A replug of the device, or a reboot.
    case replug
    /// A restart of the container, at which its engine creates the node again.
    case containerStart
    /// The recreation of the container from its image.
    case containerCreation
    /// The recreation of the node or socket.
    ///
    /// If it is in memory, this happens at the next boot at the latest.
    case nodeCreation(path: String, isInMemory: Bool)
    /// The next mount of the filesystem.
    case mount
    /// The next boot of the machine.
    case boot
    /// A replug into another port.
    ///
    /// A rule for a port is considered lasting.
    case portChange
    /// The assignment of another number, and therefore another name, to the device.
    ///
    /// A fix for a name is considered lasting.
    case renumbering
    /// No event: the fix lasts until the user reverts it.
    case never

    /// The effect of a device event that undoes a fix.
    public enum EventEffect: Hashable, Sendable {
      /// udev removes user entries, because the device is tagged for the user of its seat.
      case removesEntries
      /// udev removes the entry of a user without a session on the seat.
      ///
      /// Since systemd 258, logind also removes the entry when another session becomes active.
      case removesOtherEntries
      /// A rule sets the mode, whose group bits are the mask of the ACL.
      case setsMode
      /// The effect of the rules is unknown.
      case unknown
    }

    /// Returns an event of a device whose effect is unknown.
    static func unknownEvent(of device: DeviceFacts?) -> Self {
      .deviceEvent(.unknown, isPluggable: device?.isPluggable ?? true)
    }

    /// A Boolean value that indicates whether the fix survives device events, logins, restarts and
    /// boots.
    public var isLasting: Bool { self >= .portChange }

    /// The code in JSON; `nil` if no event ends the fix.
    public var code: String? {
      switch self {
      case .programExit: "program_exit"
      case .sessionSwitch: "session_switch"
      case .deviceEvent: "device_event"
      case .replug: "replug"
      case .renumbering: "renumbering"
      case .containerStart: "container_start"
      case .containerCreation: "container_creation"
      case .nodeCreation: "node_creation"
      case .mount: "mount"
      case .boot: "boot"
      case .portChange: "port_change"
      case .never: nil
      }
    }

    /// The duration, as a clause that starts with "until"; `nil` if no event ends the fix.
    public var clause: String? {
      switch self {
      case .programExit: "until that shell or program ends"
      case .sessionSwitch:
        "until the node is recreated or another session on the seat becomes active"
      case .deviceEvent(let effect, let isPluggable):
        Self.clause(
          effect,
          isPluggable ? "the device is replugged, the machine reboots" : "the machine reboots")
      case .replug: "until the device is replugged or the machine is rebooted"
      case .renumbering: "until the device gets another name"
      case .containerStart: "until the container is restarted"
      case .containerCreation: "until the container is recreated from its image"
      case .nodeCreation(let path, let isInMemory):
        "until \(path) is recreated" + (isInMemory ? ", at the next boot at the latest" : "")
      case .mount:
        "until the filesystem is mounted again; to keep it, change /etc/fstab or the mount unit"
      case .boot: "until the next boot"
      case .portChange: "until the device is plugged into another port"
      case .never: nil
      }
    }

    /// Returns the clause for a fix that an event of the device ends.
    ///
    /// - Parameters:
    ///   - effect: The effect of the event.
    ///   - others: The other events that end the fix.
    /// - Returns: The clause, which starts with "until".
    private static func clause(_ effect: EventEffect, _ others: String) -> String {
      switch effect {
      case .removesEntries: "until \(others), udevadm trigger is run or the user leaves the seat"
      case .removesOtherEntries:
        """
        until \(others), udevadm trigger is run or, since systemd 258, sessions are switched
        """
      case .setsMode: "until \(others) or udevadm trigger is run"
      case .unknown: "until \(others) or, if a udev rule sets the mode, udevadm trigger is run"
      }
    }

    /// The position in the order of durations.
    private var rank: Int {
      switch self {
      case .programExit: 0
      case .sessionSwitch: 1
      case .deviceEvent: 2
      case .replug: 3
      case .containerStart: 4
      case .containerCreation: 5
      case .nodeCreation: 6
      case .mount: 7
      case .boot: 8
      case .portChange: 9
      case .renumbering: 10
      case .never: 11
      }
    }
  }
}

extension Remedy.End: Comparable {
  public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }
}

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
      return ended(by: .unknown)
    }
    guard isGranted(after) else {
      guard removesEntries else { return ended(by: .setsMode) }
      if isOfSeat { return ended(by: .removesEntries) }
      return ended(by: switchRemovesEntries ? .removesOtherEntries : .setsMode)
    }
    if removesEntries, handled(facts, hasSession: false).map(isGranted) == false {
      return .sessionSwitch
    }
    guard setting != nil else { return ended(by: .unknown) }
    return device.isPluggable ? .replug : .nodeCreation(path: path, isInMemory: true)
  }

  private func ended(by effect: Remedy.End.EventEffect) -> Remedy.End {
    .deviceEvent(effect, isPluggable: device.isPluggable)
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
