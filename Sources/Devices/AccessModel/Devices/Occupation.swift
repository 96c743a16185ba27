/// The degree to which the users of a device keep another program from using it.
public enum Occupation: String, Hashable, Sendable, Codable, CaseIterable {
  /// No program has the device open.
  case free
  /// Programs have the device open, but do not keep other programs from using it.
  case open
  /// A program has the device open, and it is unknown whether that keeps other programs from using
  /// it.
  ///
  /// For a camera, that depends on whether the program streams. On a serial port, two readers take
  /// bytes from each other.
  case held
  /// A program uses the device, and the device serves no other program at the same time.
  case busy
  /// No program was found to keep others out, but not every process could be inspected.
  case unknown
}

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

extension DeviceUse {
  /// Returns whether a holder keeps other programs from using the device.
  ///
  /// A camera has one set of buffers. If a program has mapped them, every other program can still
  /// open the camera, but fails with `EBUSY` when it starts to stream. Other types of buffers leave
  /// no trace, so a camera without mappings is `held` unless its activity is known. A virtual
  /// camera has a separate set of buffers for its feeder. For any other device, the driver
  /// determines the result: `/dev/null` is never in use, and only one program can open a tape
  /// drive. If the number of free streams is known, it determines the result by itself.
  ///
  /// - Returns: `open`, `held` or `busy`.
  public func occupation(by holder: DeviceHolder) -> Occupation {
    if let freeStreams { return freeStreams > 0 ? .open : .busy }
    if servesAnyNumber { return .open }
    guard let device else { return .held }
    guard device.subsystem == "video4linux" else {
      return DeviceSharing(of: device) == .one ? .busy : .held
    }
    // While a camera is not fed, its holders view nothing, although one may be about to feed it.
    if device.loopbackVersion != nil, isFed == false || direction(of: holder) == .feeds {
      return .open
    }
    if device.loopbackVersion == .oneMapping, !holder.hold.isMapped { return .open }
    if holder.hold.isMapped { return .busy }
    switch holder.hold.activity {
    case .streaming: return .busy
    case .idle: return .open
    case nil: return holder.process.isSessionManager ? .open : .held
    }
  }

  /// A Boolean value that indicates whether the device provides pictures or sound as a stream.
  public var isStreamed: Bool {
    guard let device else { return false }
    return device.subsystem == "video4linux" || device.isStream
  }

  /// A Boolean value that indicates whether any number of programs can use the device at once.
  ///
  /// If so, no other program gets in the way, even one that cannot be observed.
  var servesAnyNumber: Bool {
    guard let device else { return isPseudoTerminal }
    switch device.subsystem {
    case "video4linux":
      if VideoDriver(of: device) == .loopback {
        return device.loopbackVersion.map { $0 == .anyViewers } ?? true
      }
      return device.role == .memoryToMemory || device.role == .subdevice
    // Any number of programs can watch the controls of a sound card.
    case "sound": return !device.isStream
    default: return DeviceSharing(of: device) == .anyNumber
    }
  }

  /// A Boolean value that indicates whether the device is a pseudoterminal (pts(4)), such as a
  /// terminal window or a remote login has.
  ///
  /// It does not appear in sysfs.
  private var isPseudoTerminal: Bool {
    // The majors are `UNIX98_PTY_SLAVE_MAJOR` and the following seven. A disk with one of these
    // numbers is never seen here, because it has device facts.
    number.map { (136...143).contains($0.major) } ?? false
  }
}

extension UseFacts {
  /// Returns whether the users of a device keep a program from using it.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - process: The ID of the process that asks, which is not counted as a user.
  /// - Returns: The most restrictive effect that any of the other users has.
  public func occupation(of device: DeviceUse, besides process: Int32? = nil) -> Occupation {
    var others = device
    others.holders.removeAll { $0.process.id == process }
    let isComplete = device.isToldByDriver || unseen.isEmpty
    guard others.isHeld else { return isComplete ? .free : .unknown }
    var all = others.holders.map { others.occupation(by: $0) }
    if others.unnamedHolders > 0 {
      all.append(others.freeStreams.map { $0 > 0 ? .open : .busy } ?? .held)
    }
    if all.contains(.busy) { return .busy }
    if all.contains(.held) { return .held }
    return isComplete || device.servesAnyNumber ? .open : .unknown
  }
}
