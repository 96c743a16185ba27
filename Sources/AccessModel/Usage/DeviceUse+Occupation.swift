extension DeviceUse {
  /// What one of the holders leaves to another program: `open`, `held` or `busy`.
  ///
  /// A camera has one set of buffers: whoever has mapped them keeps every other program from
  /// streaming, which then fails with `EBUSY` although opening works. Memory of other sorts leaves
  /// no trace, so that a camera without mappings is `held`. A virtual camera has a set of its own for
  /// the program that feeds it. Any other device is as its driver shares it: `/dev/null` is never in
  /// use, and a tape drive opens for one program alone.
  public func occupation(by holder: DeviceHolder) -> Occupation {
    if let freeStreams { return freeStreams > 0 ? .open : .busy }
    if servesAnyNumber { return .open }
    guard let device else { return .held }
    guard device.subsystem == "video4linux" else {
      return DeviceSharing(of: device) == .one ? .busy : .held
    }
    // Who has one open that nobody feeds may feed it, and views nothing.
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

  /// Whether pictures or sound come from it as a stream.
  public var isStreamed: Bool {
    guard let device else { return false }
    return device.subsystem == "video4linux" || device.isStream
  }

  /// Whether any number of programs can use it at once, so that none, seen or not, is in the way.
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

  /// Whether it is the terminal of a window or of a login from elsewhere (pts(4)), which sysfs does not
  /// show.
  private var isPseudoTerminal: Bool {
    // UNIX98_PTY_SLAVE_MAJOR and the seven after it; disks that have them have devices.
    number.map { (136...143).contains($0.major) } ?? false
  }
}

extension UseFacts {
  /// What the users of a device in these facts leave to a program.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - process: The process that asks, which is in nobody's way but others'.
  /// - Returns: The degree to which the most demanding of the other users keeps it out.
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
