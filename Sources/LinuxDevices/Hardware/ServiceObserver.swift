internal import AccessModel

/// Finds the services that do something to devices of other programs, and that run.
///
/// The control group of a service exists while it runs: no bus has to be asked, and nothing is
/// started.
struct ServiceObserver {
  var roots: MachineRoots

  /// The names of those that run, sorted; empty where control groups are hidden.
  func running() -> [String] {
    var found: Set<String> = []
    for group in ["", "/systemd", "/unified"] {
      let slice = "\(roots.sysfs)/fs/cgroup\(group)/system.slice"
      for name in names(in: slice) {
        if Self.isMeant(name) {
          if runs("\(slice)/\(name)") { found.insert(name) }
        } else if name.hasPrefix("system-brltty"), name.hasSuffix(".slice") {
          for instance in names(in: "\(slice)/\(name)") where Self.isMeant(instance) {
            if runs("\(slice)/\(name)/\(instance)") { found.insert(instance) }
          }
        }
      }
    }
    return found.sorted()
  }

  /// The first process of a service; `nil` where it does not run, or control groups are hidden.
  func process(of service: String) -> UInt64? {
    for group in ["", "/systemd", "/unified"] {
      let path = "\(roots.sysfs)/fs/cgroup\(group)/system.slice/\(service)/cgroup.procs"
      guard let file = try? BoundedFile.read(path, limit: 1 << 12),
        let first = file.bytes.split(separator: ByteScanner.newline).first,
        let number = ByteScanner.number(first)
      else { continue }
      return UInt64(number)
    }
    return nil
  }

  /// Whether it is one that takes, probes or authorizes devices.
  private static func isMeant(_ name: String) -> Bool {
    ["ModemManager.service", "usbguard.service"].contains(name)
      || name.hasPrefix("brltty") && name.hasSuffix(".service")
  }

  private func names(in folder: String) -> [String] {
    ((try? Directory.names(in: folder)) ?? nil)?.prefix(HardwareReader.mostNames).sorted() ?? []
  }

  private func runs(_ group: String) -> Bool {
    let file = try? BoundedFile.read("\(group)/cgroup.procs", limit: 1 << 12)
    return file?.bytes.isEmpty == false
  }
}
