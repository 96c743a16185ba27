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
