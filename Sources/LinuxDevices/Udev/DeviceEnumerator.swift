internal import AccessModel

/// Lists the devices of a subsystem, one look at each.
struct DeviceEnumerator {
  var roots: MachineRoots

  /// In the order of the kernel names; empty where there is no such subsystem.
  ///
  /// Which devices there are is read from sysfs, and each is then asked of libudev. Not through
  /// `udev_enumerate`: it makes every device and all its parents once, only to hand out names.
  ///
  /// - Throws: `unavailable` when sysfs cannot be read.
  func devices(inSubsystem subsystem: String) throws(DeviceError) -> [DeviceFacts] {
    var tree = SysfsTree(root: roots.sysfs)
    var devices: [DeviceFacts] = []
    do throws(Errno) {
      let context = try UdevContext()
      for path in try tree.devices(inSubsystem: subsystem) {
        guard var facts = try facts(at: path, subsystem, context) else { continue }
        facts.complete(&tree, roots: roots)
        devices.append(facts)
      }
    } catch {
      throw DeviceError(
        error.isOfResources ? .exhausted : .unavailable, operation: "list devices below",
        path: roots.sysfs, errno: error)
    }
    return devices.map { (KernelName($0.kernelName), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The device at a path in sysfs; `nil` when it is not there.
  ///
  /// - Throws: `unavailable` when it cannot be looked at.
  func device(at path: String, subsystem: String) throws(DeviceError) -> DeviceFacts? {
    var tree = SysfsTree(root: roots.sysfs)
    do throws(Errno) {
      guard var facts = try facts(at: path, subsystem, UdevContext()) else { return nil }
      facts.complete(&tree, roots: roots)
      return facts
    } catch {
      throw DeviceError(unableTo: "look at device", path, error)
    }
  }

  /// The device of a number; `nil` when sysfs has none, as for a node that was made by hand.
  func device(_ number: DeviceNumber, isBlock: Bool) -> DeviceFacts? {
    var tree = SysfsTree(root: roots.sysfs)
    let type = isBlock ? "block" : "char"
    let link = "\(roots.sysfs)/dev/\(type)/\(number.major):\(number.minor)"
    guard let target = SymbolicLink.target(of: link), let context = try? UdevContext() else {
      return nil
    }
    let path = SymbolicLink.resolve(target, from: link)
    let subsystem = SymbolicLink.target(of: "\(path)/subsystem")?.split(separator: "/").last
    guard var facts = try? facts(at: path, subsystem.map(String.init) ?? "", context) else {
      return nil
    }
    facts.complete(&tree, roots: roots)
    return facts
  }

  /// What udev knows of a device; `nil` when it vanished since it was found.
  ///
  /// - Throws: The error that keeps its `uevent` file from being read. libudev does not tell it
  ///   from a device without a node.
  private func facts(
    at path: String, _ subsystem: String, _ context: borrowing UdevContext
  ) throws(Errno) -> DeviceFacts? {
    let facts: DeviceFacts?
    if roots.sysfs == "/sys" {
      guard let device = try context.device(at: path) else { return nil }
      facts = DeviceFacts(device)
    } else {
      facts = DeviceFacts(recordedAt: path, subsystem: subsystem, roots: roots)
    }
    if let facts, facts.node == nil, facts.number == nil {
      do throws(Errno) {
        _ = try BoundedFile.read("\(path)/uevent", limit: 1)
      } catch {
        guard error == .noSuchFile || error == .noSuchDevice else { throw error }
      }
    }
    return facts
  }
}
