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
      clauses.append("the \(driver) kernel driver is bound to \(Self.interfaces(names))")
    }
    return Cause(
      .usbClaimed,
      summary: """
        Access to \(path) is allowed, but \(clauses.prefix(4).listed()), so \
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
          "Prevent the \(driver) kernel driver from loading", commands: commands,
          actor: .administrator, caution: DriverBlacklist.assumption(driver: driver)))
    }
    remedies += [detachingRule(drivers)].compactMap(\.self)
    remedies.append(
      Remedy(
        """
        Change the program so that it detaches the driver while it uses the interface \
        (libusb_set_auto_detach_kernel_driver)
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
    // The kernel has sent the event `bind` since 4.14.
    guard !confinement.hasKernel(before: "4.14") else { return nil }
    return Remedy(
      """
      Add a udev rule that detaches \(words) from devices with the IDs \(vendor):\(model), so \
      that programs can claim them
      """,
      commands: UdevRuleRemedies.commands(adding: rules, to: "73-devaccess-detach.rules")
        + commands,
      actor: .administrator,
      assumes: confinement.kernelRelease == nil ? "Linux is 4.14 or newer" : nil,
      caution: """
        no program needs the nodes that \(words) creates for these devices
        """)
  }
}

/// Smart-card readers, which programs use through a daemon that asks polkit.
extension UseLayer {
  /// Returns the cause if polkit does not let the subject use cards.
  ///
  /// The cause is independent of the permissions of the reader's raw node.
  func cardCause() -> Cause? {
    guard assessment.conclusion != .absent, subject.euid != 0, !isCardDaemon,
      let hardware = facts.hardware,
      let service = hardware.cards, let device, hardware.isCardReader(device)
    else { return nil }
    if let answer = service.answer {
      return answer == .no ? refusal(reason(service), isProven: true) : nil
    }
    guard let standing, service.refused.contains(standing) else { return nil }
    let isProven = service.rules == HardwareFacts.CardService.Rules.none
    let doubt =
      switch service.rules {
      case .some(.none): ""
      case .named: ", unless one of its rules about them allows \(user)"
      case .other: ", unless one of its rules allows \(user)"
      case nil: ", unless one of its rules, which cannot be read, allows \(user)"
      }
    return refusal(reason(service) + doubt, isProven: isProven)
  }

  private func refusal(_ reason: String, isProven: Bool) -> Cause {
    Cause(
      .polkitRefused,
      summary: """
        Most programs use this reader's cards through pcscd, and polkit does not let \(user) use \
        pcscd\(reason). The permissions of \(path) do not change that.
        """, at: path, isProven: isProven)
  }

  /// A Boolean value that indicates whether the subject is pcscd itself, which opens the node.
  private var isCardDaemon: Bool {
    confinement.serviceUnit == "pcscd.service" || facts.account.userNames[subject.euid] == "pcscd"
  }

  /// The kind of session that polkit sees for the subject; `nil` if it is unknown.
  private var standing: HardwareFacts.CardService.Standing? {
    guard let session = facts.session, session.isLogindRunning else { return nil }
    guard session.id != nil else {
      // polkit treats programs that the user manager started as a part of the user's session.
      let isOfManager = confinement.unit?.hasPrefix("user@") ?? false
      guard isOfManager, !session.userSeats.isEmpty else { return .any }
      return session.activeUsers.values.contains(subject.ruid) ? .active : .inactive
    }
    guard session.seat != nil else { return .any }
    return session.isActive ? .active : .inactive
  }

  private func reason(_ service: HardwareFacts.CardService) -> String {
    guard let standing, service.refused.contains(standing) else { return "" }
    return switch standing {
    case .any:
      facts.session?.userSeats.isEmpty == false
        ? ", because this process is outside the session of \(user) on the seat"
        : ", because \(user) has no session on a seat of this machine"
    case .inactive: ", because the session of \(user) is not the active one of its seat"
    case .active: ""
    }
  }

  /// Returns the remedy that adds a polkit rule for only this user and the card actions.
  func cardRemedies() -> [Remedy] {
    guard names.hasPlainName(user: subject.euid) else { return [] }
    let name = names.userWord(subject.euid)
    let file = "/etc/polkit-1/rules.d/40-devaccess-cards.rules"
    let isMeant = HardwareFacts.CardService.actions.map { #"action.id == "\#($0)""# }
      .joined(separator: " || ")
    let rule =
      "polkit.addRule(function(action, subject) { if ((\(isMeant)) && "
      + #"subject.user == "\#(name)") return polkit.Result.YES; });"#
    return [
      Remedy(
        "Always allow \(user) to use cards through pcscd",
        // polkitd reads the directory as its own user. It reloads a file when the file is written,
        // but not when its mode changes.
        commands: [
          "touch \(file)", "chmod 644 \(file)",
          "printf '%s\\n' \(rule.shellQuoted) >> \(file)",
        ], actor: .administrator, scope: "access to the cards in every reader that pcscd serves",
        assumes: Remedy.both(
          "polkit supports JavaScript rules (0.106 or newer)", "no earlier rule refuses"))
    ]
  }

  /// Returns the commands that ask polkit about the shell in which they are entered.
  func cardLookups() -> [Lookup] {
    guard facts.hardware?.cards?.answer == nil else { return [] }
    return [
      Lookup(
        "Ask polkit, as the user and in the session in question",
        commands: HardwareFacts.CardService.actions.map {
          "pkcheck --action-id \($0) --process $$"
        })
    ]
  }
}
