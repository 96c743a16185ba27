public import AccessModel
internal import DeviceWatching
package import LinuxDevices

/// A request to give a user access to an object.
public struct GrantRequest: Hashable, Sendable {
  /// The lifetime of a grant.
  public enum Lifetime: Hashable, Sendable {
    /// The given number of seconds, from 1 to ``GrantRequest/longest``.
    case seconds(Int64)
    /// Until the grant is revoked, even if the device is reconnected or the system restarts.
    case permanent
  }

  /// The longest lifetime of a temporary grant, in seconds: thirty days.
  public static let longest: Int64 = 2_592_000
  /// The default lifetime of a grant, in seconds: one hour.
  public static let usual: Int64 = 3_600

  /// The object: a path, or the preferred device of a kind.
  public var target: Question.Target
  /// The user, by name or number.
  public var user: String
  /// The access to give; `nil` for what the kind of device needs, and for reading in the album.
  public var permissions: Permissions?
  /// The lifetime of the grant.
  public var lifetime: Lifetime

  /// Creates a request, for one hour by default.
  public init(
    _ target: Question.Target, to user: String, for permissions: Permissions? = nil,
    lifetime: Lifetime = .seconds(usual)
  ) {
    self.target = target
    self.user = user
    self.permissions = permissions
    self.lifetime = lifetime
  }
}

/// Evaluates a request, on the running system or on a machine that a test describes.
extension GrantRequest {
  /// Checks that the lifetime is in range.
  ///
  /// - Throws: `failed` if it is not.
  func checkLifetime() throws(GrantError) {
    guard case .seconds(let seconds) = lifetime, !(1...Self.longest).contains(seconds) else {
      return
    }
    throw GrantError(
      .failed, "a grant lasts 1 to \(Self.longest) seconds, or permanently, not \(seconds)")
  }

  /// Returns the path of the requested object.
  ///
  /// - Parameters:
  ///   - album: The caller's own album; `nil` if there is none.
  ///   - links: Resolves the links of a requested path.
  ///   - observe: Returns the facts that answer a question.
  /// - Throws: `absent` if no object of the requested kind exists, `wrongObject` if no system call
  ///   accepts the requested path, and any error of `observe` and `album`.
  /// - Returns: The absolute path, in which only untrusted links remain.
  package func path(
    album: @autoclosure () throws(GrantError) -> GrantPlan.Album?, following links: TrustedLinks,
    _ observe: (Question) throws(GrantError) -> AccessFacts
  ) throws(GrantError) -> String {
    switch target {
    case .path(let path): return links.followed(try GrantCaller.absolute(path))
    case .kind(.album):
      guard let album = try album() else { throw GrantError(.absent, "you have no album") }
      return album.path
    case .kind(let kind):
      let explanation = try observe(
        Question(.kind(kind), wanted: permissions, subject: .user(user))
      ).explain()
      guard explanation.answer != .absent else {
        throw GrantError(.absent, explanation.cause?.summary ?? "no \(kind.name) found")
      }
      return explanation.path
    }
  }

  /// Returns the requested access, or the default for the type of object.
  ///
  /// For a directory, the access includes searching, which both reading and writing need.
  ///
  /// - Parameters:
  ///   - type: The type of the object at the path.
  ///   - kind: Returns the kind of the device; called only for a device.
  /// - Throws: Any error of `kind`.
  /// - Returns: The access.
  package func wanted(
    on type: FileType, _ kind: () throws(GrantError) -> DeviceKind?
  ) throws(GrantError) -> Permissions {
    if type == .directory { return (permissions ?? .read).union(.search) }
    if let permissions { return permissions }
    if !type.isDevice { return .read }
    return try kind()?.needs ?? [.read, .write]
  }

  /// Checks that the entry gives the user access.
  ///
  /// - Parameters:
  ///   - explanation: The explanation of the access with the entry.
  ///   - path: The path of the object.
  /// - Throws: `useless` or `undetermined`, in which case the caller must remove the entry.
  package func confirm(_ explanation: Explanation, at path: String) throws(GrantError) {
    switch explanation.answer {
    case .allowed: return
    case .undetermined:
      throw GrantError(
        .undetermined, at: path,
        "it is unknown whether the entry gives \(user) access, so it was removed")
    case .refused, .absent:
      throw GrantError(
        .useless, at: path,
        "the entry had no effect, so it was removed: "
          + (explanation.cause?.summary ?? "another check denies access"))
    }
  }
}

extension GrantError {
  /// Creates the error for an object or user that cannot be observed.
  ///
  /// - Parameters:
  ///   - error: The error of the observation.
  ///   - path: The path of the object, used if the error has none.
  package init(observing error: DeviceError, at path: String? = nil) {
    let path = error.path ?? path
    let clause = error.errno?.clause ?? "\(error.code)"
    switch error.code {
    case .noSubject: self.init(.absent, error.path.map { "no user named \($0)" } ?? "no such user")
    case .exhausted: self.init(.failed, at: path, clause)
    default: self.init(.undetermined, at: path, clause)
    }
  }
}
