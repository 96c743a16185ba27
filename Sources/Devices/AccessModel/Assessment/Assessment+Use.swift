extension Assessment {
  /// The use of the device by other programs; `nil` if it was not observed.
  var use: DeviceUse? {
    guard let all = facts.use, var own = use(in: all) else { return nil }
    if own.device == nil { own.device = device }
    return own
  }

  /// Returns the use of this device; `nil` if it was not observed.
  ///
  /// The nodes in `all` are those in udev's database.
  private func use(in all: UseFacts) -> DeviceUse? {
    if let device, device.systemNode != nil, let own = all.use(of: device) { return own }
    // The same path in another process's view of `/dev` may be a different device for the caller.
    if device?.systemNode != nil, !facts.isOfCaller { return nil }
    return all.use(ofNode: object?.path ?? access.request.path)
      ?? device.flatMap(all.use(of:))
      ?? all.devices.first { $0.askedAs.contains(access.request.path) }
  }

  /// The occupation of the device by other users; `nil` if it was not observed.
  var occupation: Occupation? {
    use.flatMap { use in
      facts.use?.occupation(of: use, besides: facts.origin?.pid)
    }
  }

  /// The other processes that use the device, starting with those that block the subject.
  var otherHolders: [DeviceHolder] {
    guard let use else { return [] }
    let others = use.holders.filter { $0.process.id != facts.origin?.pid }
    let blocking = others.filter { use.occupation(by: $0) == .busy }
    return blocking + others.filter { use.occupation(by: $0) != .busy }
  }

  /// A Boolean value that indicates whether another program is known to block the device.
  var isBusy: Bool { attempt?.errno == .busy || occupation == .busy }

  /// Returns whether the subject can use this device instead of another one.
  ///
  /// An infrared camera does not replace an ordinary one. A virtual camera replaces a real one only
  /// if a program is using it and may be feeding it.
  func canReplace(_ other: Assessment) -> Bool {
    guard isGranted, let device, let wanted = other.device else { return false }
    if device.isInfrared, !wanted.isInfrared { return false }
    guard VideoDriver(of: device) == .loopback, device.subsystem == "video4linux",
      VideoDriver(of: wanted) != .loopback
    else { return true }
    return use.map { $0.isHeld && $0.isFed != false } ?? false
  }

  /// A rank for choosing among equivalent devices by their current use; lower is better.
  var crowding: Int {
    switch occupation {
    case .busy: 3
    case _ where isBusy: 3
    case .held: 2
    // Another device may be known to be free.
    case .unknown, nil: 1
    case .free, .open: 0
    }
  }
}

extension AccessFacts {
  /// The devices whose current users affect the answer: cameras and sound devices.
  ///
  /// These devices serve one program at a time. A device that does not exist or has no node is not
  /// included.
  public var targetsOfUse: [Question.Target] {
    if let kind = kind.flatMap(DeviceKind.named) {
      let isUsed = kind.servesOneProgram && !kind.usedDevices(in: devices).isEmpty
      return isUsed ? [.kind(kind)] : []
    }
    guard let device = device(at: access.request.path), let node = device.node,
      device.subsystem == DeviceKind.camera.subsystem || device.isStream
    else { return [] }
    if device.role == .pipeline {
      // Programs use the parts of a pipeline together, so all of them matter.
      let parts = devices.filter { $0.role == .pipeline }.compactMap(\.udevNode)
      return ([node] + parts.filter { $0 != node }).prefix(16).map { .path($0) }
    }
    // Users are searched for by the names in the caller's view of `/dev`.
    return [.path(isOfCaller ? node : device.udevNode ?? node)]
  }

  /// A Boolean value that indicates whether the subject is a process with the caller's view of
  /// `/dev`.
  fileprivate var isOfCaller: Bool { origin.map { $0.kind == .ownProcess } ?? true }
}
