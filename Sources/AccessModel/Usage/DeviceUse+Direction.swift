extension DeviceUse {
  /// What a process does with a virtual camera.
  ///
  /// How it was opened tells, unless for both, as most programs do. A virtual camera takes
  /// pictures from one program at a time: where it gets any, and one holder alone can be that
  /// program, it is. Viewers map the pictures, and feeders may write them instead.
  ///
  /// - Returns: `nil` for any other device, and where that cannot be told.
  public func direction(of holder: DeviceHolder) -> HoldDirection? {
    guard let device, device.subsystem == "video4linux", VideoDriver(of: device) == .loopback
    else { return nil }
    switch holder.hold.access {
    case .write?: return .feeds
    case .read?: return .views
    default: break
    }
    // One that has it open and does not feed it may do so in a moment.
    guard isFed == true, unnamedHolders == 0 else { return nil }
    let isKnown = holders.contains { DeviceUser.holder($0).identity == knownFeeder }
    if isKnown { return DeviceUser.holder(holder).identity == knownFeeder ? .feeds : .views }
    if holders.contains(where: { $0.hold.access == .write }) { return .views }
    let possible = holders.filter { $0.hold.access != .read }
    let unmapped = possible.filter { !$0.hold.isMapped }
    let feeder = possible.count == 1 ? possible.first : unmapped.count == 1 ? unmapped.first : nil
    return feeder.map { $0 == holder ? .feeds : .views }
  }
}
