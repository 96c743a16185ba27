public import AccessModel

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
