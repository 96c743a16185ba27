internal import AccessModel
internal import CLinux

/// The security modules of the running kernel (Documentation/admin-guide/LSM of its source).
struct SecurityModules {
  let roots: MachineRoots

  /// The file of securityfs with the level of lockdown (kernel_lockdown(7)).
  var lockdownPath: String { "\(roots.sysfs)/kernel/security/lockdown" }

  /// The names of the active modules; `nil` where nothing tells them.
  ///
  /// Where securityfs is not mounted, kernels since 6.8 answer themselves.
  func active() -> [String]? {
    if let line = try? BoundedFile.line("\(roots.sysfs)/kernel/security/lsm") {
      return line.split(separator: ",").map(String.init)
    }
    return roots.sysfs == MachineRoots().sysfs ? Self.listed() : nil
  }

  /// The level of lockdown; `nil` where its file names none.
  ///
  /// - Throws: Why the level could not be read, where the module may be active.
  func lockdown() throws(Errno) -> LockdownLevel? {
    do throws(Errno) {
      return LockdownLevel(marked: try BoundedFile.line(lockdownPath, limit: 256))
    } catch {
      if error == .noSuchFile, active()?.contains("lockdown") == false { return .off }
      throw error
    }
  }

  /// The names of the loaded BPF programs that act in security hooks; `nil` without `CAP_SYS_ADMIN`,
  /// below a filter of system calls, and for another system than the running one.
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

  /// The answer of lsm_list_modules(2).
  private static func listed() -> [String]? {
    var numbers = [UInt64](repeating: 0, count: 64)
    let count = unsafe clinux_security_modules(&numbers, UInt32(numbers.count))
    guard count >= 0 else { return nil }
    return numbers.prefix(Int(count)).map { names[$0] ?? "lsm-\($0)" }
  }

  /// `LSM_ID_…` of linux/lsm.h, under the names that securityfs has for them.
  private static let names: [UInt64: String] = [
    100: "capability", 101: "selinux", 102: "smack", 103: "tomoyo", 104: "apparmor", 105: "yama",
    106: "loadpin", 107: "safesetid", 108: "lockdown", 109: "bpf", 110: "landlock", 111: "ima",
    112: "evm", 113: "ipe",
  ]
}
