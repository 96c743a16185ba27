extension UseFacts {
  /// Adds what the holders of virtual cameras were seen to do at an earlier look.
  ///
  /// A camera takes pictures from one program at a time, which goes on for as long as it has the camera
  /// open and pictures come; who opens it meanwhile only views it, also when that program has gone.
  ///
  /// - Parameter before: The facts of an earlier look at the same devices.
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
      // Another one may feed it next, and not one that viewed it.
      knownDirections = knownDirections.filter { $0.value.direction == .views }
      return
    }
    guard earlier.isFed == true else {
      // It is fed since then; while it is told to be at both looks, nothing says by whom.
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

  /// Whether the one that fed it may not be among the holders any more, although it is still told to be
  /// fed.
  ///
  /// Where that ends with the feeder, a control keeps it, and any guess was wrong.
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
