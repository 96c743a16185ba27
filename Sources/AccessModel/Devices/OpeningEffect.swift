/// What a driver does when a device is opened, whatever the program does with it then.
public struct OpeningEffect: Hashable, Sendable {
  /// The effect: the rest of a sentence that begins with `opening it`.
  public let words: String
  /// Whether a probe or a request opens the device only if it is forced to.
  ///
  /// A harmless effect, such as that of a serial port on a board, is only told.
  public let needsForce: Bool

  private init(_ words: String, needsForce: Bool = false) {
    self.words = words
    self.needsForce = needsForce
  }
}

extension OpeningEffect {
  /// What opening a device does by itself; `nil` where nothing is known.
  ///
  /// - Parameters:
  ///   - node: The node of the device.
  ///   - device: The device; `nil` where sysfs does not describe it.
  init?(of node: Node, _ device: DeviceFacts?) {
    guard node.type.isDevice, let row = Self.table.first(where: { $0.matches(node, device) }) else {
      return nil
    }
    self = row.effect
  }
}

extension OpeningEffect {
  /// Devices of one driver or of several that act alike.
  fileprivate struct Row: Sendable {
    /// The subsystems of the devices.
    var subsystems: Set<String>
    /// The kernel's names of the devices, in which `#` stands for a digit and all that follows it,
    /// and `@` for a letter and all that follows it.
    var names: [String]
    /// The numbers of the devices, where sysfs does not describe them.
    var numbers: [(major: UInt32, minors: ClosedRange<UInt32>)] = []
    var isBlock = false
    var effect: OpeningEffect

    func matches(_ node: Node, _ device: DeviceFacts?) -> Bool {
      guard isBlock == (node.type == .blockDevice) else { return false }
      if let device {
        return subsystems.contains(device.subsystem) && names.contains(where: device.isNamed)
      }
      if let number = node.rdev,
        numbers.contains(where: { $0.major == number.major && $0.minors.contains(number.minor) })
      {
        return true
      }
      let name = String(node.path.split(separator: "/").last ?? "")
      return node.path.hasPrefix("/dev/") && names.contains { name.fits($0) }
    }
  }

  /// The first row that fits counts.
  fileprivate static let table: [Row] = [
    // watchdog_open: the timer starts, and closing the device does not stop it.
    Row(
      subsystems: ["watchdog", "misc"], names: ["watchdog", "watchdog#"],
      numbers: [(10, 130...130)],
      effect: OpeningEffect(
        "starts the watchdog, which restarts the machine unless a program then serves it",
        needsForce: true)),
    // st_release: the tape is rewound on close.
    Row(
      subsystems: ["scsi_tape", "tape390"], names: ["st#", "osst#", "rtibm#"],
      numbers: [(9, 0...127)],
      effect: OpeningEffect("rewinds the tape once it is closed", needsForce: true)),
    Row(
      subsystems: ["scsi_tape", "tape390"], names: ["nst#", "nosst#", "ntibm#"],
      numbers: [(9, 128...255)],
      effect: OpeningEffect(
        "takes the tape drive from all other programs and may load the tape", needsForce: true)),
    // snapshot_open: the notifiers of hibernation run.
    Row(
      subsystems: ["misc"], names: ["snapshot"], numbers: [(10, 231...231)],
      effect: OpeningEffect("prepares the machine for hibernation", needsForce: true)),
    // tpm_open: one program at a time; tpmrm0 is for several.
    Row(
      subsystems: ["tpm"], names: ["tpm#"], numbers: [(10, 224...224)],
      effect: OpeningEffect("keeps all other programs from the TPM meanwhile", needsForce: true)),
    // monitor_device_close: the last close stops the lock spaces.
    Row(
      subsystems: ["misc"], names: ["dlm-monitor"],
      effect: OpeningEffect(
        "stops the lock spaces of the cluster once it is closed", needsForce: true)),
    Row(
      subsystems: ["tty"], names: ["rfcomm#"], numbers: [(216, 0...255)],
      effect: OpeningEffect("connects to the Bluetooth device behind it", needsForce: true)),
    // tty_port_open: DTR and RTS go up with the first open file.
    Row(
      subsystems: ["tty"], names: ["tty@"],
      numbers: [(4, 64...255), (166, 0...255), (188, 0...255), (204, 0...255)],
      effect: OpeningEffect("raises DTR and RTS, which resets many boards")),
    // drm_master_open: the first program becomes the master.
    Row(
      subsystems: ["drm"], names: ["card#"],
      effect: OpeningEffect("makes the program the master of the display if it has none")),
    Row(
      subsystems: ["usbmisc", "usb"], names: ["legousbtower#"],
      effect: OpeningEffect("resets the tower")),
    Row(
      subsystems: ["block"], names: ["fd#"], numbers: [(2, 0...255)], isBlock: true,
      effect: OpeningEffect("may start the motor of the drive")),
  ]
}

extension DeviceFacts {
  fileprivate func isNamed(_ pattern: String) -> Bool { kernelName.fits(pattern) }
}

extension String {
  /// Whether a name is of a pattern of ``OpeningEffect/Row/names``.
  fileprivate func fits(_ pattern: String) -> Bool {
    let sign = pattern.utf8.last
    guard sign == UInt8(ascii: "#") || sign == UInt8(ascii: "@") else { return self == pattern }
    let stem = pattern.dropLast()
    guard hasPrefix(stem), let next = utf8.dropFirst(stem.utf8.count).first else { return false }
    let isLetter = (0x61...0x7A).contains(next | 0x20)
    // The kernel's own messages are no port.
    return sign == UInt8(ascii: "#") ? next.isDecimal : isLetter && self != "ttyprintk"
  }
}
