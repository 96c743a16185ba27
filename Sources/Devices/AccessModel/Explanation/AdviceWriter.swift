/// Writes the fixes for a refusal as exact commands, in the order of ``RemedyOrder``.
///
/// The planner changes the permissions of nodes, and each layer proposes other remedies. The prover
/// checks every remedy. Every name and path is quoted for the shell. No remedy opens a device to
/// all users.
struct AdviceWriter: AssessmentReader {
  /// The remedies, lookups and note to print.
  struct Advice {
    var remedies: [Remedy] = []
    /// The commands that show more and change nothing.
    var lookups: [Lookup] = []
    /// An explanation of the object, or the reason why it has no fix.
    var note: String?
  }

  let layers: Layers

  var assessment: Assessment { layers.assessment }
  var names: Names { layers.names }

  init(_ assessment: Assessment) {
    layers = Layers(assessment)
  }

  /// Returns the remedies in order, and the commands that show more.
  func advice(for causes: [Cause]) -> Advice {
    var advice = Advice()
    for lookup in causes.flatMap(layers.lookups)
    where !advice.lookups.contains(lookup) {
      advice.lookups.append(lookup)
    }
    advice.lookups = Array(advice.lookups.prefix(4))
    let objects = GuardedObjectCheck(assessment: assessment, names: names)
    if let album = objects.albumAdvice(causes) {
      advice.note = album.note
      advice.remedies = album.remedies
      return advice
    }
    let prover = RemedyProver(assessment, names: names)
    var remedies: [Remedy] = []
    // A container cannot be given a node that the machine itself lacks.
    let isMissing = device == nil && causes.contains { $0.isProven && $0.code.object == .hardware }
    let offered = causes.filter { !isMissing || $0.code != .nodeHidden }
      .flatMap(layers.remedies).flatMap(prover.checked)
    let planned = causes.first?.code.object == .other ? [] : prover.plannedRemedies()
    for remedy in offered + planned
    where !remedies.contains(where: { $0.isLike(remedy) }) {
      remedies.append(remedy)
    }
    let guarded = objects.checked(remedies)
    advice.note = guarded.note
    let main = causes.first.flatMap { cause in layers.layer(of: cause).map { ($0, cause) } }
    let ordered = RemedyOrder.ordered(guarded.remedies) { remedy in
      main.map { layer, cause in layer.prefers(remedy, for: cause) } ?? false
    }
    advice.remedies = ordered.prefix(6).map { inTemplate(objects.warned($0)) }
    if let (layer, cause) = main {
      advice.remedies.put(
        layer.remedies(for: cause).map(\.title), as: layer.precedence(for: cause))
    }
    if let rule = IneffectiveRuleRemedies(assessment, names: names).leading {
      // The administrator's own rule comes before any additions.
      advice.remedies.putFirst { $0.commands.starts(with: rule.commands) }
    }
    if let condition = layers.policies.hostNodeCondition {
      let policies = layers.policies
      let own = (policies.hostNodeRemedies() + policies.policyModuleRemedies(.selinux)).map(\.title)
      advice.remedies = advice.remedies.map { own.contains($0.title) ? $0 : $0.assuming(condition) }
    }
    // A user who is already in the group of the node needs no new rule.
    advice.remedies.putFirst(\.isNewLogin)
    if advice.remedies.first?.worksAtOnce == true {
      for index in advice.remedies.indices { advice.remedies[index].isInterim = false }
    }
    if let root = confinement.service?.rootDirectory {
      advice.remedies = advice.remedies.map { $0.outside(of: root, assessment.access) }
    }
    if advice.note == nil, advice.remedies.isEmpty, case .refused = assessment.conclusion {
      advice.note = causes.first.flatMap(noFix)
    }
    if advice.note == nil, assessment.isGranted { advice.note = socketNote }
    return advice
  }

  /// The note for a socket; `nil` for any other object.
  private var socketNote: String? {
    guard let object = assessment.object, object.type == .socket else { return nil }
    return """
      \(object.path) is a socket: programs connect to it, which needs write permission; open(2) \
      fails with ENXIO.
      """
  }

  /// Returns a fix with a condition for Qubes OS, where an app qube gets its root filesystem from a
  /// template at each start.
  private func inTemplate(_ remedy: Remedy) -> Remedy {
    guard confinement.kernelRelease?.contains("qubes") == true, remedy.actor == .administrator,
      remedy.end == .never
    else { return remedy }
    var remedy = remedy
    remedy.assumes = Remedy.both(
      remedy.assumes, "it is done in the template (an app qube loses it the next time it starts)")
    return remedy
  }

  /// Returns the reason why no fix is printed.
  private func noFix(for cause: Cause) -> String? {
    if cause.code == .unknown { return "The cause is unknown, so no fix is known." }
    if let note = layers.layer(of: cause)?.note(for: cause) { return note }
    guard case .refused = assessment.conclusion else { return nil }
    if assessment.isRefusedOutsideModel, cause.code != .usernsUnmapped {
      return """
        Something other than modes, ACLs, groups and mounts refuses, so changing them does not help.
        """
    }
    if assessment.replacingObject?.opensNothing == true {
      return """
        No permission helps: no driver serves the number of this node, so it cannot be opened.
        """
    }
    let prover = RemedyProver(assessment, names: names)
    guard let obstacle = prover.obstacle else {
      // No permission is missing: the permissions in the facts belong to another object.
      if cause.code.object == .other { return nil }
      return """
        Not even root can make the necessary change: the capabilities of root do not apply to a \
        directory on the path whose owner or group has no ID there.
        """
    }
    return ObstacleWriter(names: names).note(of: obstacle)
  }
}

extension [Remedy] {
  /// Moves the fixes that satisfy a condition to the front, and otherwise keeps their order.
  fileprivate mutating func putFirst(_ isFirst: (Remedy) -> Bool) {
    self = filter(isFirst) + filter { !isFirst($0) }
  }

  /// Moves the fixes of the main cause's own layer to their place.
  ///
  /// If they come first and the best of them lasts, a temporary fix comes second.
  fileprivate mutating func put(
    _ own: @autoclosure () -> [String], as precedence: RemedyPrecedence
  ) {
    if precedence == .byOrder { return }
    let own = own()
    putFirst { own.contains($0.title) }
    guard let best = first, own.contains(best.title) else { return }
    if precedence == .only {
      self = [best]
    } else if best.end.isLasting, let interim = firstIndex(where: \.isInterim) {
      insert(remove(at: interim), at: 1)
    }
  }
}

/// Describes the obstacle that remains if no change to permissions helps.
struct ObstacleWriter: Sendable {
  let names: Names

  func note(of obstacle: RemedyPlanner.Obstacle) -> String {
    let decision = obstacle.decision
    let access = obstacle.facts.access
    let at = decision.steps.last?.path ?? decision.at ?? access.request.path
    let node = decision.steps.last?.node
    let mount = access.mount(of: at)
    let place = mount?.at ?? "/"
    switch decision.rule {
    case .openIsDirectory: return "\(at) is a directory, which no program can open for writing."
    case .walkNotDirectory: return "\(at) is not a directory, but the path continues below it."
    case .walkNoEntry: return "\(access.request.path) does not exist."
    case .walkTooManyLinks: return "The path has a loop of symbolic links, or too many of them."
    case .walkNameTooLong: return "The path is too long for any program."
    case .symlinkNoFollow:
      return """
        \(at) is a symbolic link, but the program opens it with O_NOFOLLOW; the target of the link \
        cannot be named instead.
        """
    case .symlinkProtected:
      return """
        fs.protected_symlinks forbids following \(at), a link of another user in a directory that \
        everybody can write to; the target of the link cannot be named instead.
        """
    case .symlinkNoSymfollow:
      return "\(place) is mounted nosymfollow, and no remount changes that here."
    case .openExists: return "\(at) exists, but the program asks for a new file (O_EXCL)."
    case .createSticky:
      return """
        \(at) belongs to another user in a sticky directory, and the program opens it with \
        O_CREAT.
        """
    case .createUnmappedID:
      return """
        The filesystem at \(place) has no ID for the user or group that the new file would belong \
        to. It has to be mounted with an ID map that contains both.
        """
    case .createUnsupported: return "Nobody can create files on the filesystem at \(place)."
    case .mountNodev where mount?.superblockNodev == true:
      return """
        \(place) was mounted inside a user namespace, where no device works. \(at) has to be on a \
        filesystem that was mounted outside.
        """
    case .mountNodev: return "\(place) has to be mounted without nodev."
    case .mountNoexec: return "\(place) has to be mounted without noexec."
    case .mountReadOnly, .superblockReadOnly:
      if let mount, mount.isAlwaysReadOnly { return "\(mount.fstype) is always read-only." }
      return "The filesystem at \(place) is read-only, and a remount cannot make it writable."
    case .inodeUnmappedID: return Self.unmapped(at, place)
    case .deviceCgroup:
      let number = node?.rdev.map { "\($0.major):\($0.minor)" } ?? "its number"
      return """
        Not even root can open \(at) here until the device cgroup allows it \
        (\(number) \(access.request.permissions.letters)).
        """
    case .inodeImmutable, .inodeAppendOnly:
      return "The flag of \(at) cannot be removed: the filesystem at \(place) is read-only."
    default: return permissionNote(obstacle, at, node, mount)
    }
  }

  private func permissionNote(
    _ obstacle: RemedyPlanner.Obstacle, _ at: String, _ node: Node?, _ mount: Mount?
  ) -> String {
    let place = mount?.at ?? "/"
    let user = obstacle.facts.access.subject.fsuid
    if let node, let mount {
      if mount.userSeen(node.uid) == nil || mount.groupSeen(node.gid) == nil {
        return Self.unmapped(at, place)
      }
      if mount.userStored(user) == nil {
        return """
          No ACL can name \(names.user(user)), who has no ID on the filesystem at \(place), and no \
          group or class of \(at) has the access that is wanted.
          """
      }
      if !mount.unobserved.isEmpty || !node.unobserved.isEmpty {
        return "\(at) was not observed in full, so no change of it can be proven to help."
      }
    }
    return """
      No change to the mode, ACL, group, mount options or inode flags of \(at) is known that gives \
      this access to this user alone.
      """
  }

  private static func unmapped(_ at: String, _ place: String) -> String {
    """
    Nobody can write or change \(at), because its owner or group has no ID at \(place). The \
    filesystem has to be mounted with an ID map that contains both.
    """
  }
}
