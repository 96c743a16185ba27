internal import AccessModel

/// Reads the labels of security modules, which show also where their list is hidden.
struct LabelObserver {
  var roots: MachineRoots

  /// The label of a process; AppArmor's where it has one (proc_pid_attr(5)).
  func label(of process: String) -> String? {
    for file in ["apparmor/current", "current"] {
      if let label = try? BoundedFile.line("\(process)/attr/\(file)"), !label.isEmpty {
        return label
      }
    }
    return nil
  }

  /// Whether SELinux enforces; `nil` where it is not mounted.
  func isSELinuxEnforcing() -> Bool? {
    (try? BoundedFile.line("\(roots.sysfs)/fs/selinux/enforce", limit: 8)).map { $0 != "0" }
  }

  /// The label that `AppArmorProfile=` will give; `nil` where AppArmor is off, which passes over it.
  func label(ofProfile name: String) -> String? {
    let parameter = "\(roots.sysfs)/module/apparmor/parameters/enabled"
    guard (try? BoundedFile.line(parameter, limit: 8)) == "Y" else { return nil }
    let list = "\(roots.sysfs)/kernel/security/apparmor/profiles"
    guard let contents = try? BoundedFile.read(list, limit: 1 << 20) else { return name }
    let start = Array("\(name) (".utf8)
    let line = contents.bytes.split(separator: ByteScanner.newline).first { $0.starts(with: start) }
    return line.map { String(repairing: $0, limit: 4096) } ?? name
  }
}
