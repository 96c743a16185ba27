extension DeviceUse {
  /// What a process does with a virtual camera, or most likely does.
  ///
  /// How it was opened tells, unless for both, as most programs do. A virtual camera takes
  /// pictures from one open file at a time, which a program and those that it started may share: where
  /// it gets any, and one holder alone can be the one that feeds it, it most likely is; one that had it
  /// open when it began to get them surely is. Viewers map the pictures, and feeders may write them
  /// instead. A media server feeds none.
  ///
  /// - Returns: `nil` for any other device, and where that cannot be told.
  public func direction(of holder: DeviceHolder) -> HoldDirection? {
    if let proven = provenDirection(of: holder) { return proven }
    guard isFed == true, unnamedHolders == 0 else { return nil }
    return likelyFeeder.map { $0.sharesFile(with: holder) ? .feeds : .views }
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
    return certainFeeder.map { $0.sharesFile(with: holder) ? .feeds : .views }
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
  /// - Returns: The holder, the first of those that share its file; `nil` where there are several, or
  ///   none.
  func soleFeeder(proven isProven: Bool) -> DeviceHolder? {
    guard unnamedHolders == 0 else { return nil }
    let feeders = possibleFeeders(proven: isProven)
    return feeders.count == 1 ? feeders.first : nil
  }

  private var likelyFeeder: DeviceHolder? {
    if let known = holders.first(where: { known($0)?.direction == .feeds }) { return known }
    let feeders = possibleFeeders(proven: false)
    if feeders.count == 1 { return feeders.first }
    let mapped = feeders.filter { feeder in isAny(of: feeder) { $0.isMapped } }
    let unmapped = feeders.filter { feeder in !isAny(of: feeder) { $0.isMapped } }
    // Who has written next to nothing waits, or reads.
    let writing = unmapped.filter { feeder in isAny(of: feeder) { $0.hasWritten != false } }
    if writing.count == 1 { return writing.first }
    return writing.isEmpty && mapped.count == 1 ? mapped.first : nil
  }

  /// Those that may feed it; one of all that share an open file.
  private func possibleFeeders(proven isProven: Bool) -> [DeviceHolder] {
    var feeders: [DeviceHolder] = []
    for holder in holders where !feeders.contains(where: holder.sharesFile) {
      guard holder.hold.access != .read,
        !leftBehind.contains(DeviceUser.holder(holder).identity),
        isProven || !holder.process.isMediaServer
      else { continue }
      if let known = known(holder), known.direction == .views, !isProven || known.isProven {
        continue
      }
      feeders.append(holder)
    }
    return feeders
  }

  /// Whether something is true of the hold of one of those that share a holder's file.
  private func isAny(of holder: DeviceHolder, _ body: (DeviceHold) -> Bool) -> Bool {
    holders.contains { $0.sharesFile(with: holder) && body($0.hold) }
  }

  /// What was seen of a holder at an earlier look, or of one that shares its file.
  private func known(_ holder: DeviceHolder) -> KnownDirection? {
    let own = knownDirections[DeviceUser.holder(holder).identity]
    guard own == nil, holder.hold.sharesWith != nil, !knownDirections.isEmpty else { return own }
    return holders.lazy.filter(holder.sharesFile)
      .compactMap { knownDirections[DeviceUser.holder($0).identity] }.first
  }
}
