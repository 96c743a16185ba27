extension DeviceUse {
  /// Returns what a process certainly or most likely does with a virtual camera.
  ///
  /// The access mode shows the direction, unless the process opened the camera for both reading and
  /// writing, as most programs do. A virtual camera accepts pictures from one open file at a time.
  /// A program may share that file with the processes that it started. If the camera is fed and
  /// only one holder can be the feeder, that holder most likely is. If only one holder could feed
  /// the camera when it began to be fed, that holder certainly is the feeder. A viewer maps the
  /// buffers, whereas a feeder may write the pictures instead. A media server is assumed not to
  /// feed a camera.
  ///
  /// - Returns: The direction, or `nil` if the device is not a virtual camera or the direction is
  ///   unknown.
  public func direction(of holder: DeviceHolder) -> HoldDirection? {
    if let proven = provenDirection(of: holder) { return proven }
    guard isFed == true, unnamedHolders == 0 else { return nil }
    return likelyFeeder.map { $0.sharesFile(with: holder) ? .feeds : .views }
  }

  /// Returns whether the direction of a holder is certain, not only likely.
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
    // A holder that does not feed the camera yet may start to do so at any time.
    guard isFed == true, unnamedHolders == 0 else { return nil }
    if let known = known(holder), known.isProven { return known.direction }
    return certainFeeder.map { $0.sharesFile(with: holder) ? .feeds : .views }
  }

  /// The holder that certainly feeds the virtual camera; `nil` if it is unknown.
  var certainFeeder: DeviceHolder? {
    guard isFed == true, unnamedHolders == 0 else { return nil }
    return holders.first { known($0) == KnownDirection(.feeds, isProven: true) }
      ?? holders.first { $0.hold.access == .write }
  }

  /// A Boolean value that indicates whether the camera reports that it is fed only while a program
  /// feeds it, as observed so far.
  ///
  /// The control `keep_format` can change this, but only a program that opens the camera can read
  /// it.
  var feedEndsWithFeeder: Bool {
    device?.loopbackVersion?.feedEndsWithFeeder == true && !isKeptFed
  }

  /// Returns the only holder that can feed the camera.
  ///
  /// - Parameter isProven: Whether the other holders must be certain, not only likely, not to feed
  ///   it.
  /// - Returns: The holder, or the first of those that share its file; `nil` if several can feed
  ///   the camera, or none can.
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
    // A holder that has written almost nothing is waiting or viewing.
    let writing = unmapped.filter { feeder in isAny(of: feeder) { $0.hasWritten != false } }
    if writing.count == 1 { return writing.first }
    return writing.isEmpty && mapped.count == 1 ? mapped.first : nil
  }

  /// Returns the holders that may feed the camera, with one holder for each open file.
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

  /// Returns whether the hold of a holder, or of any holder that shares its file, satisfies a
  /// predicate.
  private func isAny(of holder: DeviceHolder, _ body: (DeviceHold) -> Bool) -> Bool {
    holders.contains { $0.sharesFile(with: holder) && body($0.hold) }
  }

  /// Returns the direction that earlier observations showed for a holder, or for one that shares
  /// its file.
  private func known(_ holder: DeviceHolder) -> KnownDirection? {
    let own = knownDirections[DeviceUser.holder(holder).identity]
    guard own == nil, holder.hold.sharesWith != nil, !knownDirections.isEmpty else { return own }
    return holders.lazy.filter(holder.sharesFile)
      .compactMap { knownDirections[DeviceUser.holder($0).identity] }.first
  }
}

/// The direction in which a process uses a virtual camera.
public enum HoldDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// The process provides the camera's pictures.
  case feeds
  /// The process shows or records the camera's pictures.
  case views
}

/// The direction of a holder of a virtual camera, as learned from earlier observations.
struct KnownDirection: Hashable, Sendable {
  var direction: HoldDirection
  /// A Boolean value that indicates whether the direction is certain, not only likely.
  var isProven: Bool

  init(_ direction: HoldDirection, isProven: Bool) {
    self.direction = direction
    self.isProven = isProven
  }
}

extension UseFacts {
  /// Adds what earlier observations have shown about the holders of virtual cameras.
  ///
  /// A camera accepts pictures from one program at a time. That program remains the feeder as long
  /// as it has the camera open and the camera is fed. A program that opens the camera during that
  /// time only views it, even after the feeder has closed the camera.
  ///
  /// - Parameter before: The previous facts about the same devices.
  public mutating func keepDirections(of before: UseFacts) {
    for index in devices.indices where devices[index].isFed != nil {
      let earlier = before.devices.first {
        $0.node == devices[index].node && $0.device?.sysfsPath == devices[index].device?.sysfsPath
      }
      if let earlier { devices[index].keepDirections(of: earlier) }
    }
  }
}

extension DeviceUse {
  fileprivate mutating func keepDirections(of earlier: DeviceUse) {
    let now = Set(holders.map { DeviceUser.holder($0).identity })
    isKeptFed = isFed == true && earlier.isFed == true && earlier.isKeptFed
    knownDirections = earlier.knownDirections.filter { now.contains($0.key) }
    if let feeder = earlier.certainFeeder {
      learn(that: feeder, feedsFor: earlier.holders, isProven: true, now)
    } else if earlier.isFed == true, let feeder = earlier.soleFeeder(proven: false) {
      learn(that: feeder, feedsFor: earlier.holders, isProven: false, now)
    }
    guard isFed == true else {
      // A viewer will not become the feeder, but another program may.
      knownDirections = knownDirections.filter { $0.value.direction == .views }
      return
    }
    guard earlier.isFed == true else {
      // The camera began to be fed after the earlier observation. If it had been fed at both, the
      // feeder would be unknown.
      if let feeder = soleFeeder(proven: true) {
        learn(that: feeder, feedsFor: holders, isProven: true, now)
      }
      return
    }
    leftBehind = earlier.leftBehind.intersection(now)
    if earlier.lostFeeder(now) {
      isKeptFed = true
      leftBehind.formUnion(
        now.intersection(earlier.holders.map { DeviceUser.holder($0).identity }))
    }
  }

  private mutating func learn(
    that feeder: DeviceHolder, feedsFor holders: [DeviceHolder], isProven: Bool,
    _ now: Set<DeviceUser.Identity>
  ) {
    for holder in holders {
      let identity = DeviceUser.holder(holder).identity
      guard now.contains(identity) else { continue }
      if let known = knownDirections[identity], known.isProven, !isProven { continue }
      knownDirections[identity] = KnownDirection(
        holder.sharesFile(with: feeder) ? .feeds : .views, isProven: isProven)
    }
  }

  /// Returns whether the feeder may have closed the camera although the camera still reports that
  /// it is fed.
  ///
  /// If the report should end with the feeder, only a certain feeder counts: a control must be
  /// keeping the report. If the feeder was only likely, the guess was wrong.
  private func lostFeeder(_ now: Set<DeviceUser.Identity>) -> Bool {
    func isGone(_ holder: DeviceHolder) -> Bool {
      !holders.contains {
        $0.sharesFile(with: holder) && now.contains(DeviceUser.holder($0).identity)
      }
    }
    let gone = holders.filter(isGone)
    if feedEndsWithFeeder { return certainFeeder.map(gone.contains) ?? false }
    let feeder = holders.first { direction(of: $0) == .feeds }
    return feeder.map(gone.contains) ?? gone.contains { direction(of: $0) != .views }
  }
}
