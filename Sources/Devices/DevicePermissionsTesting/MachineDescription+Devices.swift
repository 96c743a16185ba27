public import AccessModel
internal import LinuxDevices

extension MachineDescription {
  /// Adds a USB camera with its device node.
  ///
  /// As on a desktop, the node has mode 0660, the group `video` and the tag `uaccess`.
  ///
  /// - Parameters:
  ///   - number: The number of the node, such as 0 for `/dev/video0`.
  ///   - name: The card name.
  ///   - tags: The current udev tags.
  ///   - seat: The seat that the camera belongs to.
  ///   - metadataSibling: `true` to add the next node, which delivers the camera's metadata.
  public mutating func addCamera(
    _ number: Int = 0, name: String = "Integrated Camera", tags: [String] = ["seat", "uaccess"],
    seat: String = "seat0", metadataSibling: Bool = false
  ) {
    precondition(number >= 0, "there is no camera \(number)")
    addVideoNode(
      number, of: number, name: name, capabilities: ":capture:", tags: tags, seat: seat)
    if metadataSibling {
      addVideoNode(
        number + 1, of: number, name: name, capabilities: ":", tags: tags, seat: seat)
    }
  }

  /// Adds a sound card with a node that captures.
  ///
  /// As on a server, the node has mode 0660, the group `audio` and no tags. On a desktop, it has
  /// the tag `uaccess`, so it belongs to the active session like a camera:
  /// `addMicrophone(tags: ["uaccess"])`.
  ///
  /// - Parameters:
  ///   - card: The number of the card, such as 0 for `/dev/snd/pcmC0D0c`.
  ///   - name: The name of the card.
  ///   - tags: The current udev tags.
  ///   - seat: The seat that the card belongs to.
  public mutating func addMicrophone(
    _ card: Int = 0, name: String? = nil, tags: [String] = [], seat: String = "seat0"
  ) {
    precondition((0..<32).contains(card), "there is no sound card \(card)")
    let kernelName = "pcmC\(card)D0c"
    var device = DeviceFacts(
      node: "/dev/snd/\(kernelName)",
      sysfsPath: "/sys/devices/pci0000:00/0000:00:1f.3/sound/card\(card)/\(kernelName)",
      subsystem: "sound", kernelName: kernelName, seat: seat)
    device.number = DeviceNumber(major: 116, minor: UInt32(24 + 32 * card))
    device.isInitialized = true
    device.name = name
    device.tags = tags
    device.currentTags = tags
    addDevice(device, group: "audio")
  }

  /// Adds a device and, if it has a path and a number, its device node.
  ///
  /// The device replaces a device with the same path in sysfs.
  public mutating func addDevice(
    _ device: DeviceFacts, mode: UInt16 = 0o660, owner: String = "root", group: String = "root"
  ) {
    var device = device
    device.classify()
    devices.removeAll { $0.sysfsPath == device.sysfsPath }
    precondition(
      device.node == nil || !devices.contains { $0.node == device.node },
      "the described machine has another device at \(device.node ?? "")")
    devices.append(device)
    devices.sort { ($0.kernelName.count, $0.kernelName) < ($1.kernelName.count, $1.kernelName) }
    guard let path = device.node, let number = device.number else { return }
    add(.characterDevice, at: path, mode: mode, owner: owner, group: group)
    nodes[path]?.rdev = number
    for link in device.links { addLink(link, to: path) }
    grantUserAccess(to: device)
    giveAgain(on: device)
  }

  /// Adds a node for the device with the given number, as
  /// `docker run --device=/dev/video1:/dev/video0` does.
  ///
  /// The device keeps the node that udev knows until that node is removed.
  public mutating func addNode(
    _ path: String, of number: DeviceNumber, mode: UInt16 = 0o660, owner: String = "root",
    group: String = "video"
  ) {
    add(.characterDevice, at: path, mode: mode, owner: owner, group: group)
    nodes[path]?.rdev = number
  }

  /// Unplugs a device, which removes the device, its node and its links.
  ///
  /// - Parameter path: The path of its node.
  public mutating func removeDevice(_ path: String) {
    precondition(
      devices.contains { $0.node == path } || nodes[path]?.type.isDevice == true,
      "the described machine has no device at \(path)")
    for device in devices where device.node == path {
      for link in device.links { remove(link) }
    }
    devices.removeAll { $0.node == path }
    remove(path)
  }

  private mutating func addVideoNode(
    _ number: Int, of camera: Int, name: String, capabilities: String, tags: [String],
    seat: String
  ) {
    let parent = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-\(camera + 1)"
    var device = DeviceFacts(
      node: "/dev/video\(number)", sysfsPath: "\(parent)/video4linux/video\(number)",
      subsystem: "video4linux", kernelName: "video\(number)", seat: seat)
    device.name = name
    device.driver = "uvcvideo"
    device.bus = "usb"
    device.number = DeviceNumber(major: 81, minor: UInt32(clamping: number))
    device.index = number - camera
    device.properties = [
      "ID_V4L_CAPABILITIES": capabilities, "ID_V4L_PRODUCT": name, "ID_BUS": "usb",
    ]
    device.tags = tags
    device.currentTags = tags
    addDevice(device, group: "video")
  }
}

extension DeviceEvent {
  /// Returns the events that udev would send for the change from one machine to another.
  static func differences(
    from before: MachineDescription, to after: MachineDescription
  ) -> [DeviceEvent] {
    let old = Dictionary(uniqueKeysWithValues: before.devices.map { ($0.sysfsPath, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.devices.map { ($0.sysfsPath, $0) })
    let gone = before.devices.filter { new[$0.sysfsPath] == nil }.map { ($0, Action.remove) }
    let come = after.devices.filter { old[$0.sysfsPath] == nil }.map { ($0, Action.add) }
    let changed = after.devices.filter { device in
      guard let previous = old[device.sysfsPath] else { return false }
      let node = device.node
      return previous != device
        || node.flatMap { before.nodes[$0] } != node.flatMap { after.nodes[$0] }
    }.map { ($0, Action.change) }
    return (gone + come + changed).map { device, action in
      DeviceEvent(
        action: action, subsystem: device.subsystem, kernelName: device.kernelName,
        node: device.node)
    }
  }
}

extension MachineDescription {
  /// Makes a process of a user hold a device open.
  ///
  /// ```swift
  /// $0.addCamera()
  /// $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "alice")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path that the process opened, which leads to a device.
  ///   - name: The command name, which is truncated to 15 bytes as in the kernel.
  ///   - pid: The process ID. One process can hold several devices.
  ///   - user: The name of an existing user.
  ///   - hold: The way in which the process holds the device; by default, with one descriptor for
  ///     reading and writing.
  public mutating func hold(
    _ path: String, by name: String, pid: Int32, user: String, _ hold: DeviceHold = DeviceHold()
  ) {
    precondition(pid > 0, "there is no process \(pid)")
    // TASK_COMM_LEN.
    let command = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    var process = HoldingProcess(id: pid, name: command)
    process.user = userID(of: user)
    process.userName = user
    addHolder(DeviceHolder(process, hold), of: path)
  }

  /// Makes a process hold a device open, with all details of the process, such as its program, unit
  /// or container.
  ///
  /// The subject sees the processes of its own user and, with CAP_SYS_PTRACE, those of other users.
  /// It also sees a process without a `user`. For a process of another user, set `user` with
  /// ``userID(of:)``, and set `userName`.
  public mutating func addHolder(_ holder: DeviceHolder, of path: String) {
    let path = held(path)
    holders.removeAll { $0.path == path && $0.holder.process.id == holder.process.id }
    holders.append((path, holder))
  }

  /// Makes a process close a device that it holds.
  public mutating func release(_ path: String, by pid: Int32) {
    let path = held(path)
    guard holders.contains(where: { $0.path == path && $0.holder.process.id == pid }) else {
      preconditionFailure("process \(pid) does not hold \(path)")
    }
    holders.removeAll { $0.path == path && $0.holder.process.id == pid }
  }

  /// Returns the path of the node that a path leads to.
  private func held(_ path: String) -> String {
    guard let node = try? node(at: path) else {
      preconditionFailure("the described machine has no device at \(path)")
    }
    return node
  }

  /// Ends a process, which then holds no device.
  ///
  /// Programs that use a device through a media server are listed in the holder that was passed to
  /// ``addHolder(_:of:)``. To change that list, call the method again with the same process.
  public mutating func endProcess(_ pid: Int32) {
    holders.removeAll { $0.holder.process.id == pid }
  }

  /// Sets whether the driver of a virtual camera reports that the camera receives pictures.
  ///
  /// - Parameters:
  ///   - path: The node of a device below `/sys/devices/virtual/video4linux`.
  ///   - isFed: `true` if the camera receives pictures.
  ///   - version: The version of v4l2loopback that provides the camera.
  public mutating func feed(
    _ path: String, _ isFed: Bool = true, version: LoopbackVersion = .oneViewer
  ) {
    guard let index = devices.firstIndex(where: { $0.node == path }) else {
      preconditionFailure("there is no device \(path)")
    }
    devices[index].isFed = isFed
    devices[index].loopbackVersion = version
    devices[index].classify()
  }

  /// Returns the holders of devices that the subject can see.
  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    var facts = UseFacts(unseen: unseenProcesses, observedAt: now)
    var unseen: Set<Int32> = []
    for (_, holder) in holders where !isVisible(holder) { unseen.insert(holder.process.id) }
    facts.unseen.count += unseen.count
    if !unseen.isEmpty { facts.unseen.reasons.insert(.notTraceable) }
    for target in targets {
      switch target {
      case .kind(let kind):
        var observation = DescribedObservation(self, origin: nil)
        let placed = devices.placed(
          of: kind, end: { observation.walk($0) }, others: { observation.nodes(numbered: $0) })
        for device in kind.usedDevices(in: placed) {
          guard let node = device.node else { continue }
          Self.add(use(of: node, device, kind: kind.name), to: &facts)
        }
      case .path(let path):
        let node = try node(at: path)
        Self.add(use(of: node, devices.first { $0.node == node }, kind: nil), to: &facts)
      }
    }
    return facts
  }

  /// Adds the use of a device unless it has been added, because a kind and a path may refer to the
  /// same device.
  private static func add(_ use: DeviceUse, to facts: inout UseFacts) {
    if let index = facts.devices.firstIndex(where: { $0.node == use.node }) {
      facts.devices[index].kind = facts.devices[index].kind ?? use.kind
    } else {
      facts.devices.append(use)
    }
  }

  private func use(of node: String, _ device: DeviceFacts?, kind: String?) -> DeviceUse {
    var use = DeviceUse(node: node, kind: kind, device: device)
    use.isToldByDriver =
      device?.subsystem == "sound" && device?.kernelName.hasPrefix("pcm") == true
    let number = nodes[node]?.rdev
    use.holders = holders.filter { path, holder in
      let isSame = path == node || number != nil && nodes[path]?.rdev == number
      return isSame && (use.isToldByDriver || isVisible(holder))
    }
    .map(\.holder).sorted { $0.process.id < $1.process.id }
    // A described sound device has one stream.
    if use.isToldByDriver { use.freeStreams = use.holders.isEmpty ? 1 : 0 }
    return use
  }

  /// Returns the error of the driver, or of a layer that the model does not know, when another
  /// program opens a device; `nil` if opening succeeds.
  func errorBehindTheModel(opening path: String, for permissions: Permissions) -> Errno? {
    if let errno = hiddenRefusal(path, permissions) { return errno }
    if let failure = openFailures[path], failure != .success { return failure }
    // See snd_pcm_open in sound/core/pcm_native.c of Linux, which does not wait for a stream here.
    let device = devices.first { $0.node == path }
    return use(of: path, device, kind: nil).freeStreams == 0 ? .busy : nil
  }

  private func isVisible(_ holder: DeviceHolder) -> Bool {
    guard let user = holder.process.user else { return true }
    return subject.effective.contains(.traceProcesses) || user == subject.euid
  }

  private func node(at path: String) throws(DeviceError) -> String {
    var observation = DescribedObservation(self, origin: nil)
    guard let node = observation.walk(path) else {
      throw DeviceError(
        .notADevice, operation: "find the users of", path: path, errno: .noSuchFile)
    }
    guard node.type.isDevice else {
      throw DeviceError(.notADevice, operation: "find the users of", path: path)
    }
    return node.path
  }
}
