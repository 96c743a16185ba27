internal import AccessModel

/// The subject of an observation, and its view of the machine.
struct SubjectView: Sendable {
  var subject: Subject
  var translator: IDTranslator
  var seccompMode: Int?
  var mounts: MountTable
  var unobserved: [Unobserved] = []
  /// The origin of the subject; `nil` for the calling thread without variations.
  var origin: SubjectOrigin?
  /// The path of the subject's root directory, without a trailing slash.
  var root = ""
  /// The path of the root directory in ``mounts``; empty if the mounts are listed relative to it.
  var placeAmongMounts = ""
  /// The process whose confinement applies to the subject; `nil` if the subject is not running.
  var process: String?
  /// Looks up a variable of the subject's environment.
  var environment: @Sendable (String) -> String?
  var session = SessionOwner.caller
  var checker: KernelChecker
  /// The unit that the question is about.
  var unit: UnitView?
  /// The open folder of the process in `/proc`, and the credentials that were read first.
  var directory: (folder: ProcessDirectory, status: ThreadStatus)?
}

extension SubjectView {
  /// Returns the calling thread as the subject.
  static func ownProcess(
    roots: MachineRoots, environment: @escaping @Sendable (String) -> String?
  ) -> SubjectView {
    let credentials = CredentialObserver(roots: roots).observe()
    var unobserved = credentials.unobserved
    let process = "\(roots.proc)/thread-self"
    let mounts = MountTable.read("\(process)/mountinfo", &unobserved)
    return SubjectView(
      subject: credentials.subject, translator: credentials.translator,
      seccompMode: credentials.seccompMode, mounts: mounts, unobserved: unobserved,
      process: process, environment: environment, checker: .caller)
  }

  /// Creates the view of a question's subject.
  ///
  /// - Throws: `noSubject` if the subject does not exist, `maskedUnit` if the unit is masked, or
  ///   another code if the subject cannot be inspected.
  init(
    of question: Question, roots: MachineRoots,
    environment: @escaping @Sendable (String) -> String?
  ) throws(DeviceError) {
    let own = SubjectView.ownProcess(roots: roots, environment: environment)
    switch question.subject {
    case .ownProcess: self = own
    case .user(let name): self = try LoginSubject(roots: roots, own: own).view(of: name)
    case .process(let number):
      self = try ProcessSubject(roots: roots, own: own).view(of: number)
    case .unit(let name):
      self = try UnitSubject(roots: roots, own: own)
        .view(of: name, target: Self.target(of: question))
    }
    try vary(question.variation, roots: roots)
  }

  /// Returns the path in question, or `/dev` for a kind of device.
  private static func target(of question: Question) -> String? {
    switch question.target {
    case .path(let path): try? AbsolutePath.resolve(path)
    case .kind(.album): nil
    case .kind: "/dev"
    }
  }

  /// Applies a variation, which makes the subject hypothetical.
  ///
  /// - Throws: `noSubject` if a group in the variation does not exist, or another code if it could
  ///   not be looked up.
  private mutating func vary(
    _ variation: SubjectVariation, roots: MachineRoots
  ) throws(DeviceError) {
    guard !variation.isEmpty else { return }
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    var numbers: [String: UInt32] = [:]
    for name in variation.groupNames {
      let number: UInt32?
      do throws(Errno) {
        number = try source.group(word: name)
      } catch {
        throw DeviceError(unableTo: "look up group", name, error)
      }
      guard let number else {
        throw DeviceError(.noSubject, operation: "find group", path: name)
      }
      numbers[name] = translator.group(number)
    }
    subject = variation.applied(to: subject, numbers: numbers)
    var origin = self.origin ?? SubjectOrigin(.ownProcess)
    origin.variations = variation.clauses
    self.origin = origin
    checker = .none("the kernel cannot check a hypothetical subject")
  }
}

/// A user after a new login, with the groups in the user database and no capabilities except
/// root's.
struct LoginSubject {
  let roots: MachineRoots
  let own: SubjectView

  /// Returns the view of the user with the given name or ID.
  ///
  /// - Throws: `noSubject` if the user does not exist, or another code if the user database could
  ///   not be read.
  func view(of name: String) throws(DeviceError) -> SubjectView {
    var view = own
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    let account: AccountFile.Line?
    do throws(Errno) {
      account = try source.user(word: name)
    } catch {
      throw DeviceError(unableTo: "look up user", name, error)
    }
    let stranger = account == nil ? source.number(word: name).map(Self.stranger) : nil
    guard let user = account ?? stranger, let primary = user.group else {
      throw DeviceError(.noSubject, operation: "find user", path: name)
    }
    let groups = stranger == nil ? source.loginGroups(of: user) : [primary]
    view.subject = Subject(
      uid: view.translator.user(user.id), gid: view.translator.group(primary))
    view.subject.userNamespace = own.subject.userNamespace
    view.subject.unobserved = own.subject.unobserved.intersection([.userns])
    if let groups {
      view.subject.groups = groups.map { view.translator.group($0) }
    } else {
      view.subject.unobserved.insert(.groups)
      view.unobserved.append(
        Unobserved("accounts", reason: "the groups of \(user.name) could not be read"))
    }
    if user.id == 0 { giveCapabilities(to: &view.subject, &view.unobserved) }

    view.origin = SubjectOrigin(.user, name: stranger == nil ? user.name : nil)
    view.process = nil
    view.seccompMode = 0
    view.environment = { _ in nil }
    view.session = .user
    let identity = CheckerCredentials(
      user: user.id, group: primary, groups: groups ?? [],
      capabilities: view.subject.effective)
    view.checker = checker(identity, isComplete: groups != nil)
    return view
  }

  /// Returns an account line for a user ID without an account.
  ///
  /// A process that starts as such a user gets the group that represents unmapped groups
  /// (`/proc/sys/kernel/overflowgid`).
  private static func stranger(_ id: UInt32) -> AccountFile.Line {
    AccountFile.Line(name: String(id), id: id, group: 65534)
  }

  /// Gives a root login the capabilities in the bounding set of the first process.
  private func giveCapabilities(to subject: inout Subject, _ unobserved: inout [Unobserved]) {
    let path = "\(roots.proc)/1/status"
    let first = try? BoundedFile.read(path, limit: 1 << 16)
    let bounding = first.flatMap { ThreadStatus(parsing: $0.bytes).bounding }
    if bounding == nil {
      subject.unobserved.insert(.capabilities)
      unobserved.append(
        Unobserved("capabilities", at: path, reason: "the capabilities of a root login are unknown")
      )
    }
    subject.bounding = bounding ?? .all
    subject.permitted = subject.bounding
    subject.effective = subject.bounding
  }

  private func checker(_ identity: CheckerCredentials, isComplete: Bool) -> KernelChecker {
    guard roots == MachineRoots() else {
      return .none("the machine is a recorded snapshot")
    }
    guard isComplete else { return .none("the user's groups are unknown") }
    // SELinux and Smack decide by the label, which a child process inherits from this process.
    let modules = try? BoundedFile.line("\(roots.sysfs)/kernel/security/lsm")
    let names = modules?.split(separator: ",") ?? []
    guard !names.contains("selinux"), !names.contains("smack") else {
      return .none("a security module decides by the label, which a login changes")
    }
    guard identity.canBeTaken(by: own.subject) else {
      return .none("checking for another user requires CAP_SETUID and CAP_SETGID")
    }
    return .child(identity)
  }
}
