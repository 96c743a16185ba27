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
