/// Finds the causes of a refusal: the one to report first, then others that stand in the way as
/// well or that could be the true one.
struct CauseFinder: JudgementReader {
  let judgement: Judgement
  let names: Names

  init(_ judgement: Judgement) {
    self.judgement = judgement
    names = Names(judgement.facts.account, subject: judgement.subject)
  }

  /// Whether the settings of a unit are the facts, and not only their effects.
  var isOfUnit: Bool { facts.origin?.kind == .unit }

  /// The canonical path where it was decided.
  var place: String {
    // A doubt about another object says nothing of what the kernel did not find.
    if judgement.verdict == .absent, case .undecided = judgement.decision.outcome { return path }
    return judgement.decision.at ?? path
  }

  /// The subject as sentences call it.
  var user: String {
    subject.unobserved.contains(.dynamicIDs) ? "a dynamic user" : names.user(subject.fsuid)
  }

  /// Every cause, the one to report first; empty for a grant that nothing speaks against.
  func causes() -> [Cause] {
    var causes: [Cause]
    switch judgement.verdict {
    case .granted: causes = []
    case .absent where judgement.standIn != nil: causes = []
    case .absent:
      let rule = judgement.decision.rule
      causes =
        rule == .walkNoEntry || rule == nil || judgement.decision.isGranted
        ? absenceCauses() : rule.map { [Self.plainCause($0, at: place)] } ?? []
    case .undecided: causes = undecidedCauses()
    case .refused(let errno):
      causes = judgement.isRefusedOutsideModel ? outsideCauses(errno) : ruleCauses()
    }
    causes += nodeCauses() + useCauses()
    if let portal = portalCause() { causes.insert(portal, at: 0) }
    if let standIn = standInCause() {
      // What refuses a node without a device is told first; mending that alone opens nothing.
      if case .noDriver = judgement.standIn, standIn.code == .nodeNoDriver {
        causes.append(standIn)
      } else {
        causes.insert(standIn, at: 0)
      }
    }
    var seen: Set<CauseCode> = []
    return causes.filter { seen.insert($0.code).inserted }
  }

  /// The causes behind the rule that decided.
  private func ruleCauses() -> [Cause] {
    guard let rule = judgement.decision.rule, let step = judgement.decidingStep else {
      return undecidedCauses()
    }
    let at = judgement.decision.at ?? step.path
    var causes: [Cause]
    switch rule {
    case .modeOwner, .modeGroup, .modeOther, .aclUser, .aclGroup, .aclMask, .aclOther,
      .overrideFileAccess, .readAndSearch:
      causes = step.node.map { permissionCauses(at: $0, step: step) } ?? undecidedCauses()
    case .inodeUnmappedID:
      causes = [
        Cause(
          .usernsUnmapped,
          summary: """
            The owner or group of \(at) has no number through this mount, so nobody may write it.
            """, at: at)
      ]
    case .mountNodev:
      causes = hiddenByUnit(at: step.node) ?? [nodevCause(at: at)]
    case .mountReadOnly, .superblockReadOnly:
      let mount = judgement.mount?.at ?? at
      causes = [
        Cause(
          .mountReadOnly, summary: "\(at) is on the file system at \(mount), which is read-only.",
          at: at)
      ]
    case .deviceCgroup:
      causes = deviceCgroupCauses(at: at, isProven: true)
    default:
      causes = [Self.plainCause(rule, at: at)]
    }
    if judgement.couldRaise { causes.insert(capabilityCause(at: at), at: 0) }
    return causes
  }

  private func nodevCause(at path: String) -> Cause {
    let mount = judgement.mount
    let place = mount?.at ?? path
    let isSuperblock = mount.map { !$0.nodev && $0.superblockNodev } ?? false
    let reason =
      isSuperblock
      ? "was mounted in a user namespace, so devices on it cannot be opened"
      : "is mounted nodev, so devices on it cannot be opened, not even by root"
    return Cause(
      .mountNodev, summary: "\(path) is on the file system at \(place), which \(reason).", at: path)
  }

  private func capabilityCause(at path: String) -> Cause {
    let names = judgement.raisableCapabilities.map { "CAP_" + $0.name.uppercased() }
    let what =
      names.isEmpty
      ? "another of its own identifiers" : names.joined(separator: " or ")
    return Cause(
      .capabilityNotEffective,
      summary: "The process is refused as it is, and it may take \(what), which gives access.",
      at: path)
  }

  /// Rules that need no more than the path to be explained.
  private static func plainCause(_ rule: Rule, at path: String) -> Cause {
    switch rule {
    case .walkNotDirectory:
      Cause(
        .pathNotADirectory, summary: "\(path) is not a directory, and one is needed there.",
        at: path)
    case .walkTooManyLinks:
      Cause(.symlinkLoop, summary: "The path leads through more than 40 symbolic links.", at: path)
    case .walkNameTooLong:
      Cause(.pathTooLong, summary: "The path, or a name in it, is too long.", at: path)
    case .symlinkProtected:
      Cause(
        .symlinkRefused,
        summary: """
          \(path) is a symbolic link of another user in a sticky, world-writable directory \
          (fs.protected_symlinks).
          """, at: path)
    case .symlinkNoSymfollow:
      Cause(
        .symlinkRefused, summary: "\(path) is a symbolic link on a mount that follows none.",
        at: path)
    case .symlinkNoFollow:
      Cause(
        .symlinkRefused, summary: "\(path) is a symbolic link, and the request follows none.",
        at: path)
    case .openIsDirectory:
      Cause(
        .nodeNotADevice, summary: "\(path) is a directory and cannot be opened for writing.",
        at: path)
    case .mountNoexec:
      Cause(.mountNoexec, summary: "\(path) is on a file system that is mounted noexec.", at: path)
    case .inodeImmutable:
      Cause(
        .fileImmutable, summary: "\(path) is marked immutable, so nobody may write it.", at: path)
    case .inodeAppendOnly:
      Cause(
        .fileAppendOnly,
        summary: "\(path) is marked append-only, and this request is not for that.",
        at: path)
    case .openExists:
      Cause(
        .openFlagRefused, summary: "\(path) exists, and the request wants a new file (O_EXCL).",
        at: path)
    case .createSticky:
      Cause(
        .openFlagRefused,
        summary: """
          \(path) belongs to somebody else in a sticky directory, where O_CREAT opens only what \
          the user or the directory's owner put (fs.protected_regular, fs.protected_fifos).
          """, at: path)
    case .createUnmappedID:
      Cause(
        .usernsUnmapped,
        summary: """
          The file system of \(path) has no number for the user or group that a new file would \
          belong to, so nothing can be created there.
          """, at: path)
    case .createUnsupported:
      Cause(
        .openFlagRefused,
        summary: "\(path) holds the kernel's own files alone: nobody can create one.", at: path)
    case .openNoAccessTime:
      Cause(
        .openFlagRefused, summary: "Only the owner of \(path) may open it with O_NOATIME.", at: path
      )
    default:
      Cause(.unknown, summary: "The rule \(rule.rawValue) refuses \(path).", at: path)
    }
  }

  private func undecidedCauses() -> [Cause] {
    let summary: String
    if let unseen = judgement.unseenDevices, let kind = facts.kind {
      summary = "Whether there is a \(kind) to use cannot be told: \(unseen)."
    } else if case .undecided(let reason) = judgement.decision.outcome {
      summary = "Whether \(path) may be used cannot be told: \(reason)."
    } else if judgement.disagreement != nil {
      summary = "The model and the kernel disagree about \(path), so something was not seen."
    } else {
      summary = "Nothing that was observed tells why \(path) is refused."
    }
    return [Cause(.unknown, summary: summary, at: path, isProven: false)]
  }
}
