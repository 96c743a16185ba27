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
  public var hasUntoldClients: Bool { holders.contains { flow(to: $0) == .untold } }

  private func isActive(_ holder: DeviceHolder) -> Bool { flow(to: holder) == .data }

  /// What is known of whether a holder gets pictures or sound.
  private enum Flow {
    /// It does, or may.
    case data
    case nothing
    /// It is a media server, of which nobody tells whether it serves anybody.
    case untold
  }

  private func flow(to holder: DeviceHolder) -> Flow {
    if direction(of: holder) == .feeds { return .nothing }
    // Whatever it calls itself, it streams where a driver says so.
    if holder.process.isSessionManager, holder.hold.activity != .streaming { return .nothing }
    if isFed == false { return .nothing }
    if let device, device.subsystem == "sound", !device.isStream { return .nothing }
    guard holder.process.isMediaServer else {
      return holder.hold.activity == .idle ? .nothing : .data
    }
    // Those that it serves are users of their own.
    guard holder.clients == nil else { return .nothing }
    return switch holder.hold.activity {
    case .streaming: .data
    case .idle: .nothing
    case nil: holder.hold.isMapped ? .data : .untold
    }
  }
}
