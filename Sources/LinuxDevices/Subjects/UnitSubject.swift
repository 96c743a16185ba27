internal import AccessModel

/// A service of the system's manager, as systemd would start it now.
///
/// Its settings come from the running manager over D-Bus, and from the unit files where none
/// runs. No privilege is needed.
struct UnitSubject {
  let machine: LinuxMachine
  let own: SubjectView

  /// - Throws: `noSubject` for a unit that does not exist, `maskedUnit` for a masked one.
  func view(of word: String) throws(DeviceError) -> SubjectView {
    guard let name = UnitName(word), !name.isTemplate else { throw Self.absent(word) }
    var view = own
    let (settings, source) = try settings(of: name, &view.unobserved)
    view.origin = SubjectOrigin(.unit, name: name.text, source: source)
    view.process = nil
    view.seccompMode = nil
    view.session = .nobody
    view.environment = { _ in nil }
    view.witness = .none("the unit is judged by its settings, not by a process")
    view.unobserved += settings.problems.map { Unobserved("unit-settings", reason: $0) }
    view.subject = subject(settings, name, &view)
    view.unit = (name, settings)
    return view
  }

  private static func absent(_ name: String) -> DeviceError {
    DeviceError(.noSubject, operation: "find unit", path: name)
  }

  private static func masked(_ name: String) -> DeviceError {
    DeviceError(.maskedUnit, operation: "start unit", path: name)
  }

  // MARK: Settings

  private func ask(_ name: UnitName) -> Result<UnitBus.Answer, Errno> {
    do throws(Errno) {
      return .success(try UnitBus().read(name))
    } catch {
      return .failure(error)
    }
  }

  private func settings(
    of name: UnitName, _ unobserved: inout [Unobserved]
  ) throws(DeviceError) -> (UnitSettings, SubjectOrigin.Source) {
    if machine.roots == MachineRoots(), UnitBus.isManagerRunning {
      switch ask(name) {
      case .success(.found(let settings)): return (settings, .manager)
      case .success(.absent): throw Self.absent(name.text)
      case .success(.masked): throw Self.masked(name.text)
      case .failure(let error):
        unobserved.append(
          Unobserved(
            "unit-settings",
            reason: "systemd could not be asked (\(error.clause)), so they are from its files"))
      }
    }
    switch UnitFiles(roots: machine.roots).read(name) {
    case .absent: throw Self.absent(name.text)
    case .masked: throw Self.masked(name.text)
    case .found(let files, let problems):
      unobserved += problems.map { Unobserved("unit-files", reason: $0) }
      return (UnitSettingsReader.settings(of: name, files: files), .files)
    }
  }

  // MARK: Credentials

  /// The number that stands for a dynamic user that is not allocated: the first of its range
  /// (systemd.exec(5), `DynamicUser=`).
  private static let dynamicUser: UInt32 = 61184

  private func subject(
    _ settings: UnitSettings, _ name: UnitName, _ view: inout SubjectView
  ) -> Subject {
    var ignored: [Unobserved] = []
    var source = AccountSources.source(machine.roots, &ignored)
    var subject = Subject(uid: 0, gid: 0)
    var inside: (user: UInt32, group: UInt32) = (0, 0)
    let userName = settings.user ?? (settings.isDynamicUser ? name.prefix : nil)
    if let userName {
      if let user = source.user(word: userName), let primary = user.group {
        inside = (user.id, primary)
        if let groups = source.loginGroups(of: user) {
          subject.groups = groups
        } else {
          subject.unobserved.insert(.groups)
        }
      } else if settings.isDynamicUser {
        let number = settings.runningUser ?? Self.dynamicUser
        inside = (number, number)
        if settings.runningUser == nil {
          view.unobserved.append(
            Unobserved(
              "dynamic-user", reason: "its number is chosen at the start; \(number) stands for it"))
        }
      } else {
        subject.unobserved.formUnion([.ids, .groups, .capabilities])
        view.unobserved.append(
          Unobserved("unit-user", reason: "there is no user \(userName): systemd cannot start it"))
      }
    }
    for (setting, word) in [settings.group].compactMap(\.self).map({ ("Group", $0) })
      + settings.supplementaryGroups.map({ ("SupplementaryGroups", $0) })
    {
      if let number = source.group(word: word) {
        if setting == "Group" { inside.group = number } else { subject.groups.append(number) }
      } else if !(settings.isDynamicUser && setting == "Group") {
        subject.unobserved.insert(.groups)
        view.unobserved.append(
          Unobserved("unit-group", reason: "there is no group \(word): systemd cannot start it"))
      }
    }
    take(inside, &subject, &view.translator)
    takeCapabilities(settings, user: inside.user, &subject)
    if settings.privateUsers { takeNamespace(inside, &subject) }
    return subject
  }

  private func take(
    _ inside: (user: UInt32, group: UInt32), _ subject: inout Subject,
    _ translator: inout IDTranslator
  ) {
    let groups = subject.groups.map { translator.group($0) }
    let unobserved = subject.unobserved.union(own.subject.unobserved.intersection([.userns]))
    subject = Subject(
      uid: translator.user(inside.user), gid: translator.group(inside.group), groups: groups)
    subject.unobserved = unobserved
    subject.userNamespace = own.subject.userNamespace
  }

  /// What execve(2) leaves to the program: everything within bounds to root, the ambient set to
  /// anybody else.
  private func takeCapabilities(
    _ settings: UnitSettings, user: UInt32, _ subject: inout Subject
  ) {
    let first = try? BoundedFile.read("\(machine.roots.proc)/1/status", limit: 1 << 16)
    let limit = first.flatMap { ThreadStatus(parsing: $0.bytes).bounding }
    subject.bounding = settings.boundingSet.intersection(limit ?? .all)
    subject.ambient = settings.ambientSet.intersection(subject.bounding)
    subject.inheritable = subject.ambient
    subject.securebits = settings.secureBits
    subject.noNewPrivileges = settings.noNewPrivileges
    if subject.unobserved.contains(.capabilities) { return }
    let isRoot = user == 0 && settings.secureBits & 1 == 0
    subject.permitted = isRoot ? subject.bounding : subject.ambient
    subject.effective = subject.permitted
    if limit == nil { subject.unobserved.insert(.capabilities) }
  }

  /// `PrivateUsers=` maps root and the unit's own user and group, and nobody else.
  private func takeNamespace(
    _ inside: (user: UInt32, group: UInt32), _ subject: inout Subject
  ) {
    func map(_ id: UInt32) -> IDMap {
      IDMap(Set([0, id]).sorted().map { IDMap.Range(inside: $0, outside: $0, length: 1) })
    }
    subject.userNamespace = IDMapping(users: map(inside.user), groups: map(inside.group))
  }
}
