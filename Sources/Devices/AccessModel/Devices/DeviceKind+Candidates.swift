extension DeviceKind {
  /// Returns the devices of this kind that a program could use, best first.
  ///
  /// A camera is included only if its node delivers pictures. Real cameras come before virtual
  /// ones. Infrared cameras come last, because they are of no use in a video call. Roles must have
  /// been set with ``DeviceFacts/classify()``.
  public func candidates(in devices: [DeviceFacts]) -> [DeviceFacts] {
    guard let subsystem else { return [] }
    return devices.compactMap { device -> (Rank, DeviceFacts)? in
      guard device.subsystem == subsystem, device.node != nil, matchesName(of: device),
        roles.isEmpty || roles.contains(device.role)
      else { return nil }
      return (Rank(of: device, in: self), device)
    }
    .sorted { $0.0 < $1.0 }
    .map(\.1)
  }

  /// Returns the devices of the subsystem that have a node but are not of this kind.
  ///
  /// Examples are metadata and output nodes, which a program cannot use as a camera. If both this
  /// array and the result of ``candidates(in:)`` are empty, the subsystem has no nodes.
  public func others(in devices: [DeviceFacts]) -> [DeviceFacts] {
    guard let subsystem else { return [] }
    return devices.filter { device in
      guard device.subsystem == subsystem, device.node != nil else { return false }
      return !(matchesName(of: device) && (roles.isEmpty || roles.contains(device.role)))
    }
  }

  /// Returns the devices that a list of this kind shows, in the given order.
  ///
  /// If the kind is defined by roles, the list shows the whole subsystem, including a camera's
  /// companion nodes. Otherwise, it shows only the devices of the kind.
  public func members(in devices: [DeviceFacts]) -> [DeviceFacts] {
    devices.filter { device in
      device.subsystem == subsystem && (!roles.isEmpty || matchesName(of: device))
    }
  }

  private func matchesName(of device: DeviceFacts) -> Bool {
    namePrefixes.isEmpty || namePrefixes.contains { device.kernelName.hasPrefix($0) }
  }

  /// The sort key of a candidate, with the most significant value first.
  private struct Rank: Comparable {
    var values: [Int]
    var name: String

    init(of device: DeviceFacts, in kind: DeviceKind) {
      let prefix = kind.namePrefixes.firstIndex { device.kernelName.hasPrefix($0) } ?? 0
      let confidence =
        switch device.roleConfidence {
        case .certain, .likely: 0
        case .guess: 1
        }
      let isVirtual = device.isBelow("/devices/virtual/")
      values = [
        prefix, device.isSecurityKey ? 0 : 1, device.isInfrared ? 1 : 0, isVirtual ? 1 : 0,
        confidence,
        device.trailingNumber ?? Int.max,
      ]
      name = device.kernelName
    }

    static func < (left: Rank, right: Rank) -> Bool {
      for (one, other) in zip(left.values, right.values) where one != other { return one < other }
      return left.name < right.name
    }
  }
}

extension DeviceFacts {
  /// A Boolean value that indicates whether udev identifies the device as a security key.
  ///
  /// This is the HID device that most programs want.
  package var isSecurityKey: Bool {
    properties["ID_FIDO_TOKEN"] == "1" || properties["ID_SECURITY_TOKEN"] == "1"
  }

  /// A Boolean value that indicates whether udev marks the device as one for user programs, such as
  /// a security key or a game pad.
  var isMeantForUsers: Bool {
    isSecurityKey || isTaggedForUserAccess || properties["ID_INPUT_JOYSTICK"] == "1"
  }

  /// A Boolean value that indicates whether the name suggests that the camera captures infrared
  /// light.
  ///
  /// No interface reports this.
  var isInfrared: Bool {
    let text = name ?? properties["ID_V4L_PRODUCT"] ?? ""
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.contains { $0 == "IR" || $0.lowercased() == "infrared" }
  }

  /// The number at the end of the kernel's name, such as 10 in `video10`.
  fileprivate var trailingNumber: Int? {
    let digits = kernelName.utf8.reversed().prefix { (48...57).contains($0) }.reversed()
    return Int(String(decoding: Array(digits), as: UTF8.self))
  }
}
