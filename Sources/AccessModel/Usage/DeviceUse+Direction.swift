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
    if let direction = known(holder) { return direction }
    let unmapped = possibleFeeders.filter { !$0.hold.isMapped }
    let feeder = certainFeeder ?? (unmapped.count == 1 ? unmapped.first : nil)
    return feeder.map { $0 == holder ? .feeds : .views }
  }

  /// The holder that feeds the virtual camera, where nobody else can be the one.
  var certainFeeder: DeviceHolder? {
    guard isFed == true, unnamedHolders == 0 else { return nil }
    let feeder = holders.first { known($0) == .feeds } ?? holders.first { $0.hold.access == .write }
    return feeder ?? (possibleFeeders.count == 1 ? possibleFeeders.first : nil)
  }

  private var possibleFeeders: [DeviceHolder] {
    holders.filter { $0.hold.access != .read && known($0) != .views }
  }

  /// What was seen of a holder at an earlier look.
  private func known(_ holder: DeviceHolder) -> HoldDirection? {
    knownDirections[DeviceUser.holder(holder).identity]
  }
}
