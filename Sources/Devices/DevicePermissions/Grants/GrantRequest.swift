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

/// A request whose object has been found.
///
/// The path, the access and the album are determined once, so that all plans and the confirmation
/// of a grant are about the same.
struct GrantTarget {
  let request: GrantRequest
  /// The absolute path of the object.
  let path: String
  /// The access to give.
  let wanted: Permissions
  /// The caller's own album; `nil` for a device, or without an album.
  let album: GrantPlan.Album?

  /// The question whether the user has the access.
  var question: Question {
    Question(.path(path), wanted: wanted, subject: .user(request.user))
  }
}

/// Observes the machine before a grant.
extension GrantOperations {
  /// The path of a requested object, and what was observed to find it.
  struct FoundObject {
    let path: String
    /// The facts about the devices of the requested kind; `nil` if the request is about something
    /// else.
    var facts: AccessFacts?
    /// The album; `nil` if the request is about something else.
    var album: GrantPlan.Album?
  }

  /// Finds the object that a request is about.
  func find(_ request: GrantRequest) throws(GrantError) -> FoundObject {
    let isOfAlbum = request.target == .kind(.album)
    let album = isOfAlbum ? try self.album() : nil
    var facts: AccessFacts?
    let path = try request.path(album: album, following: TrustedLinks()) {
      (question) throws(GrantError) in
      let found = try observe(question)
      facts = found
      return found
    }
    return FoundObject(path: path, facts: facts, album: album)
  }

  /// Determines the access to give on a pinned object, and the album that it may be a part of.
  func target(
    of request: GrantRequest, _ found: FoundObject, on node: borrowing PinnedNode
  ) throws(GrantError) -> GrantTarget {
    let path = found.path
    let wanted = try request.wanted(on: node.type) { () throws(GrantError) in
      let facts: AccessFacts
      if let known = found.facts {
        facts = known
      } else {
        facts = try observe(Question(.path(path), subject: .user(request.user)))
      }
      return facts.devices.first { $0.node == path }.flatMap(GrantPlan.kind(of:))
    }
    var album = found.album
    if album == nil, !node.type.isDevice { album = try self.album() }
    return GrantTarget(request: request, path: path, wanted: wanted, album: album)
  }

  /// Returns the caller's own album, if it exists.
  ///
  /// - Throws: `failed` if descriptors or memory are missing.
  func album() throws(GrantError) -> GrantPlan.Album? {
    let facts: AccessFacts
    do throws(DeviceError) {
      facts = try machine.facts(for: Question(.kind(.album)))
    } catch {
      if error.code == .exhausted { throw GrantError(observing: error) }
      return nil
    }
    guard let path = facts.album?.path, let node = facts.access.object(at: path),
      node.type == .directory
    else { return nil }
    return GrantPlan.Album(path: node.path, owner: GrantCaller.user)
  }

  func observe(_ question: Question) throws(GrantError) -> AccessFacts {
    var question = question
    question.names = .few
    do throws(DeviceError) {
      return try machine.facts(for: question)
    } catch {
      throw GrantError(observing: error)
    }
  }

  /// Plans an entry on a pinned object, from facts that were observed after it was pinned.
  func planEntry(
    for target: GrantTarget, on node: borrowing PinnedNode, over state: InodeGrants?
  ) throws(GrantError) -> GrantPlan {
    let path = target.path
    let facts = try observe(target.question)
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced during the check")
    }
    let base = state?.list(withoutUser: facts.access.subject.fsuid)
    let plan = try GrantPlan(facts, album: target.album, over: base)
    guard plan.node.type == node.type, plan.node.rdev == node.inode.device,
      target.request.matches(plan.device)
    else { throw GrantError(.changed, at: path, "it was replaced during the check") }
    guard !node.type.isDevice || node.isInMemory else {
      throw GrantError(
        .wrongObject, at: path, "it is on a disk filesystem, so it is not a device node of udev")
    }
    return plan
  }

  /// Returns the rule that matches only the planned device; `nil` if there is no device or no rule.
  func rule(for plan: GrantPlan) -> DeviceRule? {
    guard let kind = plan.kind, let facts = try? machine.facts(for: Question(.kind(kind))) else {
      return nil
    }
    return plan.rule(among: facts.devices)
  }
}

extension GrantRequest {
  /// Returns whether a device is still one of the requested kind, if the request names a kind of
  /// device.
  fileprivate func matches(_ device: DeviceFacts?) -> Bool {
    guard case .kind(let kind) = target, kind.subsystem != nil else { return true }
    return device.map { !kind.members(in: [$0]).isEmpty } ?? false
  }
}

extension GrantPlan {
  /// Returns the rule that matches only the planned device.
  ///
  /// Two devices without serial numbers, such as those from a virtual driver, may be plugged into
  /// the same place. A user who gets access to one must not get access to the other.
  ///
  /// - Parameter devices: The devices that exist.
  /// - Returns: The rule; `nil` if the plan is not for a device, if nothing identifies the device,
  ///   or if another existing device matches too.
  package func rule(among devices: [DeviceFacts]) -> DeviceRule? {
    guard let device, let rule = DeviceRule(only: device) else { return nil }
    let isAlone = devices.allSatisfy { other in
      other.node == device.node || DeviceRule(only: other)?.conditions != rule.conditions
    }
    return isAlone ? rule : nil
  }

  /// Checks that a udev rule can make the planned grant permanent.
  ///
  /// - Parameter rule: The rule that matches only the device; `nil` if it has none.
  /// - Throws: `wrongObject` if no rule can.
  /// - Returns: The rule.
  package func lasting(_ rule: DeviceRule?) throws(GrantError) -> DeviceRule {
    guard let rule else {
      throw GrantError(
        .wrongObject, at: node.path, "nothing identifies it among other devices")
    }
    // setfacl -m makes the mask as wide as the widest entry, so the mask must not limit any entry.
    let isCut = after.entries.contains { entry in
      entry.tag != .mask && entry.id != user && !before.entries.contains(entry)
    }
    guard !isCut, before.mask != [] else {
      throw GrantError(
        .wrongObject, at: node.path, "a rule cannot preserve the limits of its mask")
    }
    return rule
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
