extension Assessment {
  /// Who has the device open; `nil` where that was not looked at.
  var use: DeviceUse? {
    guard let all = facts.use, var own = use(in: all) else { return nil }
    if own.device == nil { own.device = device }
    return own
  }

  /// The use of the device among that of others, whose nodes are those that udev knows.
  private func use(in all: UseFacts) -> DeviceUse? {
    if let device, device.systemNode != nil, let own = all.use(of: device) { return own }
    // By the names that another process has, the caller has other devices.
    if device?.systemNode != nil, !facts.isOfCaller { return nil }
    return all.use(ofNode: object?.path ?? access.request.path)
      ?? device.flatMap(all.use(of:))
      ?? all.devices.first { $0.askedAs.contains(access.request.path) }
  }

  /// What the users of the device leave to the subject; `nil` where that was not looked at.
  var occupation: Occupation? {
    use.flatMap { use in
      facts.use?.occupation(of: use, besides: facts.origin?.pid)
    }
  }

  /// The users that are in the subject's way, those that keep it out first.
  var otherHolders: [DeviceHolder] {
    guard let use else { return [] }
    let others = use.holders.filter { $0.process.id != facts.origin?.pid }
    let blocking = others.filter { use.occupation(by: $0) == .busy }
    return blocking + others.filter { use.occupation(by: $0) != .busy }
  }

  /// Whether another program was seen to keep others from the device.
  var isBusy: Bool { attempt?.errno == .busy || occupation == .busy }

  /// Whether the device does what another one was meant for: an infrared camera does not, and a
  /// virtual one that nobody feeds.
  func canReplace(_ other: Assessment) -> Bool {
    guard isGranted, let device, let wanted = other.device else { return false }
    if device.isInfrared, !wanted.isInfrared { return false }
    guard VideoDriver(of: device) == .loopback, device.subsystem == "video4linux",
      VideoDriver(of: wanted) != .loopback
    else { return true }
    return use.map { $0.isHeld && $0.isFed != false } ?? false
  }

  /// How much its users speak against the device, where another one would do as well.
  var crowding: Int {
    switch occupation {
    case .busy: 3
    case _ where isBusy: 3
    case .held: 2
    // Another one may be known to be free.
    case .unknown, nil: 1
    case .free, .open: 0
    }
  }
}

extension AccessFacts {
  /// The devices whose users bear on the answer: cameras and sound devices, which serve one program
  /// at a time.
  ///
  /// A device that is not there, or that its node does not give, is none of them.
  public var targetsOfUse: [Question.Target] {
    if let kind = kind.flatMap(DeviceKind.named) {
      let isUsed = kind.servesOneProgram && !kind.usedDevices(in: devices).isEmpty
      return isUsed ? [.kind(kind)] : []
    }
    guard let device = device(at: access.request.path), let node = device.node,
      device.subsystem == DeviceKind.camera.subsystem || device.isStream
    else { return [] }
    if device.role == .pipeline {
      // Programs use the parts of a pipeline together.
      let parts = devices.filter { $0.role == .pipeline }.compactMap(\.udevNode)
      return ([node] + parts.filter { $0 != node }).prefix(16).map { .path($0) }
    }
    // Users are looked for by the caller's names.
    return [.path(isOfCaller ? node : device.udevNode ?? node)]
  }

  /// Whether the subject is a process with the caller's own view of `/dev`.
  fileprivate var isOfCaller: Bool { origin.map { $0.kind == .ownProcess } ?? true }
}
