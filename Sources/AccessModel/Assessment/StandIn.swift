/// What is at a device's path in the device's place.
///
/// A name makes no device: a container makes a directory where the host had no node, a
/// redirection makes a file, a sandbox mounts the null device over what it hides, and a node that
/// somebody made by hand keeps its number when the device gets another.
enum StandIn: Hashable, Sendable {
  /// A file, a directory, a FIFO or a socket.
  case notADevice(FileType)
  /// A device of another kind, such as the null device.
  case otherDevice(DeviceNumber, subsystem: String)
  /// The number that the device had before it was plugged in again, and that none has now.
  case oldNumber(DeviceNumber, now: DeviceNumber, opensNothing: Bool)
  /// A number that no driver has registered, or that sysfs has no device for.
  case noDriver(DeviceNumber)
  /// A number about which sysfs says nothing, so that it may be the device or not.
  case unknownNumber(DeviceNumber)

  /// Whether nobody can open it: there is no driver behind the number.
  var opensNothing: Bool {
    switch self {
    case .noDriver: true
    case .oldNumber(_, now: _, let opensNothing): opensNothing
    case .notADevice, .otherDevice, .unknownNumber: false
    }
  }

  /// The memory devices (`/dev/null`, `/dev/zero`, `/dev/full` and their likes) have this number.
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
      // A number that another device has is that device by this name.
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
      subsystem != DeviceKind.ofNode(at: isKind ? path : object.path)?.subsystem
    {
      self = .otherDevice(number, subsystem: subsystem)
    } else if isNamed || object.isDisk, device == nil, let known, known.subsystem == nil,
      facts.showsNumbers(like: number)
    {
      self = .noDriver(number)
    } else if isKind, device == nil {
      self = .unknownNumber(number)
    } else {
      return nil
    }
  }
}

extension AccessFacts {
  /// Whether opening a node has the kernel load the module that makes its device.
  borrowing func loadsDriver(ofNode path: String) -> Bool {
    if let module = hardware?.module(ofNode: path) {
      return module.isInstalled && !module.isLoaded && !module.isBlacklisted
    }
    return rules.map { $0.node == path && $0.staticModule != nil } ?? false
  }

  /// Whether sysfs was asked about numbers, and lists every device that has one like this.
  ///
  /// It does so for the subsystems of all kinds, and for disks; small drivers may come with their first
  /// use.
  fileprivate func showsNumbers(like number: DeviceNumber) -> Bool {
    number.major != 10 && !unobserved.contains { $0.layer == Unobserved.devicesLayer }
  }
}

extension DeviceNumber {
  /// The number 0:0, which no device has; the nodes that systemd covers a path with have it.
  static let ofNoDevice = DeviceNumber(major: 0, minor: 0)
}

extension DeviceKind {
  /// The kind whose nodes have such names, such as the camera for `/dev/video3`.
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
  /// Whether it is a node of a disk where udev has those.
  fileprivate var isDisk: Bool { type == .blockDevice && path.hasPrefix("/dev/") }

  /// Whether its path is one at which a device is expected.
  fileprivate var hasNameOfDevice: Bool {
    guard path.hasPrefix("/dev/") else { return false }
    let name = path.dropFirst(5)
    if type == .regular {
      return !["shm/", "mqueue/", "hugepages/"].contains { name.hasPrefix($0) }
    }
    if DeviceKind.ofNode(at: path) != nil { return true }
    // Single nodes of cards have numbers; the directories that hold them have none.
    return ["snd/", "dri/", "input/"].contains { name.hasPrefix($0) }
      && name.contains(where: \.isNumber) && !name.contains("by-")
  }
}

extension Comparison {
  /// Takes back a grant that is not the device's.
  ///
  /// A kind that was asked for is not at such a path, so that another candidate is looked at;
  /// whoever asked for the path by its name is told what is there.
  mutating func take(_ standIn: StandIn?, _ facts: AccessFacts) {
    switch standIn {
    case .notADevice, .otherDevice, .oldNumber(_, now: _, opensNothing: false):
      guard facts.kind != nil else { return }
      verdict = .absent
      certainty = .predicted
    case .noDriver, .oldNumber:
      guard verdict == .granted || verdict == .undecided else { return }
      verdict = .absent
      certainty = .predicted
    case .unknownNumber:
      guard verdict == .granted else { return }
      verdict = .undecided
      certainty = .undecided
    case nil:
      guard verdict == .absent, facts.unseenDevices != nil else { return }
      verdict = .undecided
      certainty = .undecided
    }
  }
}

extension AccessFacts {
  /// Why a device of the kind may be there that nobody saw; `nil` when all were seen.
  ///
  /// That there is none can only be told by whoever saw the list of devices.
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
  /// Why it is not known which device has the node in question; `nil` where it is known, or known that
  /// none has.
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
  /// The layer of which devices there are.
  public static let devicesLayer = "devices"
}

extension Assessment {
  /// What is mounted over the very path of the object that is reached.
  var cover: Mount? {
    object.flatMap { object in access.mounts.last { $0.at.isSame(as: object.path) } }
  }

  /// Why the object's being there, or being the device, cannot be told; `nil` when it can.
  var unseenDevices: String? {
    if case .unknownNumber(let number) = standIn {
      return "nothing that was observed shows what device \(number.major):\(number.minor) is"
    }
    return verdict == .undecided && standIn == nil ? facts.unseenDevices : nil
  }
}
