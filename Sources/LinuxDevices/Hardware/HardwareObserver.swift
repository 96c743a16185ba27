internal import AccessModel

/// Looks for what keeps a camera from having a node: hardware without a driver, switches, modules.
///
/// It reads attributes of sysfs and lists of modules, which needs no privilege; nothing is loaded.
struct HardwareObserver {
  var roots: MachineRoots

  /// What was seen; what could not be is added to `unobserved`.
  func observe(_ unobserved: inout [Unobserved]) -> HardwareFacts {
    var reader = HardwareReader()
    var facts = HardwareFacts()
    for folder in ["bus", "class"] {
      let path = "\(roots.sysfs)/\(folder)"
      if reader.names(in: path)?.isEmpty ?? true { reader.note(path, reason: "it is hidden") }
    }
    USBObserver(roots: roots).observe(&facts, &reader)
    SwitchObserver(roots: roots).observe(&facts, &reader)
    observeMedia(&facts, &reader)
    facts.modules = ModuleObserver(roots: roots).observe(["uvcvideo", "v4l2loopback"], &reader)
    facts.areModulesDisabled =
      reader.line("\(roots.proc)/sys/kernel/modules_disabled").map { $0 == "1" }
    facts.areSignaturesRequired = areSignaturesRequired(&reader)
    unobserved += reader.unobserved
    return facts
  }

  /// The media controller devices, webcams and codecs among them.
  private func observeMedia(_ facts: inout HardwareFacts, _ reader: inout HardwareReader) {
    let directory = "\(roots.sysfs)/bus/media/devices"
    var tree = SysfsTree(root: roots.sysfs)
    for name in reader.names(in: directory) ?? [] {
      guard let target = SymbolicLink.target(of: "\(directory)/\(name)") else { continue }
      let path = SymbolicLink.resolve(target, from: "\(directory)/\(name)")
      facts.media.append(
        HardwareFacts.MediaDevice(
          kernelName: name, model: reader.line("\(path)/model"), driver: tree.driver(above: path)))
    }
  }

  private func areSignaturesRequired(_ reader: inout HardwareReader) -> Bool? {
    let enforced = reader.line("\(roots.sysfs)/module/module/parameters/sig_enforce").map {
      $0 == "Y"
    }
    let lockdown = reader.line("\(roots.sysfs)/kernel/security/lockdown").map {
      !$0.contains("[none]")
    }
    if enforced == true || lockdown == true { return true }
    return enforced ?? lockdown
  }
}
