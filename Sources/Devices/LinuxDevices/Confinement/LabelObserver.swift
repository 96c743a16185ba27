internal import AccessModel

/// Reads the labels of security modules.
///
/// The labels are visible even if the list of modules is not.
struct LabelObserver {
  var roots: MachineRoots

  /// Returns the label of a process, preferably that of AppArmor (proc_pid_attr(5)).
  func label(of process: String) -> String? {
    for file in ["apparmor/current", "current"] {
      if let label = try? BoundedFile.line("\(process)/attr/\(file)"), !label.isEmpty {
        return label
      }
    }
    return nil
  }

  /// Returns whether SELinux is enforcing; `nil` if its filesystem is not mounted.
  func isSELinuxEnforcing() -> Bool? {
    (try? BoundedFile.line("\(roots.sysfs)/fs/selinux/enforce", limit: 8)).map { $0 != "0" }
  }

  /// Returns the label that `AppArmorProfile=` will set; `nil` if AppArmor is disabled.
  ///
  /// If AppArmor is disabled, systemd ignores the setting.
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
