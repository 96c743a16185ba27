/// Drivers and programs that hold the interfaces of a USB device.
extension UseLayer {
  /// The interfaces of the device that a driver or a program holds.
  var takenInterfaces: [HardwareFacts.USBInterface] {
    guard let device, device.subsystem == DeviceKind.usb.subsystem, device.node != nil else {
      return []
    }
    return facts.hardware?.interfaces.filter { $0.isTaken && $0.belongs(to: device) } ?? []
  }

  /// Returns the cause for a raw node that can be opened but has interfaces that cannot be claimed.
  ///
  /// `USBDEVFS_CLAIMINTERFACE` fails with `EBUSY`. The facts do not show which interfaces a program
  /// will claim, so the cause is never proven.
  func claimCause() -> Cause? {
    let taken = takenInterfaces
    guard !taken.isEmpty else { return nil }
    let programs = taken.filter(\.isOfProgram).map(\.name)
    let drivers = taken.filter { !$0.isOfProgram }
    var clauses: [String] = []
    if !programs.isEmpty {
      clauses.append(
        "\(user(of: "another program")) has claimed \(Self.interfaces(programs))")
    }
    var named: Set<String> = []
    for driver in drivers.compactMap(\.driver) where named.insert(driver).inserted {
      let names = drivers.filter { $0.driver == driver }.map(\.name)
      clauses.append("the kernel driver \(driver) is bound to \(Self.interfaces(names))")
    }
    return Cause(
      .usbClaimed,
      summary: """
        \(path) may be used, but \(clauses.prefix(4).listed()): \
        \(programs.isEmpty ? "a program" : "another program") that tries to claim \
        \(taken.count > 1 ? "one of them" : "it"), for example with libusb, gets EBUSY.
        """, at: path, isProven: false)
  }

  private static func interfaces(_ names: [String]) -> String {
    guard names.count > 1 else { return "interface \(names.first ?? "")" }
    let shown = names.count > 4 ? names.prefix(4) + ["others"] : names[...]
    return "interfaces \(shown.listed())"
  }

  /// Returns the remedies that free an interface.
  ///
  /// A udev rule detaches the driver whenever it binds, the program detaches it while it uses the
  /// interface, or the administrator detaches it until the device is replugged. A driver that no
  /// other devices need can also be prevented from loading.
  func claimRemedies() -> [Remedy] {
    let taken = takenInterfaces
    let drivers = taken.filter { !$0.isOfProgram }
    var remedies = taken.contains(where: \.isOfProgram) ? useRemedies() : []
    guard !drivers.isEmpty else { return remedies }
    var listed: Set<String> = []
    for driver in drivers.compactMap(\.driver) where listed.insert(driver).inserted {
      guard let commands = DriverBlacklist.commands(driver: driver) else { continue }
      remedies.append(
        Remedy(
          "Prevent the kernel driver \(driver) from loading", commands: commands,
          actor: .administrator, caution: DriverBlacklist.assumption(driver: driver)))
    }
    remedies += [detachingRule(drivers)].compactMap(\.self)
    remedies.append(
      Remedy(
        """
        Let the program detach the driver while it uses the interface, with \
        libusb_set_auto_detach_kernel_driver
        """, actor: .program,
        assumes: "the program uses libusb and claims an interface that a driver holds"))
    var combined: Set<String> = []
    for interface in drivers {
      guard let driver = interface.driver, let command = interface.unbindCommand,
        !interface.isOneOfSeveral || combined.insert(driver).inserted
      else { continue }
      remedies.append(
        Remedy(
          "Detach \(driver) only from interface \(interface.name)", commands: [command],
          actor: .administrator, until: .replug,
          assumes: "the program claims that interface",
          caution: "nothing else needs \(driver) on this interface"))
      if remedies.count > 3 { break }
    }
    return remedies
  }

  /// Returns the remedy that adds a udev rule to detach the drivers from all devices of this model.
  private func detachingRule(_ interfaces: [HardwareFacts.USBInterface]) -> Remedy? {
    guard let device, let vendor = device.hexadecimal("ID_VENDOR_ID"),
      let model = device.hexadecimal("ID_MODEL_ID"), confinement.container == nil
    else { return nil }
    let names = Set(interfaces.compactMap(\.driver)).sorted()
    // If a driver combines several interfaces, unbinding the first one releases all of them.
    var combined: Set<String> = []
    let commands = interfaces.filter { interface in
      !interface.isOneOfSeveral || combined.insert(interface.driver ?? "").inserted
    }.compactMap(\.unbindCommand)
    guard !names.isEmpty, names.count < 3, names.allSatisfy(\.isRuleWord), !commands.isEmpty else {
      return nil
    }
    let rules = names.map { driver in
      """
      ACTION=="bind", SUBSYSTEM=="usb", DRIVER=="\(driver)", ATTRS{idVendor}=="\(vendor)", \
      ATTRS{idProduct}=="\(model)", RUN+="/bin/sh -c 'echo $kernel > /sys/bus/usb/drivers/\(driver)/unbind'"
      """
    }
    let words = names.listed()
    return Remedy(
      "Add a udev rule that detaches \(words) from such devices, so that programs can claim them",
      commands: UdevRules.commands(adding: rules, to: "73-devaccess-detach.rules") + commands,
      actor: .administrator,
      assumes: "Linux is 4.14 or newer",
      caution: """
        no program needs the nodes that \(words) creates for devices with the IDs \(vendor):\(model)
        """)
  }
}
