public import AccessModel
internal import LinuxDevices

/// The result of a grant that was given or planned.
public struct GrantReport: Hashable, Sendable {
  /// The mechanism that ends a grant.
  public enum Ending: String, Hashable, Sendable, Codable {
    /// A transient timer of systemd.
    case timer
    /// The caller, who must call ``GrantService/revoke(_:)`` when the time is over, because no
    /// timer can end the grant.
    case caller
    /// Only a call to ``GrantService/revoke(_:)``.
    case nothing
  }

  /// An event that ends a grant on a device early.
  public enum Interruption: String, Hashable, Sendable, Codable {
    /// A device event: udev removes the entries of users, because the device is tagged for the user
    /// of its seat.
    case event
    /// A device event: a udev rule sets the mode of the node, which limits the entry again.
    case mode
    /// Unplugging the device.
    case unplug
    /// A switch away from the user's session at the seat of the device.
    case sessionSwitch = "session_switch"
    /// A new node, on which udev does not restore the entry.
    case newNode = "new_node"
  }

  /// The grant; its identifier is empty if it was only planned.
  public var grant: AccessGrant
  /// The canonical path of the object.
  public var path: String
  /// The kind of the device; `nil` for a part of the album.
  public var kind: String?
  /// A Boolean value that indicates whether the user has the access without the grant.
  ///
  /// If so, nothing was changed.
  public var isAllowedAlready = false
  /// A Boolean value that indicates whether that access ends with the user's active session.
  public var isOfSession = false
  /// A Boolean value that indicates whether the node in the container is the host's own node.
  ///
  /// If so, its access list gives access on the host as well.
  public var isOfHost = false
  /// The mechanism that ends the grant.
  public var ending: Ending
  /// A Boolean value that indicates whether udev renews the grant when the device is connected
  /// again.
  public var survivesReplug = false
  /// The events that end the grant early unless udev restores it.
  private var unfollowed: [Interruption]
  /// The events that end the grant on this device early.
  ///
  /// The array is empty for a part of the album, and if udev renews the grant.
  public var interruptions: [Interruption] { kind == nil || survivesReplug ? [] : unfollowed }
  /// The properties that identify the device to udev, if any; see `DeviceRule.basis`.
  public var basis: String?
  /// The other nodes that the rule matches, as one clause; `nil` if none.
  public var scope: String?
  /// The udev rule of a permanent grant; `nil` for a grant that ends, or without a rule.
  public var rule: String?
  /// The access list before the grant.
  public var before: AccessList
  /// The access list after the grant.
  public var after: AccessList
  /// The equivalent shell commands.
  public var commands: [String] = []

  /// Creates the report of a grant that has not been given yet.
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
  ///   - grant: The planned grant.
  ///   - path: The path of the object.
  ///   - rule: The udev rule that matches only this device; `nil` without one.
  ///   - hasTimer: `true` if systemd can end the grant.
  ///   - hasUdev: `true` if udev runs.
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
    // Some udevd processes still act on the tags of earlier events.
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

  /// The shell commands that set the access list and later restore it.
  package var listCommands: [String] {
    var commands = ["setfacl --set \(after.text) \(path.shellQuoted)"]
    if let time = grant.duration {
      let undo = "setfacl --set \(before.text) "
      // The user's own manager runs the command for a user. It expands variables, as the system
      // manager does (systemd.service(5)).
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

  /// The clock of `AccessGrant.deadline`, in seconds since the boot.
  public static var uptime: Int64 { GrantCaller.uptime }
}
