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
  /// Some versions of systemd set the attribute not only for `NoNewPrivileges=`, but also for
  /// system call filters if the user lacks CAP_SYS_ADMIN.
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

/// The file that determines the credentials after execve(2) of an `ExecStart=` command.
///
/// For a script, it is the interpreter (`bprm_creds_from_file`).
enum UnitProgram: Hashable {
  /// A file that does not change the credentials.
  case plain
  /// A file that may change the credentials.
  ///
  /// `isHonoured` indicates whether its mount allows that; it is `nil` if unknown.
  case privileged(path: String, file: ExecutableFacts, isHonoured: Bool?)
  /// No executable file exists at the path.
  case missing(String)
  /// The file could not be inspected, for the given reason.
  case unseen(String, reason: String)
}

/// Finds the programs of a unit as systemd does, in the filesystem that the unit sees.
struct UnitProgramSearch {
  let settings: UnitSettings
  let own: SubjectView

  /// A nesting depth of interpreters that exceeds the kernel's limit.
  private static let mostInterpreters = 5
  /// The folders that systemd searches for a program whose name is not a path (`DEFAULT_PATH`).
  private static let folders = [
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
  ]

  func program(_ word: String) -> UnitProgram {
    if word.hasPrefix("/") { return file(at: word) }
    // An unknown specifier remains in the word.
    guard !word.isEmpty, !word.contains("/"), !word.contains("%") else {
      return .unseen(word, reason: "it has no path")
    }
    for folder in settings.searchPath.isEmpty ? Self.folders : settings.searchPath {
      let found = file(at: "\(folder)/\(word)")
      if case .missing = found { continue }
      return found
    }
    return .missing(word)
  }

  private func file(at path: String) -> UnitProgram {
    var path = path
    for _ in 0..<Self.mostInterpreters {
      switch scan(at: path) {
      case .end(let program): return program
      case .interpreter(let next): path = next
      }
    }
    return .unseen(path, reason: "too many interpreters")
  }

  // MARK: One file

  private enum Scan {
    case end(UnitProgram)
    case interpreter(String)
  }

  private func scan(at path: String) -> Scan {
    guard !path.contains("%") else { return .end(.unseen(path, reason: "it holds a specifier")) }
    let place: (root: String, path: String)
    switch self.place(of: path) {
    case .success(let found): place = found
    case .failure(let hidden): return .end(.unseen(path, reason: hidden.reason))
    }
    var observer = PathObserver(
      translator: own.translator, root: place.root, isForAnother: true, mounts: own.mounts)
    guard let end = PathWalk.walk(place.path, with: &observer),
      let sighting = observer.sighting(end)
    else {
      let unseen = observer.unobserved.first
      return .end(unseen.map { .unseen(path, reason: $0.reason) } ?? .missing(path))
    }
    let node = sighting.node
    if let unseen = observer.unobserved.first(where: { $0.at == end && $0.layer != "flags" }) {
      return .end(.unseen(path, reason: unseen.reason))
    }
    guard node.type == .regular, node.mode & 0o111 != 0 else { return .end(.missing(path)) }
    return scan(at: node, root: place.root, mountID: sighting.mountID)
  }

  private func scan(at node: Node, root: String, mountID: UInt64?) -> Scan {
    let full = root + node.path
    var file = ExecutableFacts(mode: node.mode, uid: node.uid, gid: node.gid)
    do throws(Errno) {
      file.capabilities = try ExecutableFacts.FileCapabilities.read(full)
    } catch {
      return .end(.unseen(node.path, reason: error.reason))
    }
    let isSpecial =
      node.mode & 0o4000 != 0 || node.mode & 0o2010 == 0o2010 || file.capabilities != nil
    let beginning: [UInt8]
    do throws(Errno) {
      beginning = try BoundedFile.readHeld(full, limit: 256).bytes
    } catch {
      return .end(isSpecial ? .unseen(node.path, reason: error.reason) : .plain)
    }
    if beginning.starts(with: "#!".utf8) {
      guard let interpreter = Self.interpreter(in: beginning) else {
        return .end(.unseen(node.path, reason: "its interpreter has no path"))
      }
      return .interpreter(interpreter)
    }
    guard isSpecial else { return .end(.plain) }
    guard beginning.starts(with: [0x7F] + Array("ELF".utf8)) else {
      return .end(.unseen(node.path, reason: "the kernel runs a different program for it"))
    }
    let mount = own.mounts.mount(of: full, id: mountID)
    return .end(
      .privileged(path: node.path, file: file, isHonoured: mount.map { !$0.isWithoutSetID }))
  }

  /// Returns the path after `#!`, or `nil` if it is not absolute.
  static func interpreter(in bytes: [UInt8]) -> String? {
    let blanks: Set<UInt8> = [0x20, 0x09]
    let line = bytes.dropFirst(2).prefix { $0 != ByteScanner.newline && $0 != 0 }
      .drop { blanks.contains($0) }
    let path = line.prefix { !blanks.contains($0) }
    return path.first == UInt8(ascii: "/") ? ByteText(bytes: path).text : nil
  }

  // MARK: Location

  private struct Hidden: Error {
    var reason: String
  }

  /// Returns the root directory and the path in it that correspond to a path in the unit.
  private func place(of path: String) -> Result<(root: String, path: String), Hidden> {
    let replaced = settings.replacedPaths.filter { UnitPath($0.path).covers(path) }
      .max { $0.path.utf8.count < $1.path.utf8.count }
    if let replaced {
      guard let source = replaced.source, !replaced.setting.hasPrefix("MountImages") else {
        return .failure(Hidden(reason: "\(replaced.setting) puts something else there"))
      }
      let rest =
        replaced.path == "/"
        ? path : String(Substring(path.utf8.dropFirst(replaced.path.utf8.count)))
      return .success(("", UnitPath(source + rest).path))
    }
    switch UnitRoot(settings, target: path) {
    case .machine: return .success(("", path))
    case .directory(let directory): return .success((directory, path))
    case .devices, .unknown:
      return .failure(
        Hidden(reason: "\(settings.rootSetting ?? "") gives the unit another root directory"))
    }
  }
}
