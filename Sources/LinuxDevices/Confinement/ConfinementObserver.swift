internal import AccessModel
internal import CSystemd
internal import Glibc

/// Looks for the layers around the subject: container, security modules, unit, device policy.
///
/// All of it is readable without privilege; a sandbox may hide any of it.
struct ConfinementObserver {
  var roots: MachineRoots
  var environment: @Sendable (String) -> String?

  func observe(
    seccompMode: Int?, mounts: MountTable, subject: inout Subject, _ unobserved: inout [Unobserved]
  ) -> ConfinementFacts {
    let thread = "\(roots.proc)/thread-self"
    var facts = ConfinementFacts()
    facts.seccompMode = seccompMode
    facts.container = container()
    facts.securityModules = (try? BoundedFile.line("\(roots.sysfs)/kernel/security/lsm"))
      .map { $0.split(separator: ",").map(String.init) }
    facts.label = (try? BoundedFile.line("\(thread)/attr/current"))
      .flatMap { $0.isEmpty ? nil : $0 }
    facts.kernelRelease = try? BoundedFile.line("\(roots.proc)/sys/kernel/osrelease", limit: 256)

    do throws(Errno) {
      let contents = try BoundedFile.read("\(thread)/cgroup", limit: 1 << 16)
      let groups = ControlGroups(parsing: contents.bytes)
      facts.cgroup = groups.unified ?? groups.systemd
      facts.unit = unit(facts.cgroup)
      observeDevicePolicy(groups, mounts, &subject, &unobserved)
    } catch {
      unobserved.append(Unobserved("cgroup", at: "\(thread)/cgroup", reason: error.clause))
      subject.unobserved.insert(.deviceCgroup)
    }
    return facts
  }

  private func unit(_ cgroup: String?) -> String? {
    if roots.proc == "/proc",
      let unit = unsafe SessionObserver.text({ unsafe sd_pid_get_unit(0, $0) })
    {
      return unit
    }
    return cgroup.flatMap(ControlGroups.unit(in:))
  }

  // MARK: Containers

  private func container() -> String? {
    let isThisMachine = roots == MachineRoots()
    if environment("FLATPAK_ID") != nil || isThisMachine && exists("/.flatpak-info") {
      return "flatpak"
    }
    if environment("SNAP") != nil && environment("SNAP_NAME") != nil { return "snap" }
    if exists("\(roots.run)/.containerenv") { return "podman" }
    if isThisMachine && exists("/.dockerenv") { return "docker" }
    // systemd writes here what its own PID 1 found out: container(7).
    if let name = try? BoundedFile.line("\(roots.run)/systemd/container", limit: 64),
      !name.isEmpty
    {
      return name
    }
    return firstProcessContainer() ?? environment("container").flatMap { $0.isEmpty ? nil : $0 }
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
    _ groups: ControlGroups, _ mounts: MountTable, _ subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) {
    if let path = groups.devices, path != "/" {
      readDeviceList(path, mounts, &subject, &unobserved)
    }
    // A version 2 policy is a BPF program, which takes a privilege to see; only the root of the
    // hierarchy has none. A cgroup namespace shows another group as `/`.
    let isRoot = groups.unified == nil || groups.unified == "/" && isInitialNamespace()
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
    // Without namespaces there is only one.
    guard count > 0 else { return true }
    let text = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text == "cgroup:[4026531835]"
  }

  private func readDeviceList(
    _ path: String, _ mounts: MountTable, _ subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) {
    let mount = mounts.entries.last {
      $0.fstype == "cgroup" && $0.superblockOptions.contains("devices")
    }
    guard let point = mount?.point, let root = mount?.root else {
      subject.unobserved.insert(.deviceCgroup)
      unobserved.append(
        Unobserved("device-list", at: path, reason: "its hierarchy is not mounted"))
      return
    }
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
