/// The object at a device's path, if it is not the device.
///
/// The name does not show this. A container engine creates a directory if the host has no node, a
/// redirection creates a file, a sandbox mounts the null device over a hidden node, and a node that
/// was created by hand keeps its number when the device gets another.
enum ReplacingObject: Hashable, Sendable {
  /// A file, a directory, a FIFO or a socket.
  case notADevice(FileType)
  /// A device of another kind, such as the null device.
  case otherDevice(DeviceNumber, subsystem: String)
  /// The number that the device had before it was reconnected, and that no device has now.
  case oldNumber(DeviceNumber, now: DeviceNumber, opensNothing: Bool)
  /// A number that no driver has registered, or that sysfs has no device for.
  case noDriver(DeviceNumber)
  /// A number that sysfs does not list; it may belong to the device.
  case unknownNumber(DeviceNumber)

  /// A Boolean value that indicates whether every open fails, because no driver has the number.
  var opensNothing: Bool {
    switch self {
    case .noDriver: true
    case .oldNumber(_, now: _, let opensNothing): opensNothing
    case .notADevice, .otherDevice, .unknownNumber: false
    }
  }

  /// The major number of the memory devices, such as `/dev/null`, `/dev/zero` and `/dev/full`.
  private static let memoryMajor: UInt32 = 1

  init?(
    _ facts: borrowing AccessFacts, _ access: borrowing AccessCase, _ decision: Decision,
    device: DeviceFacts?
  ) {
    let path = access.request.path
    let isKind = facts.kind != nil
    guard facts.kind != DeviceKind.album.name, !access.request.creates,
      let step = decision.steps.last, step.action == .final, let object = step.node,
      !object.unobserved.contains(.status), object.type != .symbolicLink
    else { return nil }
    guard object.type.isDevice else {
      guard isKind || object.hasNameOfDevice else { return nil }
      self = .notADevice(object.type)
      return
    }
    guard let number = object.rdev else { return nil }
    if number == .ofNoDevice {
      self = .noDriver(number)
      return
    }
    let known = facts.hardware?.numbers.first {
      $0.number == number && $0.isBlock == (object.type == .blockDevice)
    }
    let isMemory = number.major == Self.memoryMajor && object.type == .characterDevice
    if let device, let now = device.number {
      if now == number, let meant = DeviceKind.ofNode(at: object.path)?.subsystem,
        meant != device.subsystem, object.path != (isKind ? device.node : device.udevNode)
      {
        self = .otherDevice(number, subsystem: device.subsystem)
        return
      }
      guard now != number, object.path == device.node else { return nil }
      if isMemory {
        self = .otherDevice(number, subsystem: "mem")
        return
      }
      // If another device has the number, the node is a name for that device.
      guard !facts.devices.contains(where: { $0.number == number }) else { return nil }
      self = .oldNumber(number, now: now, opensNothing: known?.hasDriver == false)
      return
    }
    let isNamed = isKind || object.hasNameOfDevice
    if isNamed, isMemory, device == nil {
      self = .otherDevice(number, subsystem: "mem")
    } else if known?.hasDriver == false, !facts.loadsDriver(ofNode: object.path) {
      self = .noDriver(number)
    } else if isNamed, device == nil, let subsystem = known?.subsystem,
      let meant = DeviceKind.ofNode(at: isKind ? path : object.path)?.subsystem,
      subsystem != meant
    {
      self = .otherDevice(number, subsystem: subsystem)
    } else if isNamed || object.isDisk, device == nil, let known, known.subsystem == nil,
      facts.showsNumber(number, of: object)
    {
      self = .noDriver(number)
    } else if isKind, device == nil, !facts.isOfKind(known) {
      self = .unknownNumber(number)
    } else {
      return nil
    }
  }
}

extension AccessFacts {
  /// Returns whether opening a node makes the kernel load the module that creates its device.
  borrowing func loadsDriver(ofNode path: String) -> Bool {
    if let module = hardware?.module(ofNode: path) {
      return module.isInstalled && !module.isLoaded && !module.isBlacklisted
    }
    return rules.map { $0.node == path && $0.staticModule != nil } ?? false
  }

  /// Returns whether a number belongs to the subsystem of the kind in question.
  fileprivate func isOfKind(_ number: HardwareFacts.Number?) -> Bool {
    guard let subsystem = number?.subsystem else { return false }
    return subsystem == kind.flatMap(DeviceKind.named)?.subsystem
  }

  /// Returns whether sysfs was read and lists every device that has such a number.
  ///
  /// sysfs lists the subsystems of all kinds, and disks, but not the devices of NVIDIA's own
  /// driver. A driver with a miscellaneous number may be loaded only when it is first used.
  fileprivate func showsNumber(_ number: DeviceNumber, of node: Node) -> Bool {
    number.major != 10 && !node.path.hasPrefix("/dev/nvidia")
      && !unobserved.contains { $0.layer == Unobserved.devicesLayer }
  }
}

extension DeviceNumber {
  /// The number 0:0, which no device has.
  ///
  /// systemd creates nodes with this number to cover inaccessible paths.
  static let ofNoDevice = DeviceNumber(major: 0, minor: 0)
}

extension DeviceKind {
  /// Returns the kind whose nodes have such names, such as the camera for `/dev/video3`.
  static func ofNode(at path: String) -> DeviceKind? {
    guard path.hasPrefix("/dev/") else { return nil }
    if path.hasPrefix("/dev/bus/usb/") { return .usb }
    let name = path.split(separator: "/").last ?? ""
    let stem = String(name.prefix { !$0.isNumber })
    guard stem.utf8.count < name.utf8.count else { return nil }
    return all.first { $0.namePrefixes.contains(stem) }
  }
}

extension Node {
  /// A Boolean value that indicates whether the object is a disk's node in `/dev`.
  fileprivate var isDisk: Bool { type == .blockDevice && path.hasPrefix("/dev/") }

  /// A Boolean value that indicates whether a device is expected at the path.
  fileprivate var hasNameOfDevice: Bool {
    guard path.hasPrefix("/dev/") else { return false }
    let name = path.dropFirst(5)
    if type == .regular {
      return !["shm/", "mqueue/", "hugepages/"].contains { name.hasPrefix($0) }
    }
    if DeviceKind.ofNode(at: path) != nil { return true }
    // The nodes of individual cards have numbers; the directories that contain them do not.
    return ["snd/", "dri/", "input/"].contains { name.hasPrefix($0) }
      && name.contains(where: \.isNumber) && !name.contains("by-")
  }
}

extension Comparison {
  /// Withdraws a grant that applies to an object other than the device.
  ///
  /// If the request names a kind, the result is absent, and the caller tries another candidate. If
  /// it names the path, the explanation describes the object that was found.
  mutating func limit(by replacingObject: ReplacingObject?, _ facts: AccessFacts) {
    switch replacingObject {
    case .notADevice, .otherDevice, .oldNumber(_, now: _, opensNothing: false):
      guard facts.kind != nil else { return }
      conclusion = .absent
      certainty = .predicted
    case .noDriver, .oldNumber:
      guard conclusion == .granted || conclusion == .undecided else { return }
      conclusion = .absent
      certainty = .predicted
    case .unknownNumber:
      guard conclusion == .granted else { return }
      conclusion = .undecided
      certainty = .undecided
    case nil:
      guard conclusion == .absent, facts.unseenDevices != nil else { return }
      conclusion = .undecided
      certainty = .undecided
    }
  }
}

extension AccessFacts {
  /// The reason why a device of the kind may exist without being observed; `nil` if all were
  /// observed.
  ///
  /// Only a complete list of devices shows that none exists.
  var unseenDevices: String? {
    guard let kind, kind != DeviceKind.album.name,
      DeviceKind.named(kind)?.candidates(in: devices).isEmpty ?? devices.isEmpty
    else { return nil }
    if let unseen = unobserved.first(where: { $0.layer == Unobserved.devicesLayer }) {
      return "the devices were not observed (\(unseen.reason))"
    }
    guard let node = hardware?.unknownNodes.first else { return nil }
    return "sysfs does not show what \(node) is, and it could be a \(kind)"
  }
}

extension AccessFacts {
  /// Returns the reason why the device of a node is not known; `nil` if it is known, or if no
  /// device has the node.
  ///
  /// - Parameter node: The canonical path of the node.
  /// - Returns: The reason as one clause, such as `/sys: no such file or directory`.
  public func unseenDevice(at node: String) -> String? {
    guard access.object(at: node)?.type.isDevice ?? false,
      !devices.contains(where: { $0.node == node })
    else { return nil }
    return unobserved.first { $0.layer == Unobserved.devicesLayer }.map { unseen in
      (unseen.at.map { "\($0): " } ?? "") + unseen.reason
    }
  }
}

extension Unobserved {
  /// The layer that lists the devices.
  public static let devicesLayer = "devices"
}

extension Assessment {
  /// The mount whose mount point is the object's own path.
  var cover: Mount? {
    object.flatMap { object in access.mounts.last { $0.at.isSame(as: object.path) } }
  }

  /// The reason why it is not known whether the object exists or is the device; `nil` if it is
  /// known.
  var unseenDevices: String? {
    if case .unknownNumber(let number) = replacingObject {
      return "nothing that was observed shows what device \(number.major):\(number.minor) is"
    }
    return conclusion == .undecided && replacingObject == nil ? facts.unseenDevices : nil
  }
}
