extension DeviceUse {
  /// The maximum number of unnamed users to list.
  private static let mostUnnamed = 64

  /// All programs that use the device: each holder, followed by its clients.
  public var users: [DeviceUser] {
    holders.flatMap { holder in
      [.holder(holder)]
        + (holder.clients ?? []).map { DeviceUser.client($0, server: holder.process) }
    } + Array(repeating: .unnamed, count: max(0, min(unnamedHolders, Self.mostUnnamed)))
  }

  /// The users that receive pictures or sound from the device, or may do so.
  ///
  /// Users that only keep the device open are left out: the feeder of a virtual camera, a program
  /// that waits for a virtual camera to be fed, a program that does not stream according to the
  /// driver, and a media server whose clients are listed instead. A holder that can no longer be
  /// inspected is judged by its last observed hold.
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

  /// Returns whether a user of the device receives pictures or sound from it, or may do so.
  public func isActive(_ user: DeviceUser) -> Bool {
    switch user {
    // The unnamed users are indistinguishable.
    case .unnamed: unnamedHolders > idleUnnamedHolders
    case .client(let client, _): client.isStreaming
    case .holder(let holder): isActive(holder)
    }
  }

  /// A Boolean value that indicates whether a media server has the device open, and it is unknown
  /// whether any client receives pictures or sound.
  public var hasUntoldClients: Bool { holders.contains { flow(to: $0) == .untold } }

  private func isActive(_ holder: DeviceHolder) -> Bool { flow(to: holder) == .data }

  /// Information about whether a holder receives pictures or sound.
  private enum Flow {
    /// The holder receives data, or may do so.
    case data
    case nothing
    /// The holder is a media server, and it is unknown whether it serves any client.
    case untold
  }

  private func flow(to holder: DeviceHolder) -> Flow {
    if direction(of: holder) == .feeds { return .nothing }
    // A process with the name of a session manager does stream if the driver reports so.
    if holder.process.isSessionManager, holder.hold.activity != .streaming { return .nothing }
    if isFed == false { return .nothing }
    if let device, device.subsystem == "sound", !device.isStream { return .nothing }
    guard holder.process.isMediaServer else {
      return holder.hold.activity == .idle ? .nothing : .data
    }
    // The clients are separate users.
    guard holder.clients == nil else { return .nothing }
    return switch holder.hold.activity {
    case .streaming: .data
    case .idle: .nothing
    case nil: holder.hold.isMapped ? .data : .untold
    }
  }
}
