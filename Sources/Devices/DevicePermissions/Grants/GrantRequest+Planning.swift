package import AccessModel
package import LinuxDevices

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
  /// - Throws: `absent` if no such object exists, and any error of `observe` and `album`.
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
