public import AccessModel
internal import LinuxDevices

/// What a grant came to, or would come to.
public struct GrantReport: Hashable, Sendable {
  /// What ends it.
  public enum Ending: String, Hashable, Sendable, Codable {
    /// A transient timer of systemd.
    case timer
    /// The caller, who has to call ``GrantService/revoke(_:)`` when the time is over: there is no
    /// systemd.
    case caller
    /// Nothing but ``GrantService/revoke(_:)``.
    case nothing
  }

  /// What ends a grant on a device before its time.
  public enum Interruption: String, Hashable, Sendable, Codable {
    /// An event of the device, at which udev removes the entries of users, because the device is tagged for
    /// the user of its seat.
    case event
    /// An event at which a rule of udev sets the mode of the node, which bounds the entry again.
    case mode
    /// Unplugging it.
    case unplug
    /// A switch away from the session of the user at the seat of the device.
    case sessionSwitch = "session_switch"
    /// A new node: no udev gives the entry again.
    case newNode = "new_node"
  }

  /// The grant; its identifier is empty where it was only planned.
  public var grant: AccessGrant
  /// The object, by its canonical path.
  public var path: String
  /// The kind of the device; `nil` for a part of the album.
  public var kind: String?
  /// Whether the user has the access without it, so that nothing was done.
  public var isAllowedAlready = false
  /// Whether that ends with the session of the user, which is the active one of its seat.
  public var isOfSession = false
  /// Whether a container shows the host's own node, whose list then gives access outside as well.
  public var isOfHost = false
  /// What ends it.
  public var ending: Ending
  /// Whether the device has it again after it was unplugged and plugged in.
  public var survivesReplug = false
  /// What ends it before its time where udev does not follow the device.
  private var unfollowed: [Interruption]
  /// What ends it before its time on this device; empty for a part of the album.
  public var interruptions: [Interruption] { kind == nil || survivesReplug ? [] : unfollowed }
  /// What udev knows the device by, where it does; see `DeviceRule.basis`.
  public var basis: String?
  /// What else the rule matches, as one clause; `nil` for nothing.
  public var scope: String?
  /// The rule of udev that stays; `nil` for a grant that ends.
  public var rule: String?
  /// The list before it.
  public var before: AccessList
  /// The list after it.
  public var after: AccessList
  /// What it does, as commands of a shell.
  public var commands: [String] = []

  /// Creates the report of a grant that was not given yet.
  package init(
    grant: AccessGrant, path: String, kind: String?, isAllowedAlready: Bool = false,
    isOfSession: Bool = false, isOfHost: Bool = false, ending: Ending, survivesReplug: Bool = false,
    unfollowed: [Interruption] = [.event, .unplug], basis: String? = nil, scope: String? = nil,
    rule: String? = nil, before: AccessList, after: AccessList, commands: [String] = []
  ) {
    self.grant = grant
    self.path = path
    self.kind = kind
    self.isAllowedAlready = isAllowedAlready
    self.isOfSession = isOfSession
    self.isOfHost = isOfHost
    self.ending = ending
    self.survivesReplug = survivesReplug
    self.unfollowed = unfollowed
    self.basis = basis
    self.scope = scope
    self.rule = rule
    self.before = before
    self.after = after
    self.commands = commands
  }

  /// Creates the report of a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - grant: Its record.
  ///   - path: The object.
  ///   - rule: The rule of udev that matches the device alone; `nil` without one.
  ///   - hasTimer: Whether systemd can end it.
  ///   - hasUdev: Whether udev runs.
  package init(
    of plan: GrantPlan, _ grant: AccessGrant, at path: String, _ rule: DeviceRule?,
    hasTimer: Bool, hasUdev: Bool
  ) {
    let isTimed = grant.end != nil
    self.init(
      grant: grant, path: path, kind: plan.kind?.name, isAllowedAlready: plan.isAllowedAlready,
      isOfSession: plan.isOfSession, isOfHost: plan.isOfHost,
      ending: !isTimed ? .nothing : hasTimer ? .timer : .caller,
      survivesReplug: rule != nil && hasUdev,
      unfollowed: Self.interruptions(of: plan, hasUdev: hasUdev), basis: rule?.basis,
      scope: rule?.scope,
      rule: isTimed
        ? nil : rule?.granting(plan.permissions.union(plan.kept), toUser: plan.user),
      before: plan.before, after: plan.after)
  }

  private static func interruptions(of plan: GrantPlan, hasUdev: Bool) -> [Interruption] {
    guard hasUdev else { return [.newNode] }
    var all: [Interruption] = []
    // Some processes of udevd go by the tags of earlier events.
    let isTagged =
      plan.device.map { $0.isTaggedForUserAccess || $0.tags.contains("uaccess") } == true
    if isTagged { all.append(.event) }
    if plan.changesMode, !isTagged { all.append(.mode) }
    if plan.device?.isPluggable == true {
      all.append(.unplug)
    } else if !isTagged {
      all.append(.newNode)
    }
    if plan.isOfSeat { all.append(.sessionSwitch) }
    return all
  }

  /// The commands that set the entry, and end it.
  package var listCommands: [String] {
    var commands = ["setfacl --set \(after.text) \(path.shellQuoted)"]
    if let time = grant.duration {
      let undo = "setfacl --set \(before.text) "
      // The manager of the user runs what is the user's, and either expands variables (systemd.service(5)).
      let start =
        "systemd-run \(GrantCaller.user == 0 ? "" : "--user ")--on-active=\(time) "
        + "--timer-property=AccuracySec=1s "
      commands.append(
        ending == .timer
          ? start + undo + path.doubling("$").shellQuoted
          : "sleep \(time); " + undo + path.shellQuoted)
    }
    return commands
  }

  /// The clock of `AccessGrant.deadline`: seconds since the boot.
  public static var uptime: Int64 { GrantCaller.uptime }
}
