extension DeviceFacts {
  /// Returns whether this device has replaced an earlier one at the same path in sysfs.
  ///
  /// One device can be removed and another one added between two observations. The name, the device
  /// number and the serial number are compared if udev has processed both devices. If the paths
  /// differ, so do the devices.
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
