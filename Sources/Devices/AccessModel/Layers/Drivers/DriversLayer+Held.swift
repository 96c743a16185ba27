/// Hardware that has no node because another driver or a program holds its interface.
extension DriversLayer {
  /// The hardware that another driver or a program holds and that could have the requested node.
  private var held: [HardwareFacts.Held] {
    facts.hardware?.held.filter { couldMakeNode($0.module) } ?? []
  }

  /// Returns whether a module could create a node with the requested name.
  func couldMakeNode(_ module: String) -> Bool {
    guard facts.kind == nil else { return true }
    // Modems use their own name (`ttyACM`). All other USB serial ports use `ttyUSB`.
    let isModem = path.hasPrefix("/dev/ttyACM")
    return isModem || path.hasPrefix("/dev/ttyUSB") ? (module == "cdc_acm") == isModem : true
  }

  func heldCauses() -> [Cause] {
    held.prefix(4).map { held in
      let name = held.name ?? held.sysfsPath
      let interface = held.interface
      // If similar nodes exist, the missing node may belong to another device. A sound device might
      // not have a microphone.
      let isProven = held.module != "snd_usb_audio" && (facts.kind != nil || !hasOthers)
      if held.sysfsPath.hasPrefix("/sys/bus/pci/") {
        let purpose = held.isForVirtualMachine ? " (for virtual machines)" : ""
        // The module nvidia_drm builds on nvidia, which binds to the device.
        let module = held.module.hasPrefix("nvidia") ? "nvidia" : held.module
        return Cause(
          .usbDriverBound,
          summary: """
            \(name) (PCI \(interface.name)) is in this machine, but it is bound to the \
            \(held.driver) driver\(purpose) instead of \(module), which creates the nodes.
            """, at: held.sysfsPath)
      }
      guard interface.isOfProgram else {
        return Cause(
          .usbDriverBound,
          summary: """
            \(name) is plugged in, but its interface \(interface.name) is bound to the \
            \(held.driver) driver instead of \(held.module), which creates the nodes.
            """, at: held.sysfsPath, isProven: isProven)
      }
      let holder = HolderWords(holders(of: held)).text ?? "a program"
      var summary = """
        \(name) is plugged in, but \(holder) has claimed its interface \(interface.name) \
        (driver usbfs), so \(held.module) cannot create a node for it.
        """
      if isHeldByPrintServer(held) {
        summary += " ipp-usb.service is running; it claims printers that speak IPP over USB."
      }
      if held.isBrailleAdapter, let service = facts.hardware?.brailleServices.first {
        summary += """
           \(service) is running; it uses such adapters (\(held.identifiers ?? "")) as Braille \
          displays.
          """
      }
      return Cause(.usbDriverBound, summary: summary, at: held.sysfsPath, isProven: isProven)
    }
  }

  /// Returns the processes that have the raw USB node of the hardware open.
  private func holders(of held: HardwareFacts.Held) -> [DeviceHolder] {
    held.node.flatMap { facts.use?.use(ofNode: $0) }?.holders ?? []
  }

  /// Returns the cause for an adapter without a driver that brltty may have just released.
  ///
  /// brltty claims the adapters repeatedly, one after the other. In between, they have no driver.
  func probedCause(_ unbound: HardwareFacts.Unbound) -> Cause? {
    guard HardwareFacts.isBrailleAdapter(unbound.identifiers),
      let service = facts.hardware?.brailleServices.first
    else { return nil }
    return Cause(
      .usbDriverBound,
      summary: """
        \(unbound.name ?? unbound.sysfsPath) is plugged in, but no driver is bound to it: \
        \(service) is running; it looks for Braille displays behind such adapters \
        (\(unbound.identifiers ?? "")), and repeatedly takes them from \
        \(unbound.module ?? "its driver").
        """, at: unbound.sysfsPath, isProven: false)
  }

  /// Returns the remedies that keep brltty from using an adapter.
  ///
  /// brltty has a setting to ignore adapters whose identifiers are not specific to Braille
  /// displays. If udev rules start an instance of brltty for each device, the only remedy is to
  /// keep brltty from running.
  private func brailleRemedies(
    _ interface: HardwareFacts.USBInterface, _ load: [String], of services: [String]
  ) -> [Remedy] {
    let probe = load + ["echo \(interface.name) > /sys/bus/usb/drivers_probe"]
    // The udev rules start one instance of the template unit for each adapter.
    let units = services.filter { !$0.contains("@") }.prefix(4).map(\.shellQuoted)
    let stop =
      (units.isEmpty ? [] : ["systemctl mask --now \(units.joined(separator: " "))"])
      + (units.count == services.count
        ? [] : ["systemctl mask brltty-device@.service", "systemctl stop 'brltty-device@*'"])
    let mask = Remedy(
      "Prevent brltty from running, and have the drivers probe the adapter again",
      commands: stop + probe, actor: .administrator,
      assumes: nodeAssumption, caution: "no Braille display is used here")
    guard services == ["brltty.service"] else { return [mask] }
    let setting = "braille-device usb:genericDevices=no,bluetooth:"
    return [
      Remedy(
        "Prevent brltty from using serial adapters, and have the drivers probe the adapter again",
        commands: [
          "printf '%s\\n' '\(setting)' >> /etc/brltty.conf", "systemctl restart brltty.service",
        ] + probe, actor: .administrator,
        assumes: Remedy.both(
          Remedy.both("/etc/brltty.conf names no other braille-device", "brltty is 5.1 or newer"),
          nodeAssumption),
        caution: "no Braille display that contains such an adapter is used here"), mask,
    ]
  }

  /// Returns the remedy that excludes one printer from ipp-usb (ipp-usb(8), *Quirks*).
  private func printerRemedy(_ held: HardwareFacts.Held, _ probe: [String]) -> Remedy? {
    guard let model = held.identifiers, model.isUSBIdentifier else { return nil }
    let folder = "/etc/ipp-usb/quirks"
    return Remedy(
      "Exclude the printer from ipp-usb, and have the drivers probe the interface again",
      commands: [
        "mkdir -p \(folder)",
        "printf '%s\\n' '[\(model)]' '  blacklist = true' > \(folder)/devaccess.conf",
        "systemctl restart ipp-usb.service",
      ] + probe, actor: .administrator,
      assumes: Remedy.both(
        "ipp-usb has claimed it, and its version accepts USB IDs in quirks", nodeAssumption))
  }

  /// Returns whether ipp-usb may hold the interface of a printer.
  private func isHeldByPrintServer(_ held: HardwareFacts.Held) -> Bool {
    held.module == "usblp" && held.interface.isOfProgram
      && facts.hardware?.services.contains("ipp-usb.service") == true
  }

  /// A Boolean value that indicates whether nodes with the same name but another number exist.
  private var hasOthers: Bool {
    let stem = { (name: Substring) in name.prefix { !$0.isNumber } }
    let wanted = stem(path.split(separator: "/").last ?? "")
    return facts.devices.contains { $0.node != nil && stem($0.kernelName[...]) == wanted }
  }

  /// Returns the remedies that give the hardware back to the driver that creates the node.
  func heldRemedies(_ cause: Cause) -> [Remedy] {
    if let unbound = facts.hardware?.unbound.first(where: { $0.sysfsPath == cause.at }) {
      let interface = HardwareFacts.USBInterface(sysfsPath: unbound.sysfsPath, driver: nil)
      let services = facts.hardware?.brailleServices ?? []
      return interface.name.isUSBPlace ? brailleRemedies(interface, [], of: services) : []
    }
    guard let held = held.first(where: { $0.sysfsPath == cause.at }), held.module.isModuleName
    else { return [] }
    if held.sysfsPath.hasPrefix("/sys/bus/pci/") { return pciRemedies(held) }
    guard held.interface.name.isUSBPlace else { return [] }
    let interface = held.interface
    let module = facts.hardware?.modules.first { $0.name == held.module }
    let load = module?.isLoaded == false ? ["modprobe \(held.module.shellQuoted)"] : []
    guard interface.isOfProgram else {
      let driver = HardwareFacts.driver(ofModule: held.module)
      guard let unbind = interface.unbindCommand else { return [] }
      let bind = "echo \(interface.name) > \("/sys/bus/usb/drivers/\(driver)/bind".shellQuoted)"
      let blacklist = blacklistRemedy(
        held, probing: "echo \(interface.name) > /sys/bus/usb/drivers_probe")
      return [blacklist].compactMap(\.self) + [
        Remedy(
          "Give the interface to \(held.module)", commands: load + [unbind, bind],
          actor: .administrator, until: .replug,
          assumes: nodeAssumption,
          caution: "nothing else needs \(held.driver) on this interface")
      ]
    }
    // The kernel looks for a driver when an interface appears, but not when a program releases it.
    let probe = load + ["echo \(interface.name) > /sys/bus/usb/drivers_probe"]
    if held.isBrailleAdapter {
      let own = holders(of: held).map(\.process).filter { $0.name == "brltty" }.compactMap(\.unit)
        .filter { $0.hasPrefix("brltty") }
      let services = facts.hardware?.brailleServices ?? []
      if let services = [services, own].first(where: { !$0.isEmpty }) {
        return brailleRemedies(interface, load, of: services)
      }
    }
    if isHeldByPrintServer(held), holders(of: held).isEmpty {
      return [printerRemedy(held, probe)].compactMap(\.self) + [
        Remedy(
          "Prevent ipp-usb from running, and have the drivers probe the interface again",
          commands: ["systemctl mask --now ipp-usb.service"] + probe, actor: .administrator,
          assumes: Remedy.both("ipp-usb has claimed it", nodeAssumption),
          caution: "nothing uses driverless printing or scanning over USB")
      ]
    }
    let close = Remedy(
      "Close the program that has claimed it, and have the drivers probe the interface again",
      commands: probe, actor: .administrator,
      assumes: nodeAssumption, caution: Remedy.savedWork)
    let use = UseLayer(assessment: assessment, names: names)
    guard var stop = holders(of: held).lazy.compactMap({ use.serviceRemedy($0.process) }).first
    else { return [close] }
    stop.title += ", and have the drivers probe the interface again"
    stop.steps.append(Remedy.Step(.administrator, commands: probe))
    stop.assumes = Remedy.both(stop.assumes, nodeAssumption)
    return [stop]
  }

  /// Returns the remedy that prevents the driver that holds the hardware from loading.
  private func blacklistRemedy(_ held: HardwareFacts.Held, probing probe: String) -> Remedy? {
    guard let commands = DriverBlacklist.commands(driver: held.driver) else { return nil }
    return Remedy(
      "Prevent the \(held.driver) driver from loading, and give the device to \(held.module)",
      commands: commands + ["modprobe \(held.module.shellQuoted)", probe], actor: .administrator,
      assumes: nodeAssumption, caution: DriverBlacklist.assumption(driver: held.driver))
  }

  /// Returns the remedies that give a PCI device back to its usual driver.
  private func pciRemedies(_ held: HardwareFacts.Held) -> [Remedy] {
    let place = held.interface.name
    guard place.isPCIAddress else { return [] }
    if held.isForVirtualMachine {
      let which = held.identifiers.map { "the ID \($0)" } ?? "the device \(place)"
      return [
        Remedy(
          """
          Remove \(which) from \(held.driver)'s options, in /etc/modprobe.d or on the kernel \
          command line
          """, actor: .administrator, takesEffect: "after a reboot",
          assumes: nodeAssumption, caution: "no virtual machine needs the device")
      ]
    }
    let probe = "echo \(place) > /sys/bus/pci/drivers_probe"
    return [blacklistRemedy(held, probing: probe)].compactMap(\.self)
  }

  func heldLookups(_ cause: Cause) -> [Lookup] {
    guard let held = held.first(where: { $0.sysfsPath == cause.at }), held.interface.isOfProgram,
      let node = held.node
    else { return [] }
    return [
      Lookup(
        "See which program has claimed it", commands: ["devaccess users \(node.shellQuoted)"],
        isPrivileged: true)
    ]
  }
}
