internal import AccessModel

/// Applies execve(2) to a unit's credentials, because its programs may have set-id bits or file
/// capabilities.
struct UnitExecution {
  private let settings: UnitSettings
  private let name: UnitName
  private let own: SubjectView

  init(_ settings: UnitSettings, _ name: UnitName, own: SubjectView) {
    self.settings = settings
    self.name = name
    self.own = own
  }

  /// Returns the subject after its program has started, and the facts that are unknown.
  ///
  /// If several outcomes are possible, the elements that differ are marked as unobserved.
  func start(of subject: Subject) -> (subject: Subject, unobserved: [Unobserved]) {
    var unobserved: [Unobserved] = []
    var outcomes: [Subject] = []
    for program in programs {
      switch program {
      case .plain: add(subject, to: &outcomes)
      case .missing(let path):
        add(subject, to: &outcomes)
        unobserved.append(
          Unobserved(
            "unit-program", at: path,
            reason: "\(path) of ExecStart= cannot be run: systemd cannot start \(name.text)"))
      case .unseen(let path, let reason):
        add(subject, to: &outcomes)
        unobserved.append(
          Unobserved(
            Unobserved.restrictionsLayer, at: path,
            reason: """
              with whose rights \(path) of ExecStart= runs was not observed (\(reason))
              """))
      case .privileged(let path, let file, let isHonoured):
        start(path, file, isHonoured, subject, &outcomes, &unobserved)
      }
    }
    guard var result = outcomes.first else { return (subject, unobserved) }
    for outcome in outcomes.dropFirst() { result.markDifferences(from: outcome) }
    if outcomes.count > 1 {
      unobserved.append(
        Unobserved(
          "unit-program",
          reason: programs.count > 1
            ? "the programs of ExecStart= start with different rights"
            : """
            whether its program gains rights depends on the version of systemd, which may set \
            NoNewPrivileges= or mount without set-id bits
            """))
    }
    return (result, unobserved)
  }

  /// The distinct programs of the commands that have the effective prefix.
  private var programs: [UnitProgram] {
    let search = UnitProgramSearch(settings: settings, own: own)
    var words: [String] = []
    for command in settings.commands where command.start == settings.start {
      if !words.contains(command.program) { words.append(command.program) }
    }
    var programs: [UnitProgram] = []
    for program in words.map(search.program) where !programs.contains(program) {
      programs.append(program)
    }
    return programs
  }

  private func add(_ outcome: Subject, to outcomes: inout [Subject]) {
    if !outcomes.contains(outcome) { outcomes.append(outcome) }
  }

  private func start(
    _ path: String, _ file: ExecutableFacts, _ isHonoured: Bool?, _ subject: Subject,
    _ outcomes: inout [Subject], _ unobserved: inout [Unobserved]
  ) {
    // If the user is unknown, it stays unknown after execve(2).
    guard !subject.unobserved.contains(.ids) else { return add(subject, to: &outcomes) }
    let kind = file.kindOfPrivilege
    var isChanged = false
    var isRefused = false
    for isHonoured in honoured(isHonoured) {
      for isForbidden in forbidden(to: subject) {
        var before = subject
        before.noNewPrivileges = isForbidden
        before.permitted = permitted(before: subject)
        var file = file
        file.isPrivilegeHonoured = isHonoured
        guard var after = before.afterExecve(of: file) else {
          isRefused = true
          continue
        }
        after.noNewPrivileges = subject.noNewPrivileges
        after.securebits = subject.securebits
        if after != subject { isChanged = true }
        add(after, to: &outcomes)
      }
    }
    if isRefused {
      unobserved.append(
        Unobserved(
          Unobserved.restrictionsLayer, at: path,
          reason: """
            execve(2) refuses \(path) of ExecStart= (EPERM): the bounding set lacks capabilities \
            of the file
            """))
    }
    if isChanged {
      unobserved.append(
        Unobserved(
          "unit-program", at: path,
          reason: "\(path) of ExecStart= has \(kind), so it may start with other rights"))
    }
  }

  /// Returns whether set-id bits and file capabilities may take effect, as a list of possible
  /// values.
  ///
  /// If `NoNewPrivileges=` is set and the unit has its own mount namespace, some versions of
  /// systemd mount everything with `nosuid` (`mount_nosuid`).
  private func honoured(_ isHonoured: Bool?) -> [Bool] {
    guard let isHonoured else { return [true, false] }
    guard isHonoured else { return [false] }
    return settings.noNewPrivileges && settings.hasMountNamespace ? [true, false] : [true]
  }

  /// Returns the possible values of the process's `no_new_privs` attribute.
  ///
  /// Besides `NoNewPrivileges=`, some versions of systemd set it for system call filters if the
  /// user lacks CAP_SYS_ADMIN.
  private func forbidden(to subject: Subject) -> [Bool] {
    if settings.noNewPrivileges { return [true] }
    let isRoot = settings.start == .asRoot || settings.start == .privileged || runsAsRoot(subject)
    return settings.mayForbidNewPrivileges && !isRoot ? [false, true] : [false]
  }

  private func runsAsRoot(_ subject: Subject) -> Bool {
    subject.fsuid == own.translator.outsideRoot
  }

  /// Returns the capabilities that the process can raise before execve(2).
  ///
  /// Root can raise all of them. For another user, that is possible only if systemd keeps them
  /// across setresuid(2) (`enforce_user`).
  private func permitted(before subject: Subject) -> CapabilitySet {
    let keeps = settings.ambientSet != [] || settings.secureBits != 0
    return runsAsRoot(subject) || keeps ? .all : []
  }
}

extension Subject {
  /// Marks the elements that differ from another possible outcome as unobserved.
  fileprivate mutating func markDifferences(from other: Subject) {
    let ids = [ruid, euid, suid, fsuid, rgid, egid, sgid, fsgid]
    if ids != [
      other.ruid, other.euid, other.suid, other.fsuid, other.rgid, other.egid, other.sgid,
      other.fsgid,
    ] {
      unobserved.insert(.ids)
    }
    if [permitted, effective, ambient] != [other.permitted, other.effective, other.ambient] {
      unobserved.insert(.capabilities)
    }
  }
}

extension ExecutableFacts {
  /// The attribute of the file that changes credentials, as a phrase.
  fileprivate var kindOfPrivilege: String {
    if mode & 0o4000 != 0 { return "the set-user-ID bit" }
    return mode & 0o2010 == 0o2010 ? "the set-group-ID bit" : "capabilities"
  }
}
