public import AccessModel
public import LinuxDevices

extension AccessFacts {
  /// Returns the devices in a list of the given kind, each with the subject's access to it.
  ///
  /// - Throws: `unavailable` if no device was found and devices could not be observed, because an
  ///   empty list would mean that there is no device.
  public func listings(of kind: DeviceKind) throws(DeviceError) -> [DeviceListing] {
    let devices = kind.members(in: devices)
    if devices.isEmpty,
      let unseen = unobserved.first(where: { $0.layer == Unobserved.devicesLayer })
    {
      throw DeviceError(unlistedBecause: unseen.reason)
    }
    let answers = answers(for: devices, wanting: [.read, .write, [.read, .write]])
    return zip(devices, answers).map(DeviceListing.init(device:answers:))
  }
}

extension DeviceListing {
  /// Creates an entry from the answers for reading, for writing, and for both at once.
  fileprivate init(device: DeviceFacts, answers: [Answer]) {
    // A device whose node exists only elsewhere, such as outside the container, cannot be opened
    // here.
    if device.node == nil, device.systemNode != nil {
      self.init(device: device, access: [], allowsBoth: false)
      return
    }
    guard answers.count == 3, answers[0] != .undetermined, answers[1] != .undetermined else {
      self.init(device: device, access: nil, allowsBoth: false)
      return
    }
    var access: Permissions = []
    if answers[0] == .allowed { access.insert(.read) }
    if answers[1] == .allowed { access.insert(.write) }
    self.init(
      device: device, access: access, allowsBoth: answers[2] == .allowed,
      isAbsent: answers.allSatisfy { $0 == .absent })
  }
}
