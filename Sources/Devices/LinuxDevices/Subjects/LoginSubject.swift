internal import AccessModel

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
