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

  /// The grant; if it was only planned, its identifier is not recorded anywhere.
  public var grant: AccessGrant
  /// The canonical path of the object.
  public var path: String
  /// The kind of the device; `nil` for a part of the album.
  public var kind: String?
  /// A Boolean value that indicates whether the user has the access without the grant.
  ///
  /// If so, nothing was changed.
  public var isAllowedAlready = false
  /// A Boolean value that indicates whether the access that the user has without the
  /// grant ends with the user's active session.
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

/// The access to an object that a user still has after a grant has ended.
public struct RemainingAccess: Hashable, Sendable {
  /// The source of the access.
  public enum Source: Hashable, Sendable {
    /// Another grant.
    case grant(AccessGrant)
    /// The user's entry in the access list, which no grant has set.
    case entry
    /// The user's session, which is the active session of the device's seat.
    case session
    /// The ownership of the object.
    case owner
    /// A group of the user.
    case group
    /// The permissions for all other users.
    case others
    /// A capability, such as the ones that root has.
    case privilege
    /// An unknown source.
    case unknown

    /// The JSON value of the source.
    package var word: String {
      switch self {
      case .grant: "grant"
      case .entry: "entry"
      case .session: "session"
      case .owner: "owner"
      case .group: "group"
      case .others: "others"
      case .privilege: "privilege"
      case .unknown: "unknown"
      }
    }
  }

  /// The remaining access: reading, writing or both; empty if it is not known.
  public var permissions: Permissions
  /// The sources of the access; at least one.
  public var sources: [Source]

  /// Creates a description of remaining access.
  package init(_ permissions: Permissions, by sources: [Source]) {
    self.permissions = permissions
    self.sources = sources
  }

  /// Determines what a user can still open; `nil` if the user can neither read nor write.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - facts: The answer to a question about the object, for reading and writing, with that user
  ///     after a new login as its subject.
  ///   - state: The grants on the object; `nil` if they are not known.
  package init?(of user: UInt32, in facts: AccessFacts, _ state: InodeGrants?) {
    let explanation = facts.explain()
    let isOfSession = facts.devices.contains { device in
      device.node == explanation.path && device.isTaggedForUserAccess
        && facts.session?.activeUsers[device.seat] == user
    }
    // The session's entry returns with the next event of the device.
    let permissions =
      isOfSession ? [.read, .write] : explanation.granted.intersection([.read, .write])
    if permissions.isEmpty, explanation.answer == .undetermined {
      self.init([], by: [.unknown])
      return
    }
    guard !permissions.isEmpty else { return nil }
    var sources: [Source] = isOfSession ? [.session] : []
    if let state, user != facts.access.object(at: explanation.path)?.uid {
      let entry = state.current.effectivePermissions(ofUser: user)
      for grant in state.grants where grant.user == user {
        let part = grant.permissions.union(grant.kept).intersection(permissions)
        if !part.isEmpty, entry.isSuperset(of: part) { sources.append(.grant(grant)) }
      }
      let own = state.base.effectivePermissions(ofUser: user)
      if !isOfSession, !own.intersection(permissions).isEmpty { sources.append(.entry) }
    }
    if sources.isEmpty { sources = [Self.source(of: explanation.decision)] }
    self.init(permissions, by: sources)
  }

  private static func source(of decision: Decision) -> Source {
    let rules = [decision.rule].compactMap(\.self) + decision.grounds
    return rules.lazy.compactMap { rule -> Source? in
      switch rule {
      case .modeOwner: .owner
      case .modeGroup, .aclGroup: .group
      case .modeOther, .aclOther: .others
      case .aclUser: .entry
      case .overrideFileAccess, .readAndSearch: .privilege
      default: nil
      }
    }.first ?? .unknown
  }
}
