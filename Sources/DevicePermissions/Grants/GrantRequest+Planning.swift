package import AccessModel
package import LinuxDevices

/// What a request comes to, on the running system and on one that a test makes up.
extension GrantRequest {
  /// - Throws: `failed` for a time that no grant lasts.
  func checkLifetime() throws(GrantError) {
    guard case .seconds(let seconds) = lifetime, !(1...Self.longest).contains(seconds) else {
      return
    }
    throw GrantError(
      .failed, "a grant lasts 1 to \(Self.longest) seconds, or permanently, not \(seconds)")
  }

  /// The path of what it is about.
  ///
  /// - Parameters:
  ///   - album: The caller's own album; `nil` without one.
  ///   - links: Follows the links of a path that was named.
  ///   - observe: Answers a question about the machine.
  /// - Throws: `absent` where there is nothing of the kind, and what observing and `album` throw.
  /// - Returns: The path, which is absolute, and has only links that are not trusted.
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
        throw GrantError(.absent, explanation.cause?.summary ?? "there is no \(kind.name)")
      }
      return explanation.path
    }
  }

  /// What is asked for: looking names up in a directory is a part of both reading and writing.
  ///
  /// - Parameters:
  ///   - type: What lies at the path.
  ///   - kind: The kind of the device there; only asked for a device.
  /// - Throws: What finding the kind throws.
  /// - Returns: The access.
  package func wanted(
    on type: FileType, _ kind: () throws(GrantError) -> DeviceKind?
  ) throws(GrantError) -> Permissions {
    if type == .directory { return (permissions ?? .read).union(.search) }
    if let permissions { return permissions }
    if !type.isDevice { return .read }
    return try kind()?.needs ?? [.read, .write]
  }

  /// Makes sure that the entry lets the user in.
  ///
  /// - Parameters:
  ///   - explanation: How it stands with the entry.
  ///   - path: The object.
  /// - Throws: `useless` and `undetermined`, for the caller to take the entry back.
  package func confirm(_ explanation: Explanation, at path: String) throws(GrantError) {
    switch explanation.answer {
    case .allowed: return
    case .undetermined:
      throw GrantError(
        .undetermined, at: path,
        "whether the entry gives \(user) access is not known, so it was removed")
    case .refused, .absent:
      throw GrantError(
        .useless, at: path,
        "the entry had no effect, so it was removed: "
          + (explanation.cause?.summary ?? "something else refuses"))
    }
  }
}
