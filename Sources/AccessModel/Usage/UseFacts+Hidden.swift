extension UseFacts {
  /// Adds the holders of an earlier look that run on and cannot be looked into any more.
  ///
  /// Of a device whose driver says that nobody has it open, there are none.
  ///
  /// - Parameter before: The facts of an earlier look at the same devices.
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
