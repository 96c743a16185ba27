extension UseFacts {
  /// Adds what the holders of virtual cameras were surely seen to do at an earlier look.
  ///
  /// A camera takes pictures from one program at a time, which goes on for as long as it has the camera
  /// open and pictures come; who opens it meanwhile only views it, also when that program has gone.
  ///
  /// - Parameter before: The facts of an earlier look at the same devices.
  public mutating func keepDirections(of before: UseFacts) {
    for index in devices.indices where devices[index].isFed == true {
      let earlier = before.devices.first {
        $0.node == devices[index].node && $0.device?.sysfsPath == devices[index].device?.sysfsPath
      }
      guard let earlier, earlier.isFed == true else { continue }
      var known = earlier.knownDirections
      if let feeder = earlier.certainFeeder {
        for holder in earlier.holders {
          known[DeviceUser.holder(holder).identity] = holder == feeder ? .feeds : .views
        }
      }
      let now = Set(devices[index].holders.map { DeviceUser.holder($0).identity })
      devices[index].knownDirections = known.filter { now.contains($0.key) }
    }
  }
}
