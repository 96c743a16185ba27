extension UseFacts {
  /// Adds the holders from an earlier observation that still run but can no longer be inspected.
  ///
  /// If the driver reports that no process has a device open, the device has no such holders.
  ///
  /// - Parameter before: The earlier facts about the same devices.
  package mutating func keepHidden(of before: UseFacts) {
    guard !outOfSight.isEmpty else { return }
    for index in devices.indices where !(devices[index].isToldByDriver && !devices[index].isHeld) {
      let earlier = before.devices.first {
        $0.identity == devices[index].identity && !devices[index].hasReplaced($0)
      }
      let seen = Set(devices[index].holders.map { DeviceUser.holder($0).identity })
      devices[index].hiddenHolders = ((earlier?.holders ?? []) + (earlier?.hiddenHolders ?? []))
        .filter { holder in
          outOfSight.contains(holder.process.id)
            && !seen.contains(DeviceUser.holder(holder).identity)
        }
    }
  }
}
