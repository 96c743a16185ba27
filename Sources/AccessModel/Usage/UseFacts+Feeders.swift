extension UseFacts {
  /// Adds who was seen to feed virtual cameras at an earlier look.
  ///
  /// A camera takes pictures from one program at a time, which goes on for as long as it has the camera
  /// open and pictures come; who opens it later only views it.
  ///
  /// - Parameter before: The facts of an earlier look at the same devices.
  public mutating func keepFeeders(of before: UseFacts) {
    for index in devices.indices where devices[index].isFed == true {
      let earlier = before.devices.first {
        $0.node == devices[index].node && $0.device?.sysfsPath == devices[index].device?.sysfsPath
      }
      guard let earlier, earlier.isFed == true else { continue }
      let feeder = earlier.holders.first { earlier.direction(of: $0) == .feeds }
      devices[index].knownFeeder = feeder.map { DeviceUser.holder($0).identity }
    }
  }
}
