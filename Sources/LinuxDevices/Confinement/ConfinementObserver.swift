internal import AccessModel
internal import CSystemd
internal import Glibc

/// Looks for the layers around the subject: container, security modules, unit, device policy.
///
/// All of it is readable without privilege; a sandbox may hide any of it.
struct ConfinementObserver {
  let roots: MachineRoots
  private let view: SubjectView

  init(machine: LinuxMachine, view: SubjectView) {
    roots = machine.roots
    self.view = view
  }

  func observe(
    subject: inout Subject, _ unobserved: inout [Unobserved]
  ) -> ConfinementFacts {
    var facts = ConfinementFacts()
    facts.seccompMode = view.seccompMode
    facts.container = container()
    facts.securityModules = (try? BoundedFile.line("\(roots.sysfs)/kernel/security/lsm"))
      .map { $0.split(separator: ",").map(String.init) }
    facts.kernelRelease = try? BoundedFile.line("\(roots.proc)/sys/kernel/osrelease", limit: 256)

    if let process = view.process {
      facts.label = (try? BoundedFile.line("\(process)/attr/current"))
        .flatMap { $0.isEmpty ? nil : $0 }
      observeGroups(of: process, &facts, &subject, &unobserved)
    } else if facts.container != nil {
      // A login or a service in a container stays in the container's control group.
      var group = ConfinementFacts()
      group.container = facts.container
      observeGroups(of: "\(roots.proc)/thread-self", &group, &subject, &unobserved)
    }
    if let unit = view.unit { facts.unit = unit.name.text }
    return facts
  }

  private func observeGroups(
    of process: String, _ facts: inout ConfinementFacts, _ subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) {
    do throws(Errno) {
      let contents = try BoundedFile.read("\(process)/cgroup", limit: 1 << 16)
      let groups = ControlGroups(parsing: contents.bytes)
      facts.cgroup = groups.unified ?? groups.systemd
      facts.unit = unit(facts.cgroup)
      observeDevicePolicy(groups, unit: facts.unit, &subject, &unobserved)
    } catch {
      unobserved.append(Unobserved("cgroup", at: "\(process)/cgroup", reason: error.clause))
      subject.unobserved.insert(.deviceCgroup)
    }
  }

  private func unit(_ cgroup: String?) -> String? {
    if roots.proc == "/proc", view.session == .caller,
      let unit = unsafe SessionObserver.text({ unsafe sd_pid_get_unit(0, $0) })
    {
      return unit
    }
    return cgroup.flatMap(ControlGroups.unit(in:))
  }

  // MARK: Containers

  private func container() -> String? {
    let isThisMachine = roots == MachineRoots()
    let environment = view.environment
    if environment("FLATPAK_ID") != nil || isThisMachine && exists("\(view.root)/.flatpak-info") {
      return "flatpak"
    }
    if environment("SNAP") != nil && environment("SNAP_NAME") != nil { return "snap" }
    if exists("\(view.root)\(roots.run)/.containerenv") { return "podman" }
    if isThisMachine && exists("\(view.root)/.dockerenv") { return "docker" }
    // systemd writes here what its own PID 1 found out: container(7).
    if let name = try? BoundedFile.line("\(view.root)\(roots.run)/systemd/container", limit: 64),
      !name.isEmpty
    {
      return name
    }
    // The first process of another namespace is another one.
    let first = view.root.isEmpty ? firstProcessContainer() : nil
    return first ?? environment("container").flatMap { $0.isEmpty ? nil : $0 }
  }

  private func firstProcessContainer() -> String? {
    guard let contents = try? BoundedFile.read("\(roots.proc)/1/environ", limit: 1 << 17) else {
      return nil
    }
    let key = Array("container=".utf8)
    for variable in contents.bytes.split(separator: 0) where variable.starts(with: key) {
      let name = String(repairing: variable.dropFirst(key.count), limit: 64)
      return name.isEmpty ? nil : name
    }
    return nil
  }

  private func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  // MARK: Device control group

  private func observeDevicePolicy(
    _ groups: ControlGroups, unit: String?, _ subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) {
    if let path = groups.devices, path != "/" {
      readDeviceList(path, &subject, &unobserved)
    }
    // A version 2 policy is a BPF program, which takes a privilege to see; only the root of the
    // hierarchy has none. A cgroup namespace shows another group as `/`.
    let isRoot = groups.unified == nil || groups.unified == "/" && isInitialNamespace()
    // The calling thread as it is has the kernel's own answer.
    if case .caller = view.witness {
    } else if !isRoot, let path = groups.unified {
      let evidence = DeviceProgramEvidence(roots: roots).observe(path, unit: unit)
      if let list = evidence.list { subject.deviceCgroup = list }
      if evidence.isKnown { return }
    }
    if !isRoot {
      subject.unobserved.insert(.deviceCgroup)
      unobserved.append(
        Unobserved(
          "device-program", at: groups.unified,
          reason: "a device policy of the control group cannot be read"))
    }
  }

  /// Whether the subject is in the first cgroup namespace, whose inode number is fixed
  /// (`PROC_CGROUP_INIT_INO`).
  private func isInitialNamespace() -> Bool {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink("\(roots.proc)/thread-self/ns/cgroup", &buffer, 63)
    // A kernel without these namespaces has only one, and no link.
    guard count > 0 else {
      return Errno.current == .noSuchFile && exists("\(roots.proc)/thread-self/ns")
    }
    let text = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text == "cgroup:[4026531835]"
  }

  private func readDeviceList(
    _ path: String, _ subject: inout Subject, _ unobserved: inout [Unobserved]
  ) {
    // The subject may have another /sys; it is the observer's that is read.
    var ignored: [Unobserved] = []
    let mounts =
      view.root.isEmpty
      ? view.mounts : MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    let mount = mounts.entries.last {
      $0.fstype == "cgroup" && $0.superblockOptions.contains("devices")
    }
    guard let mount else {
      subject.unobserved.insert(.deviceCgroup)
      unobserved.append(
        Unobserved("device-list", at: path, reason: "its hierarchy is not mounted"))
      return
    }
    let (point, root) = (mount.point, mount.root)
    // A container has only its own part of the hierarchy mounted.
    let inside = root != "/" && path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
    let file = "\(point)\(inside)/devices.list"
    do throws(Errno) {
      let parsed = DeviceCgroup.parse(list: try BoundedFile.read(file, limit: 1 << 18).bytes)
      subject.deviceCgroup = parsed.cgroup
      if parsed.isMalformed {
        subject.unobserved.insert(.deviceCgroup)
        unobserved.append(Unobserved("device-list", at: file, reason: "a line is malformed"))
      }
    } catch {
      subject.unobserved.insert(.deviceCgroup)
      unobserved.append(Unobserved("device-list", at: file, reason: error.clause))
    }
  }
}
