import AccessModel

/// Situations that occur in reports.
extension Fixtures {
  /// Asks by path for a device of another subsystem that udev knows.
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

  /// Makes the camera the raw node of a pipeline, with the heap for its buffers.
  mutating func askPipeline(heap: String, mode: UInt16, gid: UInt32 = 0) {
    device { $0.driver = "unicam" }
    // If no node is a camera, the observer asks for a name that does not exist.
    facts.access.request = .open(path: "/dev/video1", flags: [.readWrite, .nonBlocking])
    add(heap, .characterDevice, mode: mode, gid: gid)
  }

  /// Adds the media controller of the webcam, with group video and without a tag.
  mutating func addController() {
    add("/dev/media0", .characterDevice, mode: 0o660, gid: Fixtures.video)
    facts.devices.append(
      DeviceFacts(
        node: "/dev/media0", sysfsPath: "/sys/devices/pci/usb1/1-5/media0", subsystem: "media",
        kernelName: "media0"))
  }

  /// Moves the subject to a container, where logind and its sessions are not visible.
  mutating func contain(_ container: String) {
    facts.confinement.container = container
    facts.session = nil
    facts.account.loginGroups = nil
  }

  /// Moves the subject to a user namespace that maps only the user's own IDs.
  mutating func unmap() {
    let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
    facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
  }

  /// Gives the group of that name another ID in the container than on the node.
  mutating func renumber(_ name: String, node: UInt32, inside: UInt32) {
    facts.account.groupNames = facts.account.groupNames.filter { $0.value != name }
    facts.account.groupNames[node] = nil
    facts.account.groupNames[inside] = name
    join(inside)
  }

  /// Makes the subject a systemd service.
  mutating func serve(_ unit: String) {
    facts.confinement.unit = unit
    session(nil, seat: nil, active: nil)
  }

  /// Makes the subject the user of the active session.
  mutating func sit() {
    session("2", isActive: true, active: Fixtures.alice)
  }

  /// Removes the node of the camera, which udev still knows.
  mutating func hide() {
    facts.access.nodes.removeAll { $0.path == "/dev/video0" }
  }

  mutating func askAbsent(_ path: String) {
    ask(path, .regular)
    facts.access.nodes.removeAll { $0.path == path }
  }
}
