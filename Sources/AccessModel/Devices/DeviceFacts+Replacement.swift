extension DeviceFacts {
  /// Whether it is another device than the one that was seen in the same place of sysfs: while nobody
  /// looked, that one went and this one came.
  ///
  /// What the hardware says of itself is compared, once udev knows it of both.
  package func hasReplaced(_ before: DeviceFacts) -> Bool {
    guard sysfsPath == before.sysfsPath, isInitialized, before.isInitialized else {
      return sysfsPath != before.sysfsPath
    }
    func differs<Value: Equatable>(_ now: Value?, _ before: Value?) -> Bool {
      guard let now, let before else { return false }
      return now != before
    }
    let serial = "ID_SERIAL"
    return differs(name, before.name) || differs(number, before.number)
      || differs(properties[serial], before.properties[serial])
  }
}
