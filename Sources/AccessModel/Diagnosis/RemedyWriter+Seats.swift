/// Remedies that go through udev rules, seats and companion nodes.
extension RemedyWriter {
  func seatRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    var remedies: [Remedy] = []
    if let session = facts.session, let id = session.id, session.seat == device?.seat,
      !session.isRemote, !session.isActive
    {
      remedies.append(
        Remedy(
          "Switch to the session on \(session.seat ?? "its seat")",
          commands: ["loginctl activate \(id.shellQuoted)"], actor: .user,
          takesEffect: "as long as that session is the active one"))
    }
    remedies += [entry(path, node)].compactMap(\.self)
    if let node, node.owningGroupPermissions.isSuperset(of: wanted) {
      remedies += [join(node.gid)].compactMap(\.self)
    }
    return remedies
  }

  /// A udev rule that lets logind give the device to the active user of its seat.
  func tagRule() -> Remedy? {
    guard let device, let node = device.node, confinement.container == nil else { return nil }
    let match: String
    if let vendor = device.hexadecimal("ID_VENDOR_ID"),
      let model = device.hexadecimal("ID_MODEL_ID"), device.bus == "usb" || device.bus == nil
    {
      match =
        #"SUBSYSTEM=="\#(device.ruleWord)", ATTRS{idVendor}=="\#(vendor)", "#
        + #"ATTRS{idProduct}=="\#(model)""#
    } else {
      match = #"SUBSYSTEM=="\#(device.ruleWord)""#
    }
    return rule(
      match + #", TAG+="uaccess""#, for: node, named: "70-devaccess-uaccess.rules",
      title: "Tag the device uaccess, in a file that sorts before 73-seat-late.rules",
      excess: """
        whoever is active on the seat, for every device that the rule matches
        """)
  }

  private func rule(
    _ rule: String, for node: String, named file: String, title: String, excess: String
  ) -> Remedy {
    Remedy(
      title,
      commands: [
        "printf '%s\\n' \(rule.shellQuoted) > /etc/udev/rules.d/\(file)",
        "udevadm control --reload",
        "udevadm trigger --name-match=\(node.shellQuoted)",
      ], actor: .administrator, excess: excess)
  }

  func companionRemedies(_ path: String) -> [Remedy] {
    let name = path.dropFirst("/dev/".count)
    let subsystem: String
    switch name.prefix(while: { $0 != "/" && !$0.isNumber }) {
    case "media": subsystem = "media"
    case "dma_heap": subsystem = "dma_heap"
    case "vchiq": subsystem = "vchiq"
    default: return []
    }
    return [
      rule(
        #"SUBSYSTEM=="\#(subsystem)", GROUP="video", MODE="0660""#, for: path,
        named: "70-devaccess-camera.rules",
        title: "Give the camera's companion nodes to group video",
        excess: "every member of group video, for every node of the subsystem \(subsystem)")
    ]
  }

  func bootRemedies() -> [Remedy] {
    guard let node = device?.node else { return [] }
    return [
      Remedy(
        "Wait until udev has finished with the node",
        commands: ["udevadm wait --settle --timeout=10 \(node.shellQuoted)"], actor: .user)
    ]
  }

  // MARK: - Nodes

  func absenceRemedies() -> [Remedy] {
    guard facts.kind == DeviceKind.camera.name else { return [] }
    return [
      Remedy(
        "Look whether the camera is on the USB bus at all: a key or a switch can take it off",
        commands: ["lsusb"], actor: .user),
      Remedy(
        "Read what the kernel said of drivers", commands: ["journalctl -k -g 'uvcvideo|video'"],
        actor: .administrator),
    ]
  }

  func otherNodeRemedies(_ code: CauseCode) -> [Remedy] {
    let best = DeviceKind.camera.candidates(in: facts.devices).first
    if let node = best?.node, node != device?.node {
      return [
        Remedy(
          "Use the camera's own node", commands: ["devaccess explain \(node.shellQuoted)"],
          actor: .user)
      ]
    }
    guard code == .wrongNodePipeline else { return [] }
    return [
      Remedy(
        "Use a program that reaches the camera through libcamera or PipeWire", commands: [],
        actor: .user)
    ]
  }

  func loopbackRemedies() -> [Remedy] {
    [
      Remedy("Start the program that feeds the virtual camera", commands: [], actor: .user),
      Remedy(
        "Load the module so that it shows as a camera only while it is fed",
        commands: ["modprobe -r v4l2loopback", "modprobe v4l2loopback exclusive_caps=1"],
        actor: .administrator, takesEffect: "after the module is loaded again"),
    ]
  }

  func notADeviceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard path.hasPrefix("/dev/") else { return [] }
    let remove = node?.type == .directory ? "rmdir" : "rm"
    return [
      Remedy(
        "Take it away; the node comes with the device", commands: ["\(remove) \(path.shellQuoted)"],
        actor: .administrator, takesEffect: "after the device is plugged in again")
    ]
  }
}

extension DeviceFacts {
  /// A property that is four hexadecimal digits, as USB identifiers are; anything else has no
  /// place in a rule.
  fileprivate func hexadecimal(_ property: String) -> String? {
    guard let value = properties[property], value.utf8.count == 4,
      value.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
      })
    else { return nil }
    return value
  }

  /// The subsystem, as a rule may hold it.
  fileprivate var ruleWord: String {
    let isPlain = subsystem.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
    }
    return isPlain ? subsystem : "?*"
  }
}
