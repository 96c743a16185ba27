internal import AccessModel

/// Lists the devices of a subsystem, one look at each.
struct DeviceEnumerator {
  var roots: MachineRoots

  /// In the order of the kernel names; empty where there is no such subsystem.
  ///
  /// - Throws: `unavailable` for a recorded machine, because libudev reads `/sys` alone, and when
  ///   libudev fails.
  func devices(inSubsystem subsystem: String) throws(DeviceError) -> [DeviceFacts] {
    guard roots.sysfs == "/sys" else {
      throw DeviceError(.unavailable, operation: "list the devices below", path: roots.sysfs)
    }
    var devices: [DeviceFacts] = []
    do throws(Errno) {
      let enumeration = try UdevEnumeration(context: UdevContext())
      try enumeration.match(subsystem: subsystem)
      try enumeration.scan()
      enumeration.forEachDevice { device in
        guard var facts = DeviceFacts(device, roots: roots) else { return }
        facts.classify()
        devices.append(facts)
      }
    } catch {
      throw DeviceError(.unavailable, operation: "list devices", errno: error.rawValue)
    }
    return devices.map { (KernelName($0.kernelName), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The device of a number; `nil` when sysfs has none, as for a node that was made by hand.
  func device(_ number: DeviceNumber, isBlock: Bool) -> DeviceFacts? {
    guard roots.sysfs == "/sys", let context = try? UdevContext(),
      let device = context.device(number, isBlock: isBlock)
    else { return nil }
    var facts = DeviceFacts(device, roots: roots)
    facts?.classify()
    return facts
  }
}
