internal import AccessModel

/// A service of the system manager: its running main process, or the program that systemd would
/// start.
///
/// The settings come from the running manager over D-Bus, or from the unit files if the manager is
/// not running. No privilege is needed. Reading the root directory of a running process requires
/// the permission to trace it. Without that permission, the root directory is derived from the
/// settings.
struct UnitSubject {
  let roots: MachineRoots
  let own: SubjectView

  /// Returns the view of a unit, for the given path if the question has one.
  ///
  /// - Throws: `noSubject` if the unit does not exist, `maskedUnit` if it is masked.
  func view(of word: String, target: String?) throws(DeviceError) -> SubjectView {
    guard let name = UnitName(word), !name.isTemplate else { throw Self.absent(word) }
    var unobserved: [Unobserved] = []
    let (settings, source) = try settings(of: name, &unobserved)
    unobserved += settings.problems.map { Unobserved("unit-settings", reason: $0) }
    var view =
      UnitProcesses(roots: roots, own: own).view(of: name, settings, source, target: target)
      ?? start(of: name, settings, source, target: target)
    view.unobserved += unobserved
    // A running process's view already reflects its settings, except for its filters. For any other
    // process, the effect of the settings depends on the path.
    if let unit = view.unit, unit.isRunning, !unit.needsOverlay {
      view.unobserved += unit.settings.doubts.map { doubt in
        let isSeen = doubt.concern != .calls
        return Unobserved(
          isSeen ? "unit-settings" : Unobserved.restrictionsLayer, reason: doubt.reason)
      }
    }
    return view
  }

  private static func absent(_ name: String) -> DeviceError {
    DeviceError(.noSubject, operation: "find unit", path: name)
  }

  private static func masked(_ name: String) -> DeviceError {
    DeviceError(.maskedUnit, operation: "start unit", path: name)
  }

  // MARK: The start

  private func start(
    of name: UnitName, _ settings: UnitSettings, _ source: SubjectOrigin.Source, target: String?
  ) -> SubjectView {
    var view = own
    view.origin = SubjectOrigin(.unit, name: name.text, source: source)
    view.process = nil
    view.seccompMode = nil
    view.session = .nobody
    view.environment = { _ in nil }
    view.checker = .none("the answer is for the unit's settings, not for a process")
    let isPrivileged = settings.start == .privileged
    let settings = isPrivileged ? settings.withoutSandbox : settings
    view.unit = UnitView(name: name, settings: settings)
    view.subject = UnitCredentials(roots: roots, own: own)
      .subject(settings, settings.realName ?? name, &view)
    if let root = UnitRoot(settings, target: target ?? "/").directory {
      view.root = root
      // The unit's mount namespace is a copy of the manager's.
      view.placeAmongMounts = root
    }
    if settings.hasSeveralStarts {
      view.unobserved.append(
        Unobserved(
          "unit-start",
          reason: "the commands of ExecStart= differ; the answer is for the least privileged"
        ))
    }
    if view.subject.fsuid == 0, !view.subject.effective.isEmpty {
      view.unobserved.append(
        Unobserved(
          "unit-start",
          reason: "the answer is for the start; a program that starts as root may change its user"))
    }
    return view
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
    if roots == MachineRoots(), UnitBus.isManagerRunning {
      switch ask(name) {
      case .success(.found(let settings)): return (settings, .manager)
      case .success(.absent): throw Self.absent(name.text)
      case .success(.masked): throw Self.masked(name.text)
      case .failure(let error):
        unobserved.append(
          Unobserved(
            "unit-settings",
            reason:
              "systemd could not be asked (\(error.reason)), so the unit files were read instead"))
      }
    }
    let unitFiles = UnitFiles(roots: roots)
    switch unitFiles.read(name) {
    case .absent: throw Self.absent(name.text)
    case .masked: throw Self.masked(name.text)
    case .found(let contents):
      unobserved += contents.problems.map { Unobserved("unit-files", reason: $0) }
      var settings = UnitSettingsReader.settings(of: contents.name, files: contents.files)
      settings.doubts = contents.doubts.map { UnitSettings.Doubt($0) } + settings.doubts
      settings.realName = contents.name
      settings.addSlicePolicies(
        from: settings.slice ?? contents.name.defaultSlice, in: unitFiles)
      return (settings, .files)
    }
  }
}

/// Finds the running processes of a service and selects one of them as the subject.
struct UnitProcesses {
  let roots: MachineRoots
  let own: SubjectView

  /// Returns the view of the main process, or of the first process in the control group.
  ///
  /// Returns `nil` if no process is running, or if none can be inspected.
  func view(
    of name: UnitName, _ settings: UnitSettings, _ source: SubjectOrigin.Source, target: String?
  ) -> SubjectView? {
    guard source == .manager else { return nil }
    let numbers = processes(of: settings.controlGroup)
    guard let number = settings.mainProcess ?? numbers.first,
      var view = try? ProcessSubject(roots: roots, own: own).view(of: number)
    else { return nil }
    view.origin = SubjectOrigin(.unit, name: name.text, pid: number, source: source)
    view.session = .nobody
    let settings = settings.start == .privileged ? settings.withoutSandbox : settings
    view.unit = UnitView(name: name, settings: settings, isRunning: true, needsOverlay: false)
    if view.unobserved.contains(where: { $0.layer == "root-directory" }) {
      // The settings show which root directory the process has.
      view.unobserved.removeAll { $0.layer == "root-directory" }
      view.root = UnitRoot(settings, target: target ?? "/").directory ?? own.root
      view.mounts = own.mounts
      view.unit?.needsOverlay = true
    }
    let others = users(of: numbers).subtracting([view.subject.fsuid])
    if !others.isEmpty {
      let list = others.sorted().map(String.init).joined(separator: ", ")
      view.unobserved.append(
        Unobserved(
          "other-processes",
          reason: """
            this is for process \(number); others of the unit run as user \(list), and --pid asks \
            about one of them
            """))
    }
    return view
  }

  private static let mostProcesses = 256

  /// Returns the processes of a control group and its descendants.
  private func processes(of group: String?) -> [Int32] {
    guard let group, group.hasPrefix("/"), !group.contains("/../") else { return [] }
    var ignored: [Unobserved] = []
    let table = MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    // In version 1, systemd's own control groups are in a separate hierarchy.
    let mount = table.entries.last { entry in
      entry.root == "/"
        && (entry.fstype == "cgroup2"
          || entry.fstype == "cgroup" && entry.superblockOptions.contains("name=systemd"))
    }
    guard let point = mount?.point else { return [] }
    return ControlGroupFolder(path: point + group).allProcesses(limit: Self.mostProcesses)
  }

  private func users(of processes: [Int32]) -> Set<UInt32> {
    var translator = own.translator
    return Set(
      processes.compactMap { number in
        let file = try? BoundedFile.read(
          "\(roots.proc)/\(number)/status", limit: 1 << 16)
        return file.flatMap { ThreadStatus(parsing: $0.bytes).users?[3] }
          .map { translator.user($0) }
      })
  }
}
