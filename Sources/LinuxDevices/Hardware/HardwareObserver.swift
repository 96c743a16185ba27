internal import AccessModel

/// Looks for what keeps a camera from having a node: hardware without a driver, switches, modules.
///
/// It reads attributes of sysfs and lists of modules, which needs no privilege; nothing is loaded.
struct HardwareObserver {
  var roots: MachineRoots

  func observe() -> HardwareFacts {
    var facts = HardwareFacts()
    USBObserver(roots: roots).observe(&facts)
    SwitchObserver(roots: roots).observe(&facts)
    observeMedia(&facts)
    facts.modules = ModuleObserver(roots: roots).observe(["uvcvideo", "v4l2loopback"])
    facts.areModulesDisabled = line("\(roots.proc)/sys/kernel/modules_disabled").map { $0 == "1" }
    facts.areSignaturesRequired = areSignaturesRequired
    return facts
  }

  /// The media controller devices, webcams and codecs among them.
  private func observeMedia(_ facts: inout HardwareFacts) {
    let directory = "\(roots.sysfs)/bus/media/devices"
    var tree = SysfsTree(root: roots.sysfs)
    for name in names(in: directory) {
      guard let target = SymbolicLink.target(of: "\(directory)/\(name)") else { continue }
      let path = SymbolicLink.resolve(target, from: "\(directory)/\(name)")
      facts.media.append(
        HardwareFacts.MediaDevice(
          kernelName: name, model: line("\(path)/model"), driver: tree.driver(above: path)))
    }
  }

  private var areSignaturesRequired: Bool? {
    let enforced = line("\(roots.sysfs)/module/module/parameters/sig_enforce").map { $0 == "Y" }
    let lockdown = line("\(roots.sysfs)/kernel/security/lockdown").map { !$0.contains("[none]") }
    if enforced == true || lockdown == true { return true }
    return enforced ?? lockdown
  }

  private func line(_ path: String) -> String? { try? BoundedFile.line(path, limit: 256) }

  private func names(in directory: String) -> [String] {
    ((try? Directory.names(in: directory)) ?? []).prefix(4096).sorted()
  }
}
