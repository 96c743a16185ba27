internal import UdevRules

/// A side effect of opening a device, regardless of what the program does with it afterwards.
public struct OpeningEffect: Hashable, Sendable {
  /// The effect, as the rest of a sentence that starts with `opening it`.
  public let words: String
  /// A Boolean value that indicates whether a probe or a request opens the device only if it is
  /// forced to.
  ///
  /// A harmless effect is only reported, for example for a serial port on a board.
  public let needsForce: Bool

  private init(_ words: String, needsForce: Bool = false) {
    self.words = words
    self.needsForce = needsForce
  }
}

extension OpeningEffect {
  /// Creates the effect of opening a device; `nil` if none is known.
  ///
  /// - Parameters:
  ///   - node: The node of the device.
  ///   - device: The device; `nil` if sysfs does not describe it.
  init?(of node: Node, _ device: DeviceFacts?) {
    guard node.type.isDevice, let row = Self.table.first(where: { $0.matches(node, device) }) else {
      return nil
    }
    self = row.effect
  }
}

extension OpeningEffect {
  /// The devices of one or more drivers with the same effect.
  fileprivate struct Row: Sendable {
    /// The subsystems of the devices.
    var subsystems: Set<String>
    /// The patterns of the devices' kernel names.
    ///
    /// `#` at the end matches a digit and everything after it. `@` matches a letter and everything
    /// after it.
    var names: [String]
    /// The numbers of the devices, for those that sysfs does not describe.
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

  /// The known effects; the first matching row applies.
  fileprivate static let table: [Row] = [
    // watchdog_open: starts the timer, which continues after the device is closed.
    Row(
      subsystems: ["watchdog", "misc"], names: ["watchdog", "watchdog#"],
      numbers: [(10, 130...130)],
      effect: OpeningEffect(
        "starts the watchdog, which restarts the machine unless a program then serves it",
        needsForce: true)),
    // st_release: rewinds the tape on close.
    Row(
      subsystems: ["scsi_tape", "tape390"], names: ["st#", "osst#", "rtibm#"],
      numbers: [(9, 0...127)],
      effect: OpeningEffect("rewinds the tape once it is closed", needsForce: true)),
    Row(
      subsystems: ["scsi_tape", "tape390"], names: ["nst#", "nosst#", "ntibm#"],
      numbers: [(9, 128...255)],
      effect: OpeningEffect(
        "takes the tape drive from all other programs and may load the tape", needsForce: true)),
    // snapshot_open: runs the notifiers for hibernation.
    Row(
      subsystems: ["misc"], names: ["snapshot"], numbers: [(10, 231...231)],
      effect: OpeningEffect("prepares the machine for hibernation", needsForce: true)),
    // tpm_open: allows one program at a time; several programs can use tpmrm0.
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
    // tty_port_open: raises DTR and RTS for the first open file.
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
  /// Returns whether a name matches a pattern of ``OpeningEffect/Row/names``.
  fileprivate func fits(_ pattern: String) -> Bool {
    let sign = pattern.utf8.last
    guard sign == UInt8(ascii: "#") || sign == UInt8(ascii: "@") else { return self == pattern }
    let stem = pattern.dropLast()
    guard hasPrefix(stem), let next = utf8.dropFirst(stem.utf8.count).first else { return false }
    let isLetter = (0x61...0x7A).contains(next | 0x20)
    // `ttyprintk` passes text to the kernel log and is not a port.
    return sign == UInt8(ascii: "#") ? next.isDecimal : isLetter && self != "ttyprintk"
  }
}
