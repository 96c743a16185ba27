internal import AccessModel

/// Finds running services that affect the devices of other programs.
///
/// The control group of a service exists while it runs, so no D-Bus call is needed and nothing is
/// started.
struct ServiceObserver {
  var roots: MachineRoots

  /// Returns the names of the running services, sorted; empty if control groups are hidden.
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

  /// Returns the first process of a service.
  ///
  /// The result is `nil` if the service is not running or control groups are hidden.
  func process(of service: String) -> UInt64? {
    ControlGroupFolder.hierarchies(roots).lazy
      .compactMap { $0.group("system.slice/\(service)").processes.first }
      .first.map { UInt64($0) }
  }

  /// Returns whether a service claims, probes or authorizes devices.
  private static func isMeant(_ name: String) -> Bool {
    ["ModemManager.service", "usbguard.service"].contains(name)
      || name.hasPrefix("brltty") && name.hasSuffix(".service")
  }
}
