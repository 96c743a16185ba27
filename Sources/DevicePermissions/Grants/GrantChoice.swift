package import AccessModel
package import LinuxDevices

/// Which grants a ``GrantSelection`` means.
package struct GrantChoice {
  private let selection: GrantSelection
  /// Where the path leads that was named.
  private let path: String?
  private let user: String?
  /// The number of that user now.
  private let number: UInt32?

  /// Reads a selection.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - links: Follows the links of a path that was named.
  ///   - numbering: The number that a user's name has now.
  /// - Throws: `wrongObject` for a path that no system call takes.
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

  /// Whether a grant is among them.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - place: The path of its object.
  ///   - kind: The kind of the device; `nil` for a part of the album.
  ///   - isOver: Whether its time is over.
  /// - Returns: Whether it is.
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

  /// Whether they are those that are over, of which there may be none.
  package var isOfOverdue: Bool { selection == .overdue }

  /// The error where there is none.
  ///
  /// - Parameter isRoot: Whether the caller is root, whose record is that of the system.
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
