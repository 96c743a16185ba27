internal import AccessModel

/// Finds the running processes of a service, one of which is the subject.
struct UnitProcesses {
  let roots: MachineRoots
  let own: SubjectView

  /// The main process as the subject, or the first of the control group; `nil` when none runs or
  /// may be seen.
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
      // Its settings tell what it sees of the machine's directories.
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

  /// The processes of a control group and of those below it.
  private func processes(of group: String?) -> [Int32] {
    guard let group, group.hasPrefix("/"), !group.contains("/../") else { return [] }
    var ignored: [Unobserved] = []
    let table = MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    // Version 1 keeps systemd's own groups in a hierarchy of their own.
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
