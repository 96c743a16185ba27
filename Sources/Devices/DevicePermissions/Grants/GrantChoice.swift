package import AccessModel
package import LinuxDevices

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
