internal import AccessModel
internal import Glibc

/// The command line that rules ask for: the kernel's, or in a container that of its first process.
struct RuleCommandLine {
  let roots: MachineRoots

  /// The words, with spaces between them; `nil` where they cannot be read.
  var text: UdevRuleText? {
    let path = "\(roots.proc)/\(isInContainer ? "1/cmdline" : "cmdline")"
    guard let file = try? BoundedFile.read(path, limit: 1 << 16) else { return nil }
    var bytes = file.bytes.map { $0 == 0 ? ByteScanner.space : $0 }
    while let last = bytes.last, last == ByteScanner.newline || last == ByteScanner.space {
      bytes.removeLast()
    }
    return UdevRuleText(bytes)
  }

  /// Whether udevd takes this system for a container (`detect_container` of systemd's virt.c).
  ///
  /// ``ContainerObserver`` answers another question: neither sandboxes nor the names of control groups
  /// count here. An environment that may not be read says nothing.
  private var isInContainer: Bool {
    isSubsystemForLinux || isFilled("host/container-manager") || isFilled("systemd/container")
      || isToldToFirstProcess || exists("\(roots.run)/.containerenv")
      || roots == MachineRoots() && exists("/.dockerenv")
  }

  private var isSubsystemForLinux: Bool {
    let release = try? BoundedFile.line("\(roots.proc)/sys/kernel/osrelease", limit: 256)
    return release.map { $0.contains("Microsoft") || $0.contains("WSL") } ?? false
  }

  /// Whether the first process has a variable `container`, be it an empty one.
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
