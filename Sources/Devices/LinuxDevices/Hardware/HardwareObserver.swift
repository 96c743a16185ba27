package import AccessModel

/// Searches for the reason why a device of a kind has no node.
///
/// Possible reasons are hardware without a driver or with another driver, switches, and missing
/// modules. Reading attributes in sysfs and lists of modules requires no privilege. Nothing is
/// loaded.
struct HardwareObserver {
  var roots: MachineRoots
  /// The cache of searches in files; `nil` for a single observation.
  var files: KnownFiles?

  /// The hardware found on the USB bus, which is valid until an event of that bus.
  struct SeenOnUSB: Sendable {
    fileprivate var facts = HardwareFacts()
    fileprivate var unobserved: [Unobserved] = []
  }

  /// Finds the hardware of a kind that is on the USB bus but has no node.
  func observeUSB(of kind: DeviceKind) -> SeenOnUSB {
    var reader = HardwareReader()
    var seen = SeenOnUSB()
    USBObserver(roots: roots, kind: kind).observe(&seen.facts, &reader)
    seen.unobserved = reader.unobserved
    return seen
  }

  /// Returns the facts about hardware, and adds what could not be observed to `unobserved`.
  ///
  /// Switches and media controllers are included only for cameras.
  func observe(
    _ unobserved: inout [Unobserved], of kind: DeviceKind = .camera, onUSB seen: SeenOnUSB? = nil
  ) -> HardwareFacts {
    var reader = HardwareReader(knowing: files)
    // For other kinds, a hidden part of sysfs is reported when the devices are listed.
    for folder in ["bus", "class"] where kind == .camera {
      let path = "\(roots.sysfs)/\(folder)"
      if reader.names(in: path)?.isEmpty ?? true { reader.note(path, reason: "it is hidden") }
    }
    let seen = seen ?? observeUSB(of: kind)
    var facts = seen.facts
    reader.note(seen.unobserved)
    if kind == .camera {
      SwitchObserver(roots: roots).observe(&facts, &reader)
      observeMedia(&facts, &reader)
    }
    let onBuses = BusObserver(roots: roots, kind: kind).observe(&reader)
    let missing = Set(
      facts.unbound.compactMap(\.module) + facts.held.map(\.module) + onBuses.flatMap(\.modules))
    let usual = kind == .camera ? ["uvcvideo", "v4l2loopback"] : []
    let modules = usual + missing.subtracting(usual).sorted()
    if !modules.isEmpty {
      facts.modules = ModuleObserver(roots: roots).observe(modules, &reader)
    }
    for found in onBuses {
      var hardware = found.hardware
      hardware.module = Self.module(among: found.modules, facts.modules)
      guard let keeper = found.keeper else {
        facts.unbound.append(hardware)
        continue
      }
      guard let module = hardware.module else { continue }
      facts.held.append(
        HardwareFacts.Held(
          sysfsPath: hardware.sysfsPath, name: hardware.name, driver: keeper, module: module,
          identifiers: hardware.identifiers))
    }
    // Modules for other hardware are irrelevant.
    let named = Set(usual + facts.unbound.compactMap(\.module) + facts.held.map(\.module))
    facts.modules.removeAll { !named.contains($0.name) }
    // Only these services show which program has claimed the hardware.
    if !facts.held.isEmpty || !facts.usb.isEmpty || !facts.unbound.isEmpty {
      facts.services = ServiceObserver(roots: roots).running()
    }
    facts.areModulesDisabled =
      reader.line("\(roots.proc)/sys/kernel/modules_disabled").map { $0 == "1" }
    facts.areSignaturesRequired = areSignaturesRequired(&reader)
    unobserved += reader.unobserved
    return facts
  }

  /// Returns the most informative of several modules for the same hardware.
  ///
  /// This is a blacklisted module, or another one that is not loaded, if there is such a module.
  private static func module(among names: [String], _ known: [HardwareFacts.Module]) -> String? {
    let own = known.filter { names.contains($0.name) }
    let waiting = own.filter { !$0.isLoaded }
    return (waiting.first(where: \.isBlacklisted) ?? waiting.first ?? own.first)?.name
      ?? names.first
  }

  /// Observes what prevents programs from using devices with a raw USB node; `nil` if nothing does.
  func observe(raw devices: [DeviceFacts], _ unobserved: inout [Unobserved]) -> HardwareFacts? {
    var reader = HardwareReader()
    var facts = HardwareFacts()
    facts.interfaces = USBInterfaceObserver().interfaces(of: devices, &reader)
    facts.usb = USBObserver(roots: roots, kind: .usb).observe(devices, &reader)
    if !facts.usb.isEmpty { facts.services = ServiceObserver(roots: roots).running() }
    unobserved += reader.unobserved
    return facts.interfaces.isEmpty && facts.usb.isEmpty ? nil : facts
  }

  /// Adds the media controller devices, which include those of webcams and codecs.
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
    let lockdown = reader.line(SecurityModules(roots: roots).lockdownPath)
      .flatMap(LockdownLevel.init(marked:)).map { $0 != .off }
    if enforced == true || lockdown == true { return true }
    return enforced ?? lockdown
  }
}

/// Finds the switches in laptops and their firmware that disconnect a camera from its bus.
struct SwitchObserver {
  var roots: MachineRoots

  /// An attribute of a platform driver that shows whether the camera has power.
  private struct Attribute {
    /// The prefix of the platform device's name.
    var device: String
    var name: String
    var off: String
    var on: String
  }

  private static let attributes = [
    // The drivers are ideapad_laptop, eeepc_laptop and msi_ec, which has two attributes for a
    // camera.
    Attribute(device: "VPC2004:", name: "camera_power", off: "0", on: "1"),
    Attribute(device: "eeepc", name: "camera", off: "0", on: "1"),
    Attribute(device: "msi-ec", name: "webcam", off: "off", on: "on"),
    Attribute(device: "msi-ec", name: "webcam_block", off: "on", on: "off"),
  ]

  func observe(_ facts: inout HardwareFacts, _ reader: inout HardwareReader) {
    let platform = "\(roots.sysfs)/bus/platform/devices"
    for name in reader.names(in: platform) ?? [] {
      for attribute in Self.attributes where name.hasPrefix(attribute.device) {
        let path = "\(platform)/\(name)/\(attribute.name)"
        guard let value = reader.line(path), value == attribute.off else { continue }
        facts.switchedOff.append(HardwareFacts.Switch(path: path, value: value, on: attribute.on))
      }
    }
    let firmware = "\(roots.sysfs)/class/firmware-attributes"
    for interface in reader.names(in: firmware) ?? [] {
      let attributes = "\(firmware)/\(interface)/attributes"
      for name in reader.names(in: attributes) ?? [] {
        if let found = setting(name, at: "\(attributes)/\(name)", &reader) {
          facts.switchedOff.append(found)
        }
      }
    }
  }

  /// Returns a firmware setting that disables the camera; `nil` for any other setting.
  private func setting(
    _ name: String, at directory: String, _ reader: inout HardwareReader
  ) -> HardwareFacts.Switch? {
    let path = "\(directory)/current_value"
    // This setting of samsung_galaxybook takes effect at once, and also mutes the microphone.
    if name == "block_recording" {
      return reader.line(path) == "1" ? HardwareFacts.Switch(path: path, value: "1", on: "0") : nil
    }
    guard name.lowercased().contains("camera"), let value = reader.line(path),
      ["disable", "disabled", "off"].contains(value.lowercased())
    else { return nil }
    let possible = (reader.line("\(directory)/possible_values") ?? "").split {
      $0 == ";" || $0 == ","
    }
    let on = possible.first { ["enable", "enabled", "on"].contains($0.lowercased()) }
    return HardwareFacts.Switch(
      path: path, value: value, on: on.map(String.init), needsRestart: true)
  }
}

extension DeviceKind {
  /// A Boolean value that indicates whether the hardware is searched for on the USB bus.
  ///
  /// The events of that bus report new hardware.
  package var isFoundOnUSB: Bool { [.camera, .microphone, .serial].contains(self) }

  /// A Boolean value that indicates whether a bus can show why there is no device of the kind.
  ///
  /// The hardware is recognized by the class of its interfaces or by its driver.
  var isFoundOnBuses: Bool { [.camera, .microphone, .serial, .gpu].contains(self) }
}
