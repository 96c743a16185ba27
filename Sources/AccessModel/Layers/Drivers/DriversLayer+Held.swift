/// Hardware without a node because its interface is another driver's, or a program's.
extension DriversLayer {
  /// The hardware that could have the wanted node, and that something else has.
  private var held: [HardwareFacts.Held] {
    facts.hardware?.held.filter { couldMakeNode($0.module) } ?? []
  }

  /// Whether a module makes nodes with the name of the one that was asked for.
  func couldMakeNode(_ module: String) -> Bool {
    guard facts.kind == nil else { return true }
    // Modems have a name of their own, and all other serial ports on USB have one.
    let isModem = path.hasPrefix("/dev/ttyACM")
    return isModem || path.hasPrefix("/dev/ttyUSB") ? (module == "cdc_acm") == isModem : true
  }

  func heldCauses() -> [Cause] {
    held.prefix(4).map { held in
      let name = held.name ?? held.sysfsPath
      let interface = held.interface
      // Where there are others of such a name, the node may have been another's. A sound device
      // need not be a microphone.
      let isProven = held.module != "snd_usb_audio" && (facts.kind != nil || !hasOthers)
      guard interface.isOfProgram else {
        return Cause(
          .usbDriverBound,
          summary: """
            \(name) is plugged in, but the driver \(held.driver) has its interface \
            \(interface.name), and not \(held.module), which makes such nodes.
            """, at: held.sysfsPath, isProven: isProven)
      }
      var summary = """
        \(name) is plugged in, but a program has claimed its interface \(interface.name) through \
        the raw USB node (the driver is usbfs), so that \(held.module) makes no node for it.
        """
      if held.isBrailleAdapter, let service = facts.hardware?.brailleServices.first {
        summary += """
           \(service) runs, which takes such adapters (\(held.identifiers ?? "")) for Braille \
          displays.
          """
      }
      return Cause(.usbDriverBound, summary: summary, at: held.sysfsPath, isProven: isProven)
    }
  }

  /// Whether there are nodes of the same name but for its number.
  private var hasOthers: Bool {
    let stem = { (name: Substring) in name.prefix { !$0.isNumber } }
    let wanted = stem(path.split(separator: "/").last ?? "")
    return facts.devices.contains { $0.node != nil && stem($0.kernelName[...]) == wanted }
  }

  /// Gives the interface back to the driver that makes the node.
  func heldRemedies(_ cause: Cause) -> [Remedy] {
    guard let held = held.first(where: { $0.sysfsPath == cause.at }),
      held.interface.name.isUSBPlace
    else { return [] }
    let interface = held.interface
    let module = facts.hardware?.modules.first { $0.name == held.module }
    let load = module?.isLoaded == false ? ["modprobe \(held.module.shellQuoted)"] : []
    guard interface.isOfProgram else {
      let driver = HardwareFacts.driver(ofModule: held.module)
      guard let unbind = interface.unbindCommand, !driver.utf8.contains(UInt8(ascii: "/")) else {
        return []
      }
      let bind = "echo \(interface.name) > \("/sys/bus/usb/drivers/\(driver)/bind".shellQuoted)"
      return [
        Remedy(
          "Give the interface to \(held.module)", commands: load + [unbind, bind],
          actor: .administrator, lasts: "until the device is plugged in again",
          assumes: "nothing needs what \(held.driver) makes of it, and \(Self.nodeAssumption)")
      ]
    }
    // The kernel looks for a driver when an interface comes, and not when a program lets it go.
    let probe = load + ["echo \(interface.name) > /sys/bus/usb/drivers_probe"]
    let services = facts.hardware?.brailleServices ?? []
    if held.isBrailleAdapter, !services.isEmpty {
      let names = services.prefix(4).map(\.shellQuoted).joined(separator: " ")
      return [
        Remedy(
          "Keep brltty from taking the adapter, and let the drivers look at it again",
          commands: ["systemctl mask --now \(names)"] + probe, actor: .administrator,
          scope: "no Braille display works",
          assumes: "nobody reads with a Braille display here, and \(Self.nodeAssumption)")
      ]
    }
    return [
      Remedy(
        "Close the program that has claimed it, and let the drivers look at the interface again",
        commands: probe, actor: .administrator,
        assumes: "the program may be closed, and \(Self.nodeAssumption)")
    ]
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
