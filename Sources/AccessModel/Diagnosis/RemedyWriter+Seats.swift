/// Remedies that go through udev rules, seats and companion nodes.
extension RemedyWriter {
  func switchSession() -> Remedy? {
    guard let session = facts.session, let id = session.id, session.seat == device?.seat,
      !session.isRemote, !session.isActive
    else { return nil }
    // From a session in the background, logind asks an administrator; who sits there has the keys.
    return Remedy(
      "Switch to the session on \(session.seat ?? "its seat")",
      commands: ["loginctl activate \(id.shellQuoted)"], actor: .administrator,
      changes: [.activateSession], lasts: "until another session on the seat becomes active")
  }

  /// Lets udev and logind set the list of a tagged node anew.
  func triggerAgain(_ path: String) -> Remedy? {
    guard let device, let seat = facts.session?.activeUsers[device.seat], seat == subject.fsuid,
      let node = device.node
    else { return nil }
    return Remedy(
      "Let udev and logind set the node's access list again",
      commands: ["udevadm trigger --name-match=\(node.shellQuoted)"], actor: .administrator,
      changes: [.deviceEvent(path: node, mode: nil, group: nil, isTagged: false)],
      assumes: isTaggedLate ? "the rule that tags it sorts before 73-seat-late.rules" : nil)
  }

  /// A udev rule that lets logind give the device to the active user of its seat.
  ///
  /// A tag that came too late or before the device gets a rule as well: in time, it has effect.
  func tagRule() -> Remedy? {
    guard let device, let node = device.node, confinement.container == nil,
      !device.isTaggedForUserAccess || isTaggedLate, let match = RuleMatch(device)
    else { return nil }
    return rule(
      match, #"TAG+="uaccess""#, for: node, named: "73-devaccess-uaccess.rules",
      title: """
        Tag the device uaccess for whoever is active on \(device.seat), in a file that sorts before \
        73-seat-late.rules
        """,
      changes: [.deviceEvent(path: node, mode: nil, group: nil, isTagged: true)],
      scope: match.scope)
  }

  /// Whether the tag has probably no effect, because its rule sorts late.
  private var isTaggedLate: Bool {
    guard let device, device.isTaggedForUserAccess, !device.isUsuallyTagged else { return false }
    return facts.session?.activeUsers[device.seat] == subject.fsuid
  }

  func rule(
    _ match: RuleMatch, _ action: String, for node: String, named file: String, title: String,
    changes: [FactsChange], scope: String?
  ) -> Remedy {
    let rule = match.text + ", " + action
    return Remedy(
      title,
      commands: [
        "printf '%s\\n' \(rule.shellQuoted) > /etc/udev/rules.d/\(file)",
        "udevadm control --reload",
        "udevadm trigger --name-match=\(node.shellQuoted)",
      ], actor: .administrator, changes: changes, scope: scope,
      lasts: match.lasts)
  }

  /// A rule for the one companion node: its group is the cameras', its mode lets the group in.
  func companionRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard let device, device.node == path, let match = RuleMatch(device),
      let video = names.groupID("video"), node?.gid != video
    else { return [] }
    return [
      rule(
        match, #"GROUP="video", MODE="0660""#, for: path,
        named: "73-devaccess-camera.rules",
        title: "Give this companion node of the camera to group video",
        changes: [.deviceEvent(path: path, mode: 0o660, group: video, isTagged: false)],
        scope: ["every member of \(names.group(video))", match.scope].compactMap(\.self)
          .joined(separator: "; "))
    ]
  }

  func bootRemedies() -> [Remedy] {
    guard let node = device?.node else { return [] }
    return [
      Remedy(
        "Wait until udev has finished with the node",
        commands: ["udevadm wait --settle --timeout=10 \(node.shellQuoted)"], actor: .user,
        assumes: "udev is running, and its rules let the user in")
    ]
  }

  // MARK: - Nodes

  func absenceLookups() -> [Lookup] {
    guard facts.kind == DeviceKind.camera.name else { return [] }
    return [
      Lookup(
        "Check whether the camera is on the USB bus at all: a key or a switch can turn it off",
        commands: ["lsusb"]),
      Lookup(
        "Read what the kernel reports about drivers",
        commands: ["journalctl -k -g 'uvcvideo|video'"],
        isPrivileged: true),
    ]
  }

  func otherNodeRemedies(_ code: CauseCode) -> [Remedy] {
    let best = DeviceKind.camera.candidates(in: facts.devices).first
    if let best, let node = best.node, node != device?.node {
      let links = best.links.filter { $0.hasPrefix("/dev/v4l/by-") }.sorted()
      let stays = links.first.map { " by \($0), a name that stays" } ?? ""
      return [
        Remedy(
          "Use \(node), the camera's own node\(links.isEmpty ? "" : ",")\(stays)", actor: .user,
          lasts: links.isEmpty && code == .nodeRenumbered
            ? "until the camera gets another number" : nil,
          assumes: "the permissions of \(node) let the user in")
      ]
    }
    guard code == .wrongNodePipeline else { return [] }
    return [
      Remedy(
        "Use a program that reaches the camera through libcamera or PipeWire", actor: .user,
        assumes: "the program supports libcamera or PipeWire")
    ]
  }

  func loopbackRemedies() -> [Remedy] {
    let feed = Remedy(
      "Start the program that feeds the virtual camera", actor: .user,
      assumes: "no program feeds it now")
    // One that only takes pictures has exclusive_caps, and shows as a camera once it is fed.
    guard device?.isUnfedLoopback == true else { return [feed] }
    let count = facts.devices.count { VideoDriver(of: $0) == .loopback }
    let each = Array(repeating: "1", count: max(count, 1)).joined(separator: ",")
    let options = "exclusive_caps=\(each)" + (count > 1 ? " devices=\(count)" : "")
    return [
      feed,
      Remedy(
        "Load the module so that it shows as a camera only while it is fed",
        commands: [
          "echo 'options v4l2loopback \(options)' > /etc/modprobe.d/devaccess-v4l2loopback.conf",
          "modprobe -r v4l2loopback", "modprobe v4l2loopback",
        ],
        actor: .administrator, takesEffect: "after the module is loaded again",
        assumes: "no program uses one of its nodes"),
    ]
  }

  func notADeviceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard path.hasPrefix("/dev/"), let node, !node.type.isDevice else { return [] }
    let remove = node.type == .directory ? "rmdir" : "rm"
    return [
      Remedy(
        "Remove it; the node comes with the device", commands: ["\(remove) \(path.shellQuoted)"],
        actor: .administrator, takesEffect: "after the device is plugged in again",
        assumes: "the device is plugged in")
    ]
  }
}
