/// Removes fixes that would open a guarded object, and gives the reason.
struct GuardedObjectCheck: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// Returns the fixes that are safe to print.
  ///
  /// This method removes fixes that open a guarded object, and fixes that add a user to a group
  /// equivalent to root.
  ///
  /// - Parameter remedies: The fixes, each of which is proven or has a condition.
  /// - Returns: The remaining fixes, and a note if the object is guarded or no fix remains.
  func checked(_ remedies: [Remedy]) -> (remedies: [Remedy], note: String?) {
    if assessment.isGranted { return (remedies, nil) }
    if let secret = missingSecret {
      return remedies.isEmpty ? ([], nil) : ([], "\(secret.sentence) Leave it out.")
    }
    if case .refused = assessment.conclusion, path.hasPrefix("/dev/"),
      let memory = GuardedObject(missingAt: path)
    {
      // A capability for this device should not be given even to the node's owner.
      return ([], memory.advice)
    }
    let object = refusedObject
    var reason: String?
    let kept = remedies.filter { remedy in
      if let object, !isHarmless(remedy) {
        reason = reason ?? object.advice
        return false
      }
      guard let danger = danger(of: remedy) else { return true }
      reason = reason ?? danger
      return false
    }
    let isOnlyAdvice = kept.allSatisfy {
      $0.commands.isEmpty && $0.options.isEmpty && $0.changes.isEmpty
    }
    return (kept, isOnlyAdvice ? object?.advice ?? reason : object?.warning)
  }

  /// The guarded object, if the permissions refuse access to it.
  ///
  /// If the permissions allow access, the subject already has it, and something else refuses.
  private var refusedObject: GuardedObject? {
    // An object in the place of a device must be removed, not opened.
    if case .notADevice = assessment.replacingObject { return nil }
    guard case .refused = assessment.conclusion, let node = access.object(at: path) else {
      return nil
    }
    let isRefusedHere =
      switch assessment.decision.rule {
      case .modeOwner, .modeGroup, .modeOther, .aclUser, .aclGroup, .aclMask, .aclOther,
        .overrideFileAccess, .readAndSearch:
        true
      default: false
      }
    return isRefusedHere ? facts.guarded(node, for: wanted) : nil
  }

  /// Returns whether a fix for a guarded object changes nothing on the machine.
  ///
  /// For example, the program uses another interface, the user logs in again, or an engine starts a
  /// container with a requested device.
  private func isHarmless(_ remedy: Remedy) -> Bool {
    if remedy.changes == [.logIn] { return true }
    guard remedy.commands.isEmpty else { return false }
    return remedy.options.isEmpty || confinement.takesRunOptions
      || access.object(at: path)?.type == .blockDevice
  }

  /// Returns the reason not to print a fix; `nil` if it may be printed.
  private func danger(of remedy: Remedy) -> String? {
    for change in remedy.changes {
      switch change {
      case .joinGroup(let group):
        if let danger = joining([group]) { return danger }
      case .addGroups(let groups, isPrimary: _):
        // In a container, a group number from the host can belong to an unrelated name.
        let start = ContainerOptions(assessment: assessment, names: names)
        let own = groups.filter { group in
          group == 0 || access.object(at: path).map { !start.isAccidental(group, $0) } ?? true
        }
        if let danger = joining(own) { return danger }
      default:
        guard let path = change.openedPath,
          let node = access.nodes.first(where: {
            $0.path.isSame(as: path)
          }), let object = facts.guarded(node, for: access.wanted(at: node))
        else { continue }
        return object.advice
      }
    }
    return nil
  }

  /// Returns a fix with a caution if it gives access to nobody, the user that unrelated programs
  /// share.
  func warned(_ remedy: Remedy) -> Remedy {
    guard confinement.container == nil, subject.userNamespace == nil,
      facts.account.userNames[subject.fsuid] == "nobody", remedy.caution == nil,
      remedy.changes.contains(where: \.isForUser)
    else { return remedy }
    var remedy = remedy
    remedy.caution = "every program that runs as nobody may have this access"
    return remedy
  }

  private func joining(_ groups: [UInt32]) -> String? {
    groups.lazy.filter { facts.account.loginGroups?.contains($0) != true }
      .compactMap(facts.danger).first
  }

  /// A missing secret that the subject must not receive.
  private var missingSecret: GuardedObject? {
    guard assessment.conclusion == .absent else { return nil }
    return GuardedObject(missingAt: path)
  }

  // MARK: - The album

  /// Returns advice about a system directory that is the album only because of a setting.
  func albumAdvice(_ causes: [Cause]) -> (note: String, remedies: [Remedy])? {
    let byMode: Set<CauseCode> = [.albumTraverse, .parentNotSearchable, .modeOwner, .modeGroup]
    guard case .refused = assessment.conclusion, isAlbum, let code = causes.first?.code,
      byMode.contains(code), let album = facts.album,
      let place = assessment.decision.at,
      let node = access.nodes.first(where: { $0.path.isSame(as: place) }),
      node.uid != subject.fsuid,
      Self.isOfSystem(node.path)
    else { return nil }
    let source =
      switch album.source {
      case .environment: "XDG_PICTURES_DIR in the environment"
      case .userDirectories: "user-dirs.dirs"
      case .default: "the home directory"
      }
    return (
      """
      \(node.path) is a system directory, and only \(source) places the pictures below it. Its \
      permissions are right as they are.
      """,
      [
        Remedy(
          "Set XDG_PICTURES_DIR to a directory that the user owns", actor: .user,
          assumes: "the directory exists and belongs to \(names.user(subject.fsuid))")
      ]
    )
  }

  /// Returns whether a directory belongs to the system, regardless of any setting.
  private static func isOfSystem(_ path: String) -> Bool {
    let places = [
      "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root",
      "/run", "/sbin", "/sys", "/usr", "/var",
    ]
    return path == "/" || path == "/home" || path == "/tmp" || path == "/srv"
      || places.contains { path.isAtOrBelow($0) }
  }
}

extension AccessCase {
  /// Returns the permissions that the request needs on an object.
  ///
  /// At the end of the path, these are the requested permissions. For a directory on the path, it
  /// is the search permission.
  fileprivate func wanted(at node: Node) -> Permissions {
    if object(at: request.path)?.path.isSame(as: node.path) == true { return request.permissions }
    if creationDirectory?.isSame(as: node.path) == true { return [.write, .search] }
    return node.type == .directory ? .search : request.permissions
  }
}

extension FactsChange {
  /// A Boolean value that indicates whether the change gives access to every program of one user,
  /// and not only to the subject.
  fileprivate var isForUser: Bool {
    switch self {
    case .joinGroup, .setEntries, .changeOwner: true
    default: false
    }
  }

  /// The node that the change opens to more users; `nil` for any other change.
  fileprivate var openedPath: String? {
    switch self {
    case .clearFlag, .setFlag: nil
    case .deviceEvent(let path, _, _, _): path
    default: editedPath
    }
  }
}
