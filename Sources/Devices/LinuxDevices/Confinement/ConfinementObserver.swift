internal import AccessModel
internal import Glibc

/// Inspects the layers around the subject: container, security modules, unit, device policy.
///
/// Everything is readable without privilege, but a sandbox may hide any of it.
struct ConfinementObserver {
  let roots: MachineRoots
  /// The directory in `/proc` of the process with the confinement; `nil` if the subject does not
  /// run.
  let process: String?
  /// The unit that the question names, if any.
  let unit: UnitView?
  /// The user whose login the question is about, if any.
  let login: UInt32?
  /// The path of the subject's `/`, without a trailing slash.
  let root: String
  let mounts: MountTable
  let environment: @Sendable (String) -> String?
  let seccompMode: Int?
  /// A Boolean value that indicates whether the kernel itself is asked for the calling thread.
  ///
  /// Its answer includes the device policy.
  let hasKernelAnswer: Bool

  func observe(
    subject: inout Subject, _ unobserved: inout [Unobserved]
  ) -> ConfinementFacts {
    let labels = LabelObserver(roots: roots)
    var facts = ConfinementFacts()
    facts.seccompMode = seccompMode
    let modules = SecurityModules(roots: roots)
    facts.securityModules = modules.active()
    if facts.securityModules?.contains("bpf") ?? false {
      facts.securityPrograms = modules.programs()
    }
    facts.selinuxEnforcing = labels.isSELinuxEnforcing()
    facts.kernelRelease = try? BoundedFile.line("\(roots.proc)/sys/kernel/osrelease", limit: 256)
    if let process {
      facts.label = labels.label(of: process)
    } else if let unit = unit?.settings {
      facts.label =
        unit.appArmorProfile.flatMap(labels.label(ofProfile:)) ?? unit.selinuxContext
    }

    let group = controlGroups(of: process ?? "\(roots.proc)/thread-self")
    let containers = ContainerObserver(
      roots: roots, root: root, environment: environment, mounts: mounts, process: process,
      user: subject.fsuid)
    facts.container = containers.container(
      cgroup: group?.unified ?? group?.systemd, label: facts.label)
    // A sandbox has its own /run, but fixes for it are applied outside of it.
    if facts.container == nil || ["docker", "podman", "lxc"].contains(facts.container) {
      facts.hasSystemd = roots.hasSystemd(below: root)
    }
    if facts.container == nil { facts.distribution = roots.distribution() }
    if facts.container != nil {
      facts.hasUdevDatabase = UdevDatabase(roots: roots).isThere(below: root)
    }
    facts.application = containers.application(in: facts.container)
    if let process {
      observeGroups(of: process, &facts, &subject, &unobserved)
    } else if facts.container != nil {
      // A login or a service in a container stays in the container's control group.
      var group = ConfinementFacts()
      group.container = facts.container
      observeGroups(of: "\(roots.proc)/thread-self", &group, &subject, &unobserved)
    }
    if let login, facts.container == nil {
      let policies = LoginPolicies(roots: roots).observe(user: login, &subject, &unobserved)
      if !policies.isEmpty {
        var service = ServiceFacts()
        service.policies = policies
        facts.service = service
      }
    }
    if let unit {
      facts.unit = unit.name.text
      describe(unit, &facts)
    }
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
      facts.unit = facts.cgroup.flatMap(ControlGroups.unit(in:))
      let policies = observeDevicePolicy(groups, unit: facts.unit, &subject, &unobserved)
      if !policies.isEmpty {
        var service = ServiceFacts()
        service.isRunning = true
        service.policies = policies
        facts.service = service
      }
    } catch {
      unobserved.append(Unobserved("cgroup", at: "\(process)/cgroup", reason: error.reason))
      subject.unobserved.insert(.deviceCgroup)
    }
  }

  private func controlGroups(of process: String) -> ControlGroups? {
    (try? BoundedFile.read("\(process)/cgroup", limit: 1 << 16))
      .map { ControlGroups(parsing: $0.bytes) }
  }

  private func describe(_ unit: UnitView, _ facts: inout ConfinementFacts) {
    var service = facts.service ?? ServiceFacts()
    service.start = unit.settings.start ?? .restricted
    service.isRunning = unit.isRunning
    service.appArmorProfile = unit.settings.appArmorProfile
    service.selinuxContext = unit.settings.selinuxContext
    service.rootDirectory = unit.settings.rootDirectory
    facts.service = service
  }

  // MARK: Device control group

  private func observeDevicePolicy(
    _ groups: ControlGroups, unit: String?, _ subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) -> [ServiceFacts.Policy] {
    if let path = groups.devices, path != "/" {
      readDeviceList(path, &subject, &unobserved)
    }
    // A version 2 policy is a BPF program, which only a privileged process can see. The root of the
    // hierarchy never has one. In a cgroup namespace, `/` is another group.
    let isRoot = groups.unified == nil || groups.unified == "/" && isInitialNamespace()
    // For the calling thread itself, the kernel's answer includes the policy.
    var policies: [ServiceFacts.Policy] = []
    if !hasKernelAnswer, !isRoot, let path = groups.unified {
      let evidence = DeviceProgramEvidence(roots: roots).observe(path, unit: unit)
      if let list = evidence.list { subject.deviceCgroup = list }
      policies = evidence.policies
      if evidence.isKnown { return policies }
    }
    if !isRoot {
      subject.unobserved.insert(.deviceCgroup)
      unobserved.append(
        Unobserved(
          "device-program", at: groups.unified,
          reason: "its device policy could not be read"))
    }
    return policies
  }

  /// Returns whether the caller is in the initial cgroup namespace.
  ///
  /// That namespace has a fixed inode number (`PROC_CGROUP_INIT_INO`).
  private func isInitialNamespace() -> Bool {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink("\(roots.proc)/thread-self/ns/cgroup", &buffer, 63)
    // A kernel without cgroup namespaces has no such link.
    guard count > 0 else {
      guard Errno.current == .noSuchFile else { return false }
      return unsafe access("\(roots.proc)/thread-self/ns", F_OK) == 0
    }
    let text = String(
      decoding: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    return text == "cgroup:[4026531835]"
  }

  private func readDeviceList(
    _ path: String, _ subject: inout Subject, _ unobserved: inout [Unobserved]
  ) {
    // The subject may have another /sys, but the observer reads its own.
    var ignored: [Unobserved] = []
    let mounts =
      root.isEmpty
      ? self.mounts : MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    let mount = mounts.entries.last {
      $0.fstype == "cgroup" && $0.superblockOptions.contains("devices")
    }
    guard let mount else {
      subject.unobserved.insert(.deviceCgroup)
      unobserved.append(
        Unobserved("device-list", at: path, reason: "the hierarchy is not mounted"))
      return
    }
    let (point, root) = (mount.point, mount.root)
    // A container mounts only its own part of the hierarchy.
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
      unobserved.append(Unobserved("device-list", at: file, reason: error.reason))
    }
  }
}
