extension DeviceUse {
  /// What one of the holders leaves to another program: `open`, `held` or `busy`.
  ///
  /// A camera has one set of buffers: whoever has mapped them keeps every other program from
  /// streaming, which then fails with `EBUSY` although opening works. Memory of other sorts leaves
  /// no trace, so that a camera without mappings is `held`.
  public func occupation(by holder: DeviceHolder) -> Occupation {
    if let freeStreams { return freeStreams > 0 ? .open : .busy }
    // Any number of programs can watch the controls of a sound card.
    if let device, device.subsystem == "sound", !device.isStream { return .open }
    guard let device, device.subsystem == "video4linux" else { return .held }
    if isShared { return .open }
    if holder.hold.isMapped { return .busy }
    switch holder.hold.activity {
    case .streaming: return .busy
    case .idle: return .open
    case nil: return holder.process.isSessionManager ? .open : .held
    }
  }

  /// Whether any number of programs can stream from it at once.
  private var isShared: Bool {
    guard let device else { return false }
    return VideoDriver(of: device) == .loopback || device.role == .memoryToMemory
      || device.role == .subdevice
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
    return isComplete ? .open : .unknown
  }
}
