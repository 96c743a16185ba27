/// A kind of device, such as a camera.
///
/// A kind consists of data only: the location of its nodes, and the permissions that programs need.
public struct DeviceKind: Hashable, Sendable {
  /// The name on the command line, such as `camera`.
  public var name: String
  /// The udev subsystem, such as `video4linux`; `nil` for a kind that is not a device.
  public var subsystem: String?
  /// The prefixes of the devices' kernel names, such as `video`; an empty array matches every name.
  public var namePrefixes: [String]
  /// The roles that nodes of this kind have; an empty set matches every role.
  public var roles: Set<DeviceRole>
  /// The permissions that programs need to use such a device.
  public var needs: Permissions

  /// Creates a kind; the command supports only those in ``all``.
  public init(
    name: String, subsystem: String?, namePrefixes: [String], roles: Set<DeviceRole>,
    needs: Permissions
  ) {
    self.name = name
    self.subsystem = subsystem
    self.namePrefixes = namePrefixes
    self.roles = roles
    self.needs = needs
  }

  /// Cameras: video4linux nodes that deliver pictures.
  public static let camera = DeviceKind(
    name: "camera", subsystem: "video4linux", namePrefixes: ["video"], roles: [.capture],
    needs: [.read, .write])
  /// Microphones: ALSA nodes that deliver sound.
  public static let microphone = DeviceKind(
    name: "microphone", subsystem: "sound", namePrefixes: ["pcm"], roles: [.microphone],
    needs: [.read, .write])
  /// Graphics processors: render nodes, which do not need a display.
  public static let gpu = DeviceKind(
    name: "gpu", subsystem: "drm", namePrefixes: ["renderD"], roles: [], needs: [.read, .write])
  /// Serial ports, built in or connected by USB.
  public static let serial = DeviceKind(
    name: "serial", subsystem: "tty", namePrefixes: ["ttyUSB", "ttyACM", "ttyAMA", "ttyS"],
    roles: [], needs: [.read, .write])
  /// Keyboards, mice, joysticks and other input devices, which are opened only for reading.
  public static let input = DeviceKind(
    name: "input", subsystem: "input", namePrefixes: ["event", "js", "mouse"], roles: [],
    needs: .read)
  /// Raw HID devices, such as security keys and controllers.
  public static let hidraw = DeviceKind(
    name: "hidraw", subsystem: "hidraw", namePrefixes: ["hidraw"], roles: [],
    needs: [.read, .write])
  /// The kernel's virtualization interface (`/dev/kvm`).
  public static let kvm = DeviceKind(
    name: "kvm", subsystem: "misc", namePrefixes: ["kvm"], roles: [], needs: [.read, .write])
  /// Whole USB devices (`/dev/bus/usb`), as libusb opens them.
  public static let usb = DeviceKind(
    name: "usb", subsystem: "usb", namePrefixes: [], roles: [], needs: [.read, .write])
  /// The photo album: the user's pictures directory, not a device.
  public static let album = DeviceKind(
    name: "album", subsystem: nil, namePrefixes: [], roles: [],
    needs: [.read, .write, .search])

  /// All kinds, in the order of the help text.
  public static let all: [DeviceKind] = [
    .camera, .microphone, .gpu, .serial, .input, .hidraw, .kvm, .usb, .album,
  ]

  /// Returns the kind with a name from the command line; `nil` if there is none.
  public static func named(_ name: String) -> DeviceKind? {
    all.first { $0.name == name }
  }
}

extension DeviceKind {
  /// Returns the devices of this kind that a program could use, best first.
  ///
  /// A camera is included only if its node delivers pictures. Real cameras come before virtual
  /// ones. Infrared cameras come last, because they are of no use in a video call. Roles must have
  /// been set with ``DeviceFacts/classify()``.
  public func candidates(in devices: [DeviceFacts]) -> [DeviceFacts] {
    guard let subsystem else { return [] }
    return devices.compactMap { device -> (Rank, DeviceFacts)? in
      guard device.subsystem == subsystem, device.node != nil, matchesName(of: device),
        roles.isEmpty || roles.contains(device.role)
      else { return nil }
      return (Rank(of: device, in: self), device)
    }
    .sorted { $0.0 < $1.0 }
    .map(\.1)
  }

  /// Returns the devices of the subsystem that have a node but are not of this kind.
  ///
  /// Examples are metadata and output nodes, which a program cannot use as a camera. If both this
  /// array and the result of ``candidates(in:)`` are empty, the subsystem has no nodes.
  public func others(in devices: [DeviceFacts]) -> [DeviceFacts] {
    guard let subsystem else { return [] }
    return devices.filter { device in
      guard device.subsystem == subsystem, device.node != nil else { return false }
      return !(matchesName(of: device) && (roles.isEmpty || roles.contains(device.role)))
    }
  }

  /// Returns the devices that a list of this kind shows, in the given order.
  ///
  /// If the kind is defined by roles, the list shows the whole subsystem, including a camera's
  /// companion nodes. Otherwise, it shows only the devices of the kind.
  public func members(in devices: [DeviceFacts]) -> [DeviceFacts] {
    devices.filter { device in
      device.subsystem == subsystem && (!roles.isEmpty || matchesName(of: device))
    }
  }

  private func matchesName(of device: DeviceFacts) -> Bool {
    namePrefixes.isEmpty || namePrefixes.contains { device.kernelName.hasPrefix($0) }
  }

  /// The sort key of a candidate, with the most significant value first.
  private struct Rank: Comparable {
    var values: [Int]
    var name: String

    init(of device: DeviceFacts, in kind: DeviceKind) {
      let prefix = kind.namePrefixes.firstIndex { device.kernelName.hasPrefix($0) } ?? 0
      let confidence =
        switch device.roleConfidence {
        case .certain, .likely: 0
        case .guess: 1
        }
      let isVirtual = device.isBelow("/devices/virtual/")
      values = [
        prefix, device.isSecurityKey ? 0 : 1, device.isInfrared ? 1 : 0, isVirtual ? 1 : 0,
        confidence,
        device.trailingNumber ?? Int.max,
      ]
      name = device.kernelName
    }

    static func < (left: Rank, right: Rank) -> Bool {
      for (one, other) in zip(left.values, right.values) where one != other { return one < other }
      return left.name < right.name
    }
  }
}

extension DeviceFacts {
  /// A Boolean value that indicates whether udev identifies the device as a security key.
  ///
  /// This is the HID device that most programs want.
  package var isSecurityKey: Bool {
    properties["ID_FIDO_TOKEN"] == "1" || properties["ID_SECURITY_TOKEN"] == "1"
  }

  /// A Boolean value that indicates whether udev marks the device as one for user programs, such as
  /// a security key or a game pad.
  var isMeantForUsers: Bool {
    isSecurityKey || isTaggedForUserAccess || properties["ID_INPUT_JOYSTICK"] == "1"
  }

  /// A Boolean value that indicates whether the name suggests that the camera captures infrared
  /// light.
  ///
  /// No interface reports this.
  var isInfrared: Bool {
    let text = name ?? properties["ID_V4L_PRODUCT"] ?? ""
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.contains { $0 == "IR" || $0.lowercased() == "infrared" }
  }

  /// The number at the end of the kernel's name, such as 10 in `video10`.
  fileprivate var trailingNumber: Int? {
    let digits = kernelName.utf8.reversed().prefix { (48...57).contains($0) }.reversed()
    return Int(String(decoding: Array(digits), as: UTF8.self))
  }
}

extension DeviceKind {
  /// Returns the devices whose users are relevant to a question about this kind.
  ///
  /// These are the candidates or, if there are none, the raw nodes of camera pipelines. Other nodes
  /// of the subsystem are never included, such as a codec, an output, or the sequencer of a sound
  /// system without a card.
  ///
  /// A virtual camera that is an output while no program feeds it is always included. Its node
  /// remains, and a program that has it open may start to feed it at any time.
  public func usedDevices(in devices: [DeviceFacts]) -> [DeviceFacts] {
    let own = devices.filter { $0.subsystem == subsystem && $0.node != nil }
    let candidates = candidates(in: own)
    let waiting = own.filter { $0.isFed == false && $0.role == .output }
    // libcamera produces pictures from the data of these nodes.
    let raw = own.filter { $0.role == .pipeline || $0.role == .subdevice }
    return (candidates.isEmpty ? raw : candidates) + waiting
  }
}

extension DeviceKind {
  /// A Boolean value that indicates whether such a device serves one program at a time.
  ///
  /// If it does, its current users affect the answer.
  public var servesOneProgram: Bool { self == .camera || self == .microphone }
}

extension DeviceFacts {
  /// The number of the sound card that an ALSA node belongs to, such as 1 for `pcmC1D0c`.
  ///
  /// The value is `nil` for nodes without a card, such as the sequencer.
  package var soundCard: Int? {
    guard subsystem == "sound" else { return nil }
    let name = kernelName.drop { !$0.isUppercase }
    return name.first == "C" ? Int(name.dropFirst().prefix { $0.isNumber }) : nil
  }

  /// A Boolean value that indicates whether the device is an ALSA PCM device, which transfers
  /// sound.
  var isStream: Bool { subsystem == "sound" && kernelName.hasPrefix("pcm") }
}

/// The nodes that programs open together, by name.
///
/// Some drivers have a node for each device, and other nodes that all their devices share.
package enum NodeCompanions {
  /// Returns the nodes that the driver creates along with a node, and that every program needs.
  static func required(with path: String) -> [String] {
    if path.isNumbered(after: nvidia) { return ["/dev/nvidiactl"] }
    if path.isNumbered(after: "/dev/vfio/") { return ["/dev/vfio/vfio"] }
    // Accelerators of Huawei (Ascend).
    if path.isNumbered(after: "/dev/davinci") {
      return ["/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"]
    }
    return []
  }

  /// Returns whether programs open two nodes of the same driver together.
  static func areOpenedTogether(_ path: String, _ other: String) -> Bool {
    let (folder, name) = split(path)
    let (otherFolder, otherName) = split(other)
    switch folder {
    case "/dev" where isNVIDIA(path):
      // Another card is a separate device.
      return isNVIDIA(other)
        && !(path.isNumbered(after: nvidia) && other.isNumbered(after: nvidia))
    case "/dev" where name == "kfd":
      return otherFolder == "/dev/dri" && otherName.hasPrefix("renderD")
    // A tuner, its demultiplexer and its recorder.
    case _ where folder.hasPrefix("/dev/dvb/"): return otherFolder == folder
    case "/dev/snd":
      // ALSA opens the control node of a card before its other nodes.
      let card = name.drop { $0 != "C" }.dropFirst().prefix { $0.isNumber }
      return otherFolder == folder && !card.isEmpty && otherName == "controlC\(card)"
    default: return false
    }
  }

  /// Returns whether a node belongs to NVIDIA's own driver.
  ///
  /// sysfs has no devices for the nodes of that driver.
  package static func isNVIDIA(_ path: String) -> Bool { path.hasPrefix(nvidia) }

  private static let nvidia = "/dev/nvidia"

  /// The major number of the nodes of NVIDIA's driver, except for those of its modules.
  static let nvidiaMajor: UInt32 = 195

  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (path[..<slash], path[slash...].dropFirst())
  }
}

extension String {
  /// Returns whether the string is a stem followed by a decimal number.
  package func isNumbered(after stem: String) -> Bool {
    let number = utf8.dropFirst(stem.utf8.count)
    return hasPrefix(stem) && !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
  }
}
