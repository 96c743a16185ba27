extension DeviceUse {
  /// More users than a person reads.
  private static let mostUnnamed = 64

  /// Every program that uses the device: the holders, each followed by those that it serves.
  public var users: [DeviceUser] {
    holders.flatMap { holder in
      [.holder(holder)]
        + (holder.clients ?? []).map { DeviceUser.client($0, server: holder.process) }
    } + Array(repeating: .unnamed, count: max(0, min(unnamedHolders, Self.mostUnnamed)))
  }

  /// The users that get pictures or sound from the device, or may.
  ///
  /// Left out are those that only keep it open: a program that feeds a virtual camera, whoever waits
  /// for one to be fed, one whose driver says that nothing streams, and a media server, whose clients
  /// count in its place. Those that are out of sight may.
  public var activeUsers: [DeviceUser] {
    var idle = idleUnnamedHolders
    return (users + hiddenHolders.map(DeviceUser.holder)).filter { user in
      if case .unnamed = user, idle > 0 {
        idle -= 1
        return false
      }
      return isActive(user)
    }
  }

  /// Whether a user of the device gets pictures or sound from it, or may.
  public func isActive(_ user: DeviceUser) -> Bool {
    switch user {
    // Nothing tells several of them apart.
    case .unnamed: unnamedHolders > idleUnnamedHolders
    case .client(let client, _): client.isStreaming
    case .holder(let holder): isActive(holder)
    }
  }

  /// Whether a media server has the device open, and neither it nor the driver tells whether anybody gets
  /// pictures or sound through it.
  public var hasUntoldClients: Bool {
    holders.contains { holder in
      holder.process.isMediaServer && !holder.process.isSessionManager && holder.clients == nil
        && holder.hold.activity == nil && !isActive(holder) && isFed != false
        && direction(of: holder) != .feeds && device.map { $0.subsystem != "sound" } ?? true
    }
  }

  private func isActive(_ holder: DeviceHolder) -> Bool {
    if direction(of: holder) == .feeds || holder.process.isSessionManager { return false }
    if isFed == false { return false }
    if let device, device.subsystem == "sound", !device.isStream { return false }
    if holder.process.isMediaServer {
      // Those that it serves are users of their own.
      guard holder.clients == nil else { return false }
      return holder.hold.activity == .streaming
        || holder.hold.activity == nil && holder.hold.isMapped
    }
    return holder.hold.activity != .idle
  }
}
