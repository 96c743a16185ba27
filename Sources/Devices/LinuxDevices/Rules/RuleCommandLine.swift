internal import AccessModel
internal import Glibc

/// The command line that rules match: the kernel's, or the first process's in a container.
struct RuleCommandLine {
  let roots: MachineRoots

  /// The arguments, separated by spaces; `nil` if the command line cannot be read.
  var text: UdevRuleText? {
    let path = "\(roots.proc)/\(isInContainer ? "1/cmdline" : "cmdline")"
    guard let file = try? BoundedFile.read(path, limit: 1 << 16) else { return nil }
    var bytes = file.bytes.map { $0 == 0 ? ByteScanner.space : $0 }
    while let last = bytes.last, last == ByteScanner.newline || last == ByteScanner.space {
      bytes.removeLast()
    }
    return UdevRuleText(bytes)
  }

  /// A Boolean value that indicates whether udevd considers this system a container.
  ///
  /// The checks follow `detect_container` in systemd's virt.c. They differ from
  /// ``ContainerObserver``: sandboxes and control group names do not count. If the environment of
  /// the first process may not be read, it is ignored.
  private var isInContainer: Bool {
    isSubsystemForLinux || isFilled("host/container-manager") || isFilled("systemd/container")
      || isToldToFirstProcess || exists("\(roots.run)/.containerenv")
      || roots == MachineRoots() && exists("/.dockerenv")
  }

  private var isSubsystemForLinux: Bool {
    let release = try? BoundedFile.line("\(roots.proc)/sys/kernel/osrelease", limit: 256)
    return release.map { $0.contains("Microsoft") || $0.contains("WSL") } ?? false
  }

  /// A Boolean value that indicates whether the first process has a `container` variable.
  ///
  /// The variable may be empty.
  private var isToldToFirstProcess: Bool {
    let file = try? BoundedFile.read("\(roots.proc)/1/environ", limit: 1 << 17)
    return file?.bytes.split(separator: 0).contains { $0.starts(with: "container=".utf8) } ?? false
  }

  private func isFilled(_ name: String) -> Bool {
    let file = try? BoundedFile.read("\(roots.run)/\(name)", limit: 80)
    return file.map { !$0.bytes.isEmpty } ?? false
  }

  private func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }
}
