internal import AccessModel

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
