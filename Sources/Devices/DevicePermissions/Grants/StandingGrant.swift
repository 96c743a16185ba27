public import AccessModel
package import LinuxDevices

/// A grant, its object, and the current state of both.
public struct StandingGrant: Hashable, Sendable {
  /// The grant.
  public var grant: AccessGrant
  /// The path at which the object was last found.
  public var path: String
  /// The kind of the device; `nil` for a part of the album.
  public var kind: String?
  /// A Boolean value that indicates whether the grant has expired and has not been ended yet.
  public var isOver: Bool
  /// A Boolean value that indicates whether the object's access list no longer gives the access.
  ///
  /// Another program may have changed the list, or a device event may have reset it.
  public var isLost = false
  /// A Boolean value that indicates whether the object was not found.
  ///
  /// A device may be disconnected. A file may be deleted or, unless the caller is root, moved out
  /// of the album.
  public var isGone = false
  /// A Boolean value that indicates whether udev renews the grant after a device event that would
  /// end it.
  ///
  /// The value is `nil` for a part of the album, and if it is not known.
  public var survivesReplug: Bool?
  /// The access that the user still has after the revocation; `nil` if there is none.
  public var remaining: RemainingAccess?
  /// The current name of the user, if it differs from the name in the grant; otherwise `nil`.
  ///
  /// Either the user was renamed, or the number now belongs to another user, who has the access.
  public var currentName: String?
  /// The shell commands that have the same effect as a planned revocation.
  ///
  /// If several grants on an object are revoked, the first one can have the commands for all of
  /// them.
  public var commands: [String] = []

  /// The maximum number of grants in a record, which is more than anyone gives by hand.
  package static let most = 128

  /// Creates a grant; by default, its object exists and has the entry.
  package init(
    grant: AccessGrant, path: String, kind: String?, isOver: Bool, isLost: Bool = false,
    isGone: Bool = false
  ) {
    self.grant = grant
    self.path = path
    self.kind = kind
    self.isOver = isOver
    self.isLost = isLost
    self.isGone = isGone
  }

  /// Creates a grant, and checks whether the access list of its object still has the entry.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - object: The object of the grant.
  ///   - isOver: `true` if the grant has expired.
  ///   - list: The list; `nil` if it cannot be read.
  ///   - isGone: `true` if the object was not found.
  package init(
    _ grant: AccessGrant, on object: GrantedObject, isOver: Bool, list: AccessList?,
    isGone: Bool = false
  ) {
    self.init(
      grant: grant, path: object.path, kind: object.kind, isOver: isOver,
      isLost: list.map { !$0.gives(grant.permissions, toUser: grant.user) } ?? false,
      isGone: isGone)
  }
}

/// A selection of grants to revoke.
public enum GrantSelection: Hashable, Sendable {
  /// The grant with the given identifier.
  case id(String)
  /// All grants on the object at a path, or only those to the given user.
  ///
  /// The user is a name or a number. A relative path is relative to the working directory.
  case path(String, user: String?)
  /// All grants on objects of a kind, or only those to the given user.
  case kind(String, user: String?)
  /// The grants that have expired without being ended, for example because the system was off.
  ///
  /// Revoking them also starts the missing timers of the other grants.
  case overdue
}

/// Matches grants against a ``GrantSelection``.
package struct GrantChoice {
  private let selection: GrantSelection
  /// The selected path, with its trusted links resolved.
  private let path: String?
  private let user: String?
  /// The current number of that user.
  private let number: UInt32?

  /// Creates a choice from a selection.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - links: Resolves the links of a selected path.
  ///   - numbering: Returns the current number of the user with a name.
  /// - Throws: `wrongObject` if no system call accepts the path.
  package init(
    _ selection: GrantSelection, following links: TrustedLinks,
    numbering: (String) -> UInt32? = { _ in nil }
  ) throws(GrantError) {
    self.selection = selection
    switch selection {
    case .id, .overdue: (path, user) = (nil, nil)
    case .path(let path, let user):
      (self.path, self.user) = (links.followed(try GrantCaller.absolute(path)), user)
    case .kind(_, let user): (path, self.user) = (nil, user)
    }
    number = user.flatMap(numbering)
  }

  /// Returns a Boolean value that indicates whether a grant is selected.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - place: The path of its object.
  ///   - kind: The kind of the device; `nil` for a part of the album.
  ///   - isOver: `true` if the grant has expired.
  /// - Returns: `true` if the grant is selected.
  package func includes(
    _ grant: AccessGrant, _ place: String, _ kind: String?, isOver: Bool
  ) -> Bool {
    if let user, user != grant.userName, user != String(grant.user), number != grant.user {
      return false
    }
    return switch selection {
    case .id(let id): grant.id == id
    case .path: path.map(place.isSame) ?? false
    case .kind(let name, _): (kind ?? DeviceKind.album.name) == name
    case .overdue: isOver
    }
  }

  /// A Boolean value that indicates whether the overdue grants are selected, of which there may be
  /// none.
  package var isOfOverdue: Bool { selection == .overdue }

  /// Returns the error for a selection that matches no grant.
  ///
  /// - Parameter isRoot: `true` if the caller is root, whose record belongs to the system.
  /// - Returns: The error.
  package func missing(isRoot: Bool) -> GrantError {
    let own = isRoot ? "" : " that you made"
    return switch selection {
    case .id(let id): GrantError(.unknown, "no grant\(own) with ID \(id)")
    case .kind(let kind, let user):
      GrantError(.unknown, "no grant\(own) on kind \(kind)\(Self.receiver(user))")
    case .path(_, let user):
      GrantError(.unknown, at: path, "no grant\(own)\(Self.receiver(user))")
    case .overdue: GrantError(.unknown, "no grant\(own) is overdue")
    }
  }

  private static func receiver(_ user: String?) -> String {
    user.map { " to user \($0)" } ?? ""
  }
}

/// The result of a revocation, a part of which may have failed.
package struct Revocation: Equatable, Sendable {
  /// The grants that were revoked, or that would be.
  package var grants: [StandingGrant]
  /// The first failure, which does not prevent the other revocations.
  package var failure: GrantError?

  /// Creates a result without a failure.
  package init(_ grants: [StandingGrant] = []) { self.grants = grants }

  /// Returns the grants, or throws the first failure.
  func get() throws(GrantError) -> [StandingGrant] {
    if let failure { throw failure }
    return grants
  }

  /// Performs a part of the work, and records its error if it is the first failure.
  mutating func attempt(_ work: () throws(GrantError) -> Void) {
    do throws(GrantError) {
      try work()
    } catch {
      failure = failure ?? error
    }
  }
}
