internal import AccessModel

/// What execve(2) makes of the credentials of a unit: its programs may have set-id bits or
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

  /// The subject after its program was started, and what is not known of that.
  ///
  /// Where several outcomes are possible, what they differ in is marked as not observed.
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

  /// Those of the commands that count, each once.
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
    // What is not known of the user stays so.
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

  /// Whether set-id bits and capabilities of files count: some versions mount everything without them
  /// beside `NoNewPrivileges=`, where the unit has mounts of its own (`mount_nosuid`).
  private func honoured(_ isHonoured: Bool?) -> [Bool] {
    guard let isHonoured else { return [true, false] }
    guard isHonoured else { return [false] }
    return settings.noNewPrivileges && settings.hasMountNamespace ? [true, false] : [true]
  }

  /// Whether `NoNewPrivileges=` is set, which some versions do beside filters of system calls for a
  /// user without CAP_SYS_ADMIN.
  private func forbidden(to subject: Subject) -> [Bool] {
    if settings.noNewPrivileges { return [true] }
    let isRoot = settings.start == .asRoot || settings.start == .privileged || runsAsRoot(subject)
    return settings.mayForbidNewPrivileges && !isRoot ? [false, true] : [false]
  }

  private func runsAsRoot(_ subject: Subject) -> Bool {
    subject.fsuid == own.translator.outsideRoot
  }

  /// What the process may raise before execve(2): root everything, another user too where systemd
  /// keeps it across setresuid(2) (`enforce_user`).
  private func permitted(before subject: Subject) -> CapabilitySet {
    let keeps = settings.ambientSet != [] || settings.secureBits != 0
    return runsAsRoot(subject) || keeps ? .all : []
  }
}

extension Subject {
  /// Marks as unknown what another outcome of the same start has otherwise.
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
  /// What of the file changes credentials, for a sentence.
  fileprivate var kindOfPrivilege: String {
    if mode & 0o4000 != 0 { return "the set-user-ID bit" }
    return mode & 0o2010 == 0o2010 ? "the set-group-ID bit" : "capabilities"
  }
}
