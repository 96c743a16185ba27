/// How many programs can use a device at once, as its driver has it.
enum DeviceSharing: Hashable, Sendable {
  /// Any number: none is in the way of another.
  case anyNumber
  /// One: while a program has it open, opening it fails with `EBUSY` for every other.
  case one
  /// Whoever has it open may be in the way: that it opens once more says little, or is not known.
  case unknown

  /// The rule of the driver of a device that is neither a camera nor a sound card.
  init(of device: DeviceFacts) {
    let name = device.kernelName
    switch device.subsystem {
    // Each program gets all events and reports, or has a context of its own.
    case "mem", "input", "hidraw", "drm", "media", "tpmrm": self = .anyNumber
    case "tty": self = Self.isTerminal(name) ? .anyNumber : .unknown
    case "misc" where Self.sharedMisc.contains(name): self = .anyNumber
    case "misc" where name == "watchdog": self = .one
    // Each of these drivers keeps a flag that it is open.
    case "rtc", "watchdog", "scsi_tape", "tpm", "vfio", "printer": self = .one
    case "usbmisc" where device.driver == "usblp": self = .one
    default: self = .unknown
    }
  }

  /// What every open makes anew, or only reads.
  private static let sharedMisc: Set<String> = [
    "cuse", "fuse", "hw_random", "kvm", "loop-control", "rfkill", "tun", "udmabuf", "uhid",
    "uinput", "userfaultfd", "vhost-net", "vhost-vsock",
  ]

  /// Whether it is the terminal of a session, which its shell and all programs share.
  ///
  /// A serial port gives each byte to one reader alone; whether it is locked (`TIOCEXCL`), nothing
  /// tells.
  private static func isTerminal(_ name: String) -> Bool {
    if ["tty", "console", "ptmx"].contains(name) { return true }
    guard name.hasPrefix("tty") else { return false }
    return name.utf8.dropFirst(3).allSatisfy { (48...57).contains($0) }
  }
}
