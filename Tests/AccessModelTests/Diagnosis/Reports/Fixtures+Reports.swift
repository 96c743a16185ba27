import AccessModel

/// What reports say of their machines.
extension Fixtures {
  /// A device of another subsystem, known to udev and asked for by its path.
  mutating func askDevice(
    _ path: String, subsystem: String, mode: UInt16 = 0o660, gid: UInt32 = 0,
    tags: [String] = ["seat"], isInitialized: Bool = true
  ) {
    ask(path, mode: mode, gid: gid)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var device = DeviceFacts(
      node: path, sysfsPath: "/sys/devices/\(name)", subsystem: subsystem, kernelName: name,
      isInitialized: isInitialized)
    device.number = DeviceNumber(major: 250, minor: 0)
    device.tags = tags
    device.currentTags = tags
    device.classify()
    facts.devices = [device]
  }

  /// The camera as the raw node of a pipeline, with the memory for its pictures.
  mutating func askPipeline(heap: String, mode: UInt16, gid: UInt32 = 0) {
    device { $0.driver = "unicam" }
    // The observer asks for a name that no node has, where none is a camera.
    facts.access.request = .open(path: "/dev/video1", flags: [.readWrite, .nonBlocking])
    add(heap, .characterDevice, mode: mode, gid: gid)
  }

  /// The media controller of the webcam, for group video and without a tag.
  mutating func addController() {
    add("/dev/media0", .characterDevice, mode: 0o660, gid: Fixtures.video)
    facts.devices.append(
      DeviceFacts(
        node: "/dev/media0", sysfsPath: "/sys/devices/pci/usb1/1-5/media0", subsystem: "media",
        kernelName: "media0"))
  }

  /// In a container, where logind and its sessions do not show.
  mutating func contain(_ container: String) {
    facts.confinement.container = container
    facts.session = nil
    facts.account.loginGroups = nil
  }

  /// In a user namespace that maps the user's own numbers alone.
  mutating func unmap() {
    let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
    facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
  }

  /// In a container whose group of that name has another number than the node's.
  mutating func renumber(_ name: String, node: UInt32, inside: UInt32) {
    facts.account.groupNames = facts.account.groupNames.filter { $0.value != name }
    facts.account.groupNames[node] = nil
    facts.account.groupNames[inside] = name
    join(inside)
  }

  /// As a systemd service.
  mutating func serve(_ unit: String) {
    facts.confinement.unit = unit
    session(nil, seat: nil, active: nil)
  }

  /// As the user in front of the machine.
  mutating func sit() {
    session("2", isActive: true, active: Fixtures.alice)
  }

  /// Without the node that udev knows.
  mutating func hide() {
    facts.access.nodes.removeAll { $0.path == "/dev/video0" }
  }

  mutating func askAbsent(_ path: String) {
    ask(path, .regular)
    facts.access.nodes.removeAll { $0.path == path }
  }
}
