extension DeviceKind {
  /// The devices of this kind that a program could use, best first.
  ///
  /// A camera counts when its node delivers pictures. Real cameras come before virtual ones,
  /// and infrared ones last: they capture, and a person on a video call does not want them.
  /// Roles must have been set with ``DeviceFacts/classify()``.
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

  /// The devices of the subsystem that have a node and are not of this kind, such as the
  /// metadata and output nodes that a program cannot use as a camera.
  ///
  /// Empty together with ``candidates(in:)`` means that there is no node at all.
  public func others(in devices: [DeviceFacts]) -> [DeviceFacts] {
    guard let subsystem else { return [] }
    return devices.filter { device in
      guard device.subsystem == subsystem, device.node != nil else { return false }
      return !(matchesName(of: device) && (roles.isEmpty || roles.contains(device.role)))
    }
  }

  /// The devices that a list of this kind shows, in the order given.
  ///
  /// A kind that roles tell apart shows its whole subsystem, so that the companions of a camera
  /// are seen; any other kind shows its own devices, not the unrelated ones of its subsystem.
  public func members(in devices: [DeviceFacts]) -> [DeviceFacts] {
    devices.filter { device in
      device.subsystem == subsystem && (!roles.isEmpty || matchesName(of: device))
    }
  }

  private func matchesName(of device: DeviceFacts) -> Bool {
    namePrefixes.isEmpty || namePrefixes.contains { device.kernelName.hasPrefix($0) }
  }

  /// What orders two candidates, the most important first.
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
  /// Whether udev says that it is a key for logins, which is what most programs want of HID devices.
  package var isSecurityKey: Bool {
    properties["ID_FIDO_TOKEN"] == "1" || properties["ID_SECURITY_TOKEN"] == "1"
  }

  /// Whether it is one that programs of users open, such as a key or a game pad, by what udev says.
  var isMeantForUsers: Bool {
    isSecurityKey || isTaggedForUserAccess || properties["ID_INPUT_JOYSTICK"] == "1"
  }

  /// Whether the name says that the camera sees infrared light; no interface tells it.
  var isInfrared: Bool {
    let text = name ?? properties["ID_V4L_PRODUCT"] ?? ""
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.contains { $0 == "IR" || $0.lowercased() == "infrared" }
  }

  /// The number that the kernel's name ends with, such as 10 of `video10`.
  fileprivate var trailingNumber: Int? {
    let digits = kernelName.utf8.reversed().prefix { (48...57).contains($0) }.reversed()
    return Int(String(decoding: Array(digits), as: UTF8.self))
  }
}
