internal import AccessModel
internal import CLinux

/// Determines the active security modules of the kernel (Documentation/admin-guide/LSM).
struct SecurityModules {
  let roots: MachineRoots

  /// The file in securityfs that contains the lockdown level (kernel_lockdown(7)).
  var lockdownPath: String { "\(roots.sysfs)/kernel/security/lockdown" }

  /// Returns the names of the active modules; `nil` if they cannot be determined.
  ///
  /// If securityfs is not mounted, the names come from lsm_list_modules(2), which Linux 6.8
  /// introduced.
  func active() -> [String]? {
    if let line = try? BoundedFile.line("\(roots.sysfs)/kernel/security/lsm") {
      return line.split(separator: ",").map(String.init)
    }
    return roots.sysfs == MachineRoots().sysfs ? Self.listed() : nil
  }

  /// Returns the lockdown level; `nil` if its file has an unknown format.
  ///
  /// - Throws: The error from reading the level, unless the module is known to be inactive.
  func lockdown() throws(Errno) -> LockdownLevel? {
    do throws(Errno) {
      return LockdownLevel(marked: try BoundedFile.line(lockdownPath, limit: 256))
    } catch {
      if error == .noSuchFile, active()?.contains("lockdown") == false { return .off }
      throw error
    }
  }

  /// Returns the names of the loaded BPF programs that are attached to security hooks.
  ///
  /// The result is `nil` without `CAP_SYS_ADMIN`, if a seccomp filter refuses the system call, or
  /// if the facts are not those of the running system.
  func programs() -> [String]? {
    guard roots.sysfs == MachineRoots().sysfs else { return nil }
    let length = Int(CLINUX_PROGRAM_NAME)
    var names = [CChar](repeating: 0, count: 64 * length)
    let count = unsafe clinux_security_programs(&names, 64)
    guard count >= 0 else { return nil }
    return (0..<Int(count)).map { index in
      let name = names[index * length..<(index + 1) * length].prefix { $0 != 0 }
      return String(decoding: name.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
  }

  /// Returns the result of lsm_list_modules(2); `nil` if the call fails.
  private static func listed() -> [String]? {
    var numbers = [UInt64](repeating: 0, count: 64)
    let count = unsafe clinux_security_modules(&numbers, UInt32(numbers.count))
    guard count >= 0 else { return nil }
    return numbers.prefix(Int(count)).map { names[$0] ?? "lsm-\($0)" }
  }

  /// The constants `LSM_ID_…` in linux/lsm.h, with the names that securityfs uses.
  private static let names: [UInt64: String] = [
    100: "capability", 101: "selinux", 102: "smack", 103: "tomoyo", 104: "apparmor", 105: "yama",
    106: "loadpin", 107: "safesetid", 108: "lockdown", 109: "bpf", 110: "landlock", 111: "ima",
    112: "evm", 113: "ipe",
  ]
}

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
