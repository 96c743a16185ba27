extension DeviceUse {
  /// What a process does with a virtual camera, or most likely does.
  ///
  /// How it was opened tells, unless for both, as most programs do. A virtual camera takes
  /// pictures from one program at a time: where it gets any, and one holder alone can be that
  /// program, it most likely is; one that had it open when it began to get them surely is. Viewers
  /// map the pictures, and feeders may write them instead.
  ///
  /// - Returns: `nil` for any other device, and where that cannot be told.
  public func direction(of holder: DeviceHolder) -> HoldDirection? {
    if let proven = provenDirection(of: holder) { return proven }
    guard isFed == true, unnamedHolders == 0 else { return nil }
    return likelyFeeder.map { $0 == holder ? .feeds : .views }
  }

  /// Whether what a process does with a virtual camera is sure, and not only likely.
  public func isDirectionProven(of holder: DeviceHolder) -> Bool {
    provenDirection(of: holder) != nil
  }

  private func provenDirection(of holder: DeviceHolder) -> HoldDirection? {
    guard let device, device.subsystem == "video4linux", VideoDriver(of: device) == .loopback
    else { return nil }
    switch holder.hold.access {
    case .write?: return .feeds
    case .read?: return .views
    default: break
    }
    // One that has it open and does not feed it may do so in a moment.
    guard isFed == true, unnamedHolders == 0 else { return nil }
    if let known = known(holder), known.isProven { return known.direction }
    return certainFeeder.map { $0 == holder ? .feeds : .views }
  }

  /// The holder that feeds the virtual camera, where nobody else can be the one.
  var certainFeeder: DeviceHolder? {
    guard isFed == true, unnamedHolders == 0 else { return nil }
    return holders.first { known($0) == KnownDirection(.feeds, isProven: true) }
      ?? holders.first { $0.hold.access == .write }
  }

  /// Whether it is called fed no longer than somebody feeds it, as far as is known: who does not open it
  /// cannot ask for the control that keeps it so (`keep_format`).
  var feedEndsWithFeeder: Bool {
    device?.loopbackVersion?.feedEndsWithFeeder == true && !isKeptFed
  }

  /// The only holder that can feed it, if anybody does.
  ///
  /// - Parameter isProven: Whether the others are surely not the one, and not only likely.
  /// - Returns: The holder; `nil` where there are several, or none.
  func soleFeeder(proven isProven: Bool) -> DeviceHolder? {
    guard unnamedHolders == 0 else { return nil }
    let feeders = possibleFeeders(proven: isProven)
    return feeders.count == 1 ? feeders.first : nil
  }

  private var likelyFeeder: DeviceHolder? {
    let feeders = possibleFeeders(proven: false)
    let unmapped = feeders.filter { !$0.hold.isMapped }
    return holders.first { known($0)?.direction == .feeds }
      ?? (unmapped.count == 1 ? unmapped.first : soleFeeder(proven: false))
  }

  private func possibleFeeders(proven isProven: Bool) -> [DeviceHolder] {
    holders.filter { holder in
      guard holder.hold.access != .read,
        !leftBehind.contains(DeviceUser.holder(holder).identity)
      else { return false }
      guard let known = known(holder), known.direction == .views else { return true }
      return isProven && !known.isProven
    }
  }

  /// What was seen of a holder at an earlier look.
  private func known(_ holder: DeviceHolder) -> KnownDirection? {
    knownDirections[DeviceUser.holder(holder).identity]
  }
}
