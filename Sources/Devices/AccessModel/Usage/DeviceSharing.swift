/// The number of programs that can use a device at once, as determined by its driver.
enum DeviceSharing: Hashable, Sendable {
  /// Any number of programs can use the device, and none affects the others.
  case anyNumber
  /// While a program has the device open, any other open fails with `EBUSY`.
  case one
  /// A program that has the device open may get in the way of others.
  ///
  /// Either a successful second open proves little, or it is unknown whether the driver allows one.
  case unknown

  /// Creates the value for a device that is neither a camera nor a sound card.
  init(of device: DeviceFacts) {
    let name = device.kernelName
    switch device.subsystem {
    // Each program receives all events and reports, or has its own context.
    case "mem", "input", "hidraw", "drm", "media", "tpmrm": self = .anyNumber
    case "tty": self = Self.isTerminal(name) ? .anyNumber : .unknown
    case "misc" where Self.sharedMisc.contains(name): self = .anyNumber
    case "misc" where name == "watchdog": self = .one
    // Each of these drivers keeps a flag that indicates that the device is open.
    case "rtc", "watchdog", "scsi_tape", "tpm", "vfio", "printer": self = .one
    case "usbmisc" where device.driver == "usblp": self = .one
    default: self = .unknown
    }
  }

  /// Devices whose opens are independent or read-only.
  private static let sharedMisc: Set<String> = [
    "cuse", "fuse", "hw_random", "kvm", "loop-control", "rfkill", "tun", "udmabuf", "uhid",
    "uinput", "userfaultfd", "vhost-net", "vhost-vsock",
  ]

  /// Returns whether a device is the terminal of a session, which the shell shares with all its
  /// programs.
  ///
  /// A serial port is not: it delivers each byte to only one reader, and no observable fact shows
  /// whether it is locked (`TIOCEXCL`).
  private static func isTerminal(_ name: String) -> Bool {
    if ["tty", "console", "ptmx"].contains(name) { return true }
    guard name.hasPrefix("tty") else { return false }
    return name.utf8.dropFirst(3).allSatisfy { (48...57).contains($0) }
  }
}
