/// A possible grant, with the access list that it would write.
///
/// The plan is computed only from facts. The model decides whether the entry gives the user access.
public struct GrantPlan: Hashable, Sendable {
  /// The caller's own album, whose files and directories the caller may share.
  public struct Album: Hashable, Sendable {
    /// The canonical path of the directory.
    public let path: String
    /// The user ID of the caller.
    public let owner: UInt32

    /// Creates an album.
    public init(path: String, owner: UInt32) {
      self.path = path
      self.owner = owner
    }
  }

  /// The object, with its canonical path.
  public let node: Node
  /// The device behind the node; `nil` for a part of the album.
  public let device: DeviceFacts?
  /// The kind of the device; `nil` for a part of the album.
  public let kind: DeviceKind?
  /// The ID of the user, as the inode stores it.
  public let user: UInt32
  /// The name of the user; `nil` if the database has none.
  public let userName: String?
  /// The requested access.
  public let permissions: Permissions
  /// The access that the user has without the grant.
  public let kept: Permissions
  /// A Boolean value that indicates whether the user has all of the requested access without the
  /// grant.
  public let isAllowedAlready: Bool
  /// A Boolean value that indicates whether that access ends with the user's session.
  ///
  /// In this case, the access comes from the entry that logind adds for the active user.
  public let isOfSession: Bool
  /// A Boolean value that indicates whether logind manages access to the device for one of the
  /// user's seats.
  ///
  /// logind removes the user's entry when the user's session at that seat becomes inactive.
  public let isOfSeat: Bool
  /// A Boolean value that indicates whether a container's node is the host's own node.
  ///
  /// A grant then also applies on the host.
  public let isOfHost: Bool
  /// The access list without the grant.
  public let before: AccessList
  /// The access list with the grant.
  public let after: AccessList
  /// A Boolean value that indicates whether the grant changes the mode of the node.
  ///
  /// If a node has an access list, the group bits of its mode show the list's mask.
  public var changesMode: Bool {
    let bound = after.mask.map { UInt16($0.rawValue) << 3 }
    return bound.map { $0 != node.mode & 0o070 } ?? false
  }

  /// Creates a plan for a grant to the subject of the facts, which is the user at a new login.
  ///
  /// - Parameters:
  ///   - facts: The facts that answer a question about a path.
  ///   - album: The caller's album; `nil` if there is none.
  ///   - base: The list without the user's own grants; `nil` to use the list in the facts.
  /// - Throws: A ``GrantError`` if the grant is not possible or would have no effect.
  public init(
    _ facts: AccessFacts, album: Album?, over base: AccessList? = nil
  ) throws(GrantError) {
    let path = facts.access.request.path
    let access = facts.access
    guard let node = access.object(at: path) else { throw Self.missing(facts, path) }
    guard Self.isItself(path, node.path) else {
      throw GrantError(
        .wrongObject, at: path, "it leads through a symbolic link; name \(node.path) itself")
    }
    if let guarded = facts.guarded(node, for: access.request.permissions) {
      throw GrantError(.wrongObject, at: path, guarded.reason)
    }
    let device = facts.devices.first { device in
      // udev does not manage a node that was created by hand under another name.
      device.node == node.path && device.number == node.rdev
        && (device.systemNode == nil || facts.devices.contains { $0.udevNode == node.path })
    }
    let kind = device.flatMap(Self.kind(of:))
    if let reason = facts.unseenDevice(at: node.path) {
      throw GrantError(.undetermined, at: path, "the device cannot be identified: \(reason)")
    }
    try Self.check(node, device: node.type.isDevice ? kind : nil, album)
    guard let mount = access.mount(of: node.path), mount.idmap == nil,
      access.subject.userNamespace == nil
    else {
      throw GrantError(.undetermined, at: path, "its IDs belong to another namespace")
    }
    guard !access.subject.unobserved.contains(.groups) else {
      throw GrantError(.undetermined, at: path, "the groups of the user cannot be read")
    }
    guard let observed = AccessList(of: node) else {
      throw GrantError(.undetermined, at: path, "its access list cannot be read")
    }
    // Containers share the host's devtmpfs; an engine puts a container's own nodes on a tmpfs.
    isOfHost =
      facts.confinement.container != nil && node.type.isDevice && mount.fstype == "devtmpfs"
    let before = base ?? observed
    self.node = node
    self.device = node.type.isDevice ? device : nil
    self.kind = node.type.isDevice ? kind : nil
    self.before = before
    let seats = facts.session?.userSeats ?? []
    isOfSeat =
      device.map { $0.isTaggedForUserAccess && seats.contains($0.seat) } == true
      && node.type.isDevice
    user = access.subject.fsuid
    userName = facts.account.user
    permissions = access.request.permissions
    guard !permissions.isEmpty else {
      throw GrantError(.wrongObject, at: path, "no access was requested")
    }
    let start = try Self.facts(facts, with: before, insteadOf: observed, at: node.path)
    kept = Self.permissions(of: start, at: node.path)
    after = before.granting(permissions.union(kept), toUser: user)
    isAllowedAlready = start.explain().answer == .allowed
    isOfSession = isAllowedAlready && Self.isOfSession(start, self.device, before, at: node.path)
    guard !isAllowedAlready else { return }
    guard node.mode & 0o1000 == 0 || !permissions.contains(.write) else {
      // In a sticky directory that its group can write to, the kernel refuses `O_CREAT` to other
      // users.
      throw GrantError(.wrongObject, at: path, "the directory is sticky")
    }
    let explanation = try Self.facts(start, with: after, insteadOf: before, at: node.path).explain()
    switch explanation.answer {
    case .allowed, .undetermined: break
    case .refused, .absent:
      throw GrantError(
        .useless, at: path,
        "an entry would not help: \(explanation.cause?.summary ?? "another check denies access")")
    }
  }

  // MARK: - The object

  /// Returns the kind that lists the device; `nil` if no known kind does.
  public static func kind(of device: DeviceFacts) -> DeviceKind? {
    DeviceKind.all.first { !$0.members(in: [device]).isEmpty }
  }

  private static func missing(_ facts: AccessFacts, _ path: String) -> GrantError {
    let explanation = facts.explain()
    let isAbsent = explanation.answer == .absent
    return GrantError(
      isAbsent ? .absent : .undetermined, at: path,
      explanation.cause?.summary
        ?? (isAbsent ? "no such file or directory" : "it cannot be inspected"))
  }

  /// Returns whether a path is the canonical one, apart from redundant slashes and dots.
  private static func isItself(_ path: String, _ canonical: String) -> Bool {
    path.parts(at: "/").filter { $0 != "." }.map { PathKey(String($0)) }
      == canonical.parts(at: "/").map { PathKey(String($0)) }
  }

  private static func check(
    _ node: Node, device kind: DeviceKind?, _ album: Album?
  ) throws(GrantError) {
    if node.type.isDevice {
      guard kind != nil else {
        throw GrantError(.wrongObject, at: node.path, "it is not a device of a known kind")
      }
      return
    }
    guard [.regular, .directory].contains(node.type) else {
      throw GrantError(.wrongObject, at: node.path, "it is neither a device nor a part of an album")
    }
    guard let album, node.path.isAtOrBelow(album.path) else {
      throw GrantError(
        .wrongObject, at: node.path,
        "it is neither a device nor in your own pictures directory"
          + (album.map { ", which is \($0.path)" } ?? ""))
    }
    guard node.uid == album.owner else {
      throw GrantError(.wrongObject, at: node.path, "it belongs to another user")
    }
  }

  // MARK: - The engine

  /// Returns the facts with another access list on the object.
  ///
  /// The kernel has not checked that list.
  private static func facts(
    _ facts: AccessFacts, with list: AccessList, insteadOf old: AccessList, at path: String
  ) throws(GrantError) -> AccessFacts {
    if list == old { return facts }
    let change = FactsChange.replaceList(path: path, entries: list.entries)
    guard var changed = change.applied(to: facts) else {
      throw GrantError(
        .useless, at: path, "its list cannot be changed: its filesystem or its flags forbid it")
    }
    // The model explains the current refusal. A refusal that only the kernel reports is kept.
    if !facts.access.verdict().isGranted {
      changed.kernelChecks = []
      changed.attempts = []
    }
    return changed
  }

  /// Returns whether the user's access comes from the active session and ends with it.
  private static func isOfSession(
    _ facts: AccessFacts, _ device: DeviceFacts?, _ list: AccessList, at path: String
  ) -> Bool {
    let user = facts.access.subject.fsuid
    guard let device, device.isTaggedForUserAccess,
      facts.session?.activeUsers[device.seat] == user,
      var without = try? Self.facts(
        facts, with: list.withoutEntry(ofUser: user), insteadOf: list, at: path)
    else { return false }
    // The kernel has checked only the current list.
    without.kernelChecks = []
    without.attempts = []
    return without.explain().answer == .refused
  }

  /// Returns the permissions that the user has at a new login.
  private static func permissions(of facts: AccessFacts, at path: String) -> Permissions {
    guard let node = facts.access.nodes.first(where: { $0.path.isSame(as: path) }),
      let mount = facts.access.mount(of: path)
    else { return [] }
    let subject = facts.access.subject
    return node.permissions(
      ofUser: subject.fsuid, groups: Set(subject.groups).union([subject.fsgid]), mount)
  }
}

/// An error that occurs when access cannot be granted or revoked.
public struct GrantError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case notPermitted, wrongObject, changed, useless, undetermined, absent, unknown, full, failed
    }

    private let word: Word

    /// The caller is neither root nor the owner, and therefore cannot change the list.
    public static let notPermitted = Code(word: .notPermitted)
    /// Access to the object cannot be granted, for example because it is a symbolic link, is not in
    /// the caller's album, or belongs to another user.
    public static let wrongObject = Code(word: .wrongObject)
    /// The object changed while it was inspected.
    public static let changed = Code(word: .changed)
    /// An entry would not give the user access, or a udev rule would have no effect.
    public static let useless = Code(word: .useless)
    /// It cannot be determined whether an entry would give the user access.
    public static let undetermined = Code(word: .undetermined)
    /// The device or path does not exist.
    public static let absent = Code(word: .absent)
    /// The grant does not exist.
    public static let unknown = Code(word: .unknown)
    /// The maximum number of grants has been reached.
    public static let full = Code(word: .full)
    /// A system call failed.
    public static let failed = Code(word: .failed)

    public var description: String { word.rawValue }
  }

  /// The kind of error, for programs to handle.
  public var code: Code
  /// The path, without escaping.
  public var path: String?
  /// The reason for the error, as one clause.
  public var reason: String

  /// Creates an error.
  public init(_ code: Code, at path: String? = nil, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// Creates an error from a failed system call.
  public init(at path: String?, unableTo operation: String, _ errno: Errno) {
    self.init(
      errno == .notPermitted || errno == .permissionDenied ? .notPermitted : .failed, at: path,
      "cannot \(operation): \(errno.clause)")
  }

  /// The path and the reason in one line; the path is not escaped.
  public var description: String { (path.map { "\($0): " } ?? "") + reason }
}
