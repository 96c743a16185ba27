/// Remedies for a refusal by a mount or an inode flag.
extension RemedyPlanner {
  func mountCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    guard let mount = facts.access.mount(of: step.path) else { return [] }
    let option: FactsChange.MountOption
    let scope: String
    switch rule {
    case .mountNodev where !mount.superblockNodev:
      option = .devices
      scope = "access to every device node on \(mount.at) whose permissions allow it"
    case .mountReadOnly, .superblockReadOnly:
      option = mount.writableOption
      scope = "write access to everything on \(mount.at) whose permissions allow it"
    case .mountNoexec:
      option = .programs
      scope = "permission to run the other programs on \(mount.at)"
    case .symlinkNoSymfollow:
      option = .symbolicLinks
      scope = "access through the other symbolic links on \(mount.at)"
    default: return []
    }
    if option == .filesystemReadWrite, mount.refusesWritableRemount { return [] }
    if let container = facts.confinement.container {
      return containerMountCandidates(container, mount, option, rule)
    }
    // A remount has no effect on a mount of the service, and is lost when the service is restarted.
    if rule == .mountReadOnly, facts.confinement.service?.knownProtections == nil,
      facts.confinement.unitThatProtects(mount) != nil
    {
      return []
    }
    var unit = rule == .mountReadOnly ? facts.confinement.serviceUnit : nil
    if let name = unit, let protections = facts.confinement.service?.knownProtections {
      switch protections.first(where: { $0.at.isSame(as: mount.at) })?.isReadOnlyOutside {
      case false: return sparingCandidates(step.node?.path ?? step.path, of: name, facts)
      // The service's settings may make the mount read-only again, as the assumption says.
      case true: break
      // The settings are known, and they do not change this mount.
      case nil: unit = nil
      }
    }
    return [
      Step(
        title: "Remount \(mount.at) with the option \(option.word)",
        step: Remedy.Step(
          .administrator,
          commands: [mount.remountCommand(option)],
          changes: [.remount(place: mount.at, option: option)]),
        scope: scope, end: .mount,
        assumes: unit.map {
          "no setting of \($0), such as ProtectSystem= or ReadOnlyPaths=, makes it read-only"
        })
    ]
  }

  /// Returns the remedy that makes a path writable for a service whose own settings protect it.
  ///
  /// A remount would be lost when the service is restarted.
  private func sparingCandidates(
    _ path: String, of unit: String, _ facts: AccessFacts
  ) -> [Step] {
    guard path.isConfigurationPath else { return [] }
    let dropIn = UnitDropIn(unit: unit, lines: ["ReadWritePaths=\(path)"], name: "devaccess-write")
    return [
      Step(
        title: "Let \(unit) write to \(path)",
        step: .dropIns([dropIn], restarting: unit, changes: [.spare(path: path)]),
        takesEffect: "when \(unit) is restarted")
    ]
  }

  /// Returns remedies outside a container, which cannot remount filesystems that its engine
  /// mounted.
  private func containerMountCandidates(
    _ container: String, _ mount: Mount, _ option: FactsChange.MountOption, _ rule: Rule
  ) -> [Step] {
    let isWritable = option == mount.writableOption
    guard isWritable || option == .programs else { return [] }
    let word = isWritable ? "writable" : "with the option \(option.rawValue)"
    let title: String
    switch container {
    case "flatpak", "snap", "firejail", "bubblewrap": return []
    case _ where rule == .superblockReadOnly:
      title = "Mount the filesystem behind \(mount.at) writable, outside the container"
    case _ where mount.at == "/":
      title = "Start the container with its root filesystem \(word)"
    case "docker", "podman":
      title =
        "Start the container with the volume at \(mount.at) \(word)"
        + (isWritable ? " (without \":ro\" in its option)" : "")
    case "kubernetes":
      title =
        "Start the pod with the volume at \(mount.at) \(word)"
        + (isWritable ? " (without \"readOnly: true\" in its volumeMount)" : "")
    default: title = "Start the container with the mount at \(mount.at) \(word)"
    }
    return [
      Step(
        title: title,
        step: Remedy.Step(
          .packager, changes: [.remount(place: mount.at, option: option)]),
        takesEffect: "in a new container")
    ]
  }

  func flagCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    guard let node = step.node else { return [] }
    let flag: Node.Flag = rule == .inodeImmutable ? .immutable : .append
    let letter = flag == .immutable ? "i" : "a"
    var edit = NodeEdit(facts, node, staysOpen: true)
    edit.clear(flag, letter)
    return [
      Step(
        title: """
          Remove the \(flag == .immutable ? "immutable" : "append-only") flag from \(node.path)
          """,
        step: Remedy.Step(.administrator, commands: edit.commands, changes: edit.changes),
        scope: node.unobserved.contains(.acl)
          ? "write access to everybody whom its ACL, which was not observed, allows to write"
          : nil)
    ]
  }
}
