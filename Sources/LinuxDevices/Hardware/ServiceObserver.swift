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
    for hierarchy in ControlGroupFolder.hierarchies(roots) {
      let slice = hierarchy.group("system.slice")
      for name in slice.names.prefix(HardwareReader.mostNames) {
        let group = slice.group(name)
        if Self.isMeant(name) {
          if group.hasProcesses { found.insert(name) }
        } else if name.hasPrefix("system-brltty"), name.hasSuffix(".slice") {
          for instance in group.names.prefix(HardwareReader.mostNames)
          where Self.isMeant(instance) && group.group(instance).hasProcesses {
            found.insert(instance)
          }
        }
      }
    }
    return found.sorted()
  }

  /// The first process of a service; `nil` where it does not run, or control groups are hidden.
  func process(of service: String) -> UInt64? {
    ControlGroupFolder.hierarchies(roots).lazy
      .compactMap { $0.group("system.slice/\(service)").processes.first }
      .first.map { UInt64($0) }
  }

  /// Whether it is one that takes, probes or authorizes devices.
  private static func isMeant(_ name: String) -> Bool {
    ["ModemManager.service", "usbguard.service"].contains(name)
      || name.hasPrefix("brltty") && name.hasSuffix(".service")
  }
}
