/// Logins, modem probing and lock files, which restrict the use of serial ports.
extension UseLayer {
  // MARK: - Logins on the port

  /// The service that runs a login on the node; `nil` if there is none.
  private var keeper: String? {
    guard let node = assessment.object else { return nil }
    return facts.hardware?.keepers[node.path]
  }

  /// Returns the cause for a node that a login service has taken.
  ///
  /// agetty(8) makes root the owner of the node and removes the permissions of other users.
  func takenCause(_ node: Node) -> Cause? {
    guard let keeper = facts.hardware?.keepers[node.path], node.type.isDevice, node.uid == 0,
      node.mode & 0o057 == 0
    else { return nil }
    return Cause(
      .nodeTaken,
      summary: """
        \(keeper) runs a login prompt on \(node.path), and has changed that node to mode \(node.octalMode), \
        owner root, after udev had set its permissions.
        """, at: node.path)
  }

  /// Returns a sentence about a serial port with the permissions that a login leaves.
  ///
  /// The sentence has a leading space. agetty(8) sets the owner root, the group tty and the mode
  /// 0620, and udev does not reset them.
  func loginSentence(_ node: Node) -> String {
    guard keeper == nil, node.uid == 0, node.mode & 0o777 == 0o620,
      names.groupName(node.gid) == "tty",
      ["ttyS", "ttyAMA", "ttyUSB", "ttyACM"].contains(where: { node.path.hasPrefix("/dev/\($0)") }),
      let name = node.path.split(separator: "/").last
    else { return "" }
    return """
       A login console leaves a port in this state: agetty sets root, group tty and mode 0620 when \
      serial-getty@\(name).service starts.
      """
  }

  /// Returns the cause for a usable port on which a login reads some of the device's output.
  func sharedCause() -> Cause? {
    guard let keeper else { return nil }
    return Cause(
      .nodeTaken,
      summary: """
        Access to \(path) is allowed, but \(keeper) waits for a login on it, and takes part of \
        what the device sends.
        """, at: path, isProven: false)
  }

  /// Returns the remedies that end the login, either temporarily or permanently.
  func keeperRemedies(_ cause: Cause) -> [Remedy] {
    let node = place(of: cause)
    guard let keeper = facts.hardware?.keepers[node], keeper.isUnitName else { return [] }
    let device = facts.devices.first { $0.node == node }
    // systemd's rules set the group of a port only when the port is added.
    let trigger = UdevTrigger(facts).commands(node: node, device: device, action: "add")
    let caution = "no login is needed on that port"
    let assumes = assessment.isGranted ? nil : nodeAssumption
    return [
      Remedy(
        "Stop the login prompt on the port, and have udev set its permissions again",
        commands: ["systemctl stop \(keeper.shellOperand)"] + trigger, actor: .administrator,
        until: .boot, assumes: assumes, caution: caution),
      Remedy(
        """
        Prevent systemd from starting a login prompt on the port, and have udev set its \
        permissions again
        """,
        commands: ["systemctl mask --now \(keeper.shellOperand)"] + trigger, actor: .administrator,
        assumes: assumes, caution: caution),
    ]
  }

  // MARK: - Modems

  /// Returns the cause for a port that ModemManager may probe when its device is plugged in.
  ///
  /// While it probes, ModemManager keeps the port open and writes to it.
  func probeCause() -> Cause? {
    guard let device, device.subsystem == DeviceKind.serial.subsystem,
      let port = facts.hardware?.ports.first(where: { $0.node == device.node })
    else { return nil }
    guard port.isProbed else {
      guard port.isProbedByOlder else { return nil }
      return Cause(
        .portProbed,
        summary: """
          Access to \(path) is allowed, but ModemManager is running. Its older versions also look \
          for a modem on devices with only one port: for a few seconds after the device is plugged \
          in, they keep the port open (EBUSY for others) and write AT commands to it.
          """, at: path, isProven: false)
    }
    return Cause(
      .portProbed,
      summary: """
        Access to \(path) is allowed, but ModemManager is running and may look for a modem on it: \
        for a few seconds after the device is plugged in, it keeps the port open (EBUSY for \
        others) and writes AT commands to it.
        """, at: path, isProven: false)
  }

  /// Returns the remedy that excludes only this device from ModemManager.
  func probeRemedies() -> [Remedy] {
    guard let node = device?.node else { return [] }
    return [UdevRuleRemedies(assessment: assessment, names: names).ignoreRule(node)].compactMap(
      \.self)
  }

  // MARK: - Locks

  /// Returns the cause for a lock directory in which the subject cannot create lock files.
  func lockCause(of port: String) -> Cause {
    let directory = assessment.object?.path ?? path
    return Cause(
      .lockDirectory,
      summary: """
        Access to \(port) is allowed, but \(user) has no permission to create files in \
        \(directory): programs that create a lock file there, such as minicom and picocom, refuse \
        to start.
        """, at: directory, isProven: false)
  }

  /// Returns the remedies to run the program without a lock file, or to add an ACL entry to the
  /// directory.
  func lockRemedies(_ cause: Cause) -> [Remedy] {
    let directory = place(of: cause)
    let remedies = [
      Remedy(
        "Start the program without its lock file (for example, picocom --nolock)", actor: .user,
        assumes: "the program has such an option", caution: "no other program uses the port")
    ]
    return remedies + [lockEntry(directory)].compactMap(\.self)
  }

  /// Returns the fix that lets the subject create lock files in a directory that is created at
  /// boot.
  func lockEntry(_ directory: String) -> Remedy? {
    guard directory.isConfigurationWord, directory.hasPrefix("/run/") else { return nil }
    return Remedy(
      "Allow \(user) to create lock files, now and after every boot",
      commands: Remedy.bootEntryCommands(
        directory, "u:\(subject.fsuid):rwx", file: "devaccess-lock"), actor: .administrator,
      scope: "permission to create any file in \(directory)",
      assumes: Remedy.both(
        "systemd-tmpfiles creates \(directory)", "its filesystem supports ACLs"))
  }
}
