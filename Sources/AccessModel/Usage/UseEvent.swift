/// How the use of a device differs from the look before.
public struct UseEvent: Hashable, Sendable {
  /// What happened.
  public enum Action: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device came.
    case added
    /// The device went, and with it everybody who used it.
    case removed
    /// A program has it open, or uses it through a media server, that did not before.
    case opened
    /// A program does not have it open any more.
    case closed
    /// A program that had it open runs on and cannot be looked into any more: it may have it open still.
    case hidden
    /// A process that has it open runs another program now (execve(2)), or the same as another user.
    case executed
    /// A program that has it open gets pictures or sound now.
    case started
    /// A program that has it open does not get any more of them.
    case stopped
    /// Nobody is seen to have it open, but a program that cannot be seen may.
    case unknown
    /// Nobody has it open, which was not known before.
    case free
  }

  /// What happened.
  public var action: Action
  /// The device as it is now, or was before it went.
  public var device: DeviceUse
  /// Whose use it is about; `nil` where it is about the device alone.
  public var user: DeviceUser?

  /// Creates an event.
  public init(_ action: Action, _ device: DeviceUse, _ user: DeviceUser? = nil) {
    self.action = action
    self.device = device
    self.user = user
  }
}

extension UseFacts {
  /// What happened between an earlier look at the same devices and this one: for each device first
  /// who stopped, then who began.
  ///
  /// Names that processes give themselves, numbers of descriptors and of processes that could not be seen
  /// are no events.
  public func events(since before: UseFacts) -> [UseEvent] {
    events(since: before, recalling: [])
  }

  /// What happened, where some devices went before the earlier look.
  ///
  /// - Parameters:
  ///   - before: An earlier look.
  ///   - gone: Devices as they were when they went. A program that had one open then and has it open
  ///     when it is back did not open it.
  /// - Returns: What happened.
  package func events(since before: UseFacts, recalling gone: [DeviceUse]) -> [UseEvent] {
    let known = Dictionary(before.devices.map { ($0.identity, $0) }) { first, _ in first }
    let now = Dictionary(devices.map { ($0.identity, $0) }) { first, _ in first }
    let removed = before.devices.filter { now[$0.identity]?.hasReplaced($0) ?? true }
    return removed.map { UseEvent(.removed, $0) }
      + devices.flatMap { device in
        guard let earlier = known[device.identity], !device.hasReplaced(earlier) else {
          let there = (gone + removed).filter { $0.identity == device.identity }
          // Another may have been in its place meanwhile, which nobody had open.
          let earlier = there.last { !device.hasReplaced($0) } ?? there.last
          let keepers = Set(earlier?.users.map(\.identity) ?? [])
          return [UseEvent(.added, device)]
            + device.users.filter { !keepers.contains($0.identity) }
            .map { UseEvent(.opened, device, $0) }
        }
        let events = device.events(since: earlier)
        guard events.isEmpty else { return events }
        return stateEvent(of: device, before.state(of: earlier))
      }
  }

  /// What is known of a device that nobody was seen to use, before and now.
  private func stateEvent(of device: DeviceUse, _ before: UseState) -> [UseEvent] {
    switch (before, state(of: device)) {
    case (.free, .unknown): [UseEvent(.unknown, device)]
    case (.unknown, .free): [UseEvent(.free, device)]
    default: []
    }
  }
}

extension DeviceUse {
  /// What tells a device from others in one look.
  var identity: [String?] { [node, kind] }

  /// Whether another device is in the place of the one that was seen there.
  func hasReplaced(_ before: DeviceUse) -> Bool {
    // Where sysfs is not seen, the number of the node tells.
    guard let device, let earlier = before.device else { return number != before.number }
    return device.sysfsPath != earlier.sysfsPath || device.hasReplaced(earlier)
  }

  fileprivate func events(since before: DeviceUse) -> [UseEvent] {
    let hidden = Set(hiddenHolders.map { DeviceUser.holder($0).identity })
    let hiddenBefore = before.hiddenHolders.map { DeviceUser.holder($0) }
    var earlier: [DeviceUser.Identity: [DeviceUser]] = [:]
    for user in before.users { earlier[user.identity, default: []].append(user) }
    var began: [UseEvent] = []
    var turned: [UseEvent] = []
    var executed: [UseEvent] = []
    for user in users {
      guard let same = earlier[user.identity]?.popLast() else {
        // Who was only out of sight did not open it.
        if !hiddenBefore.contains(where: { $0.identity == user.identity }) {
          began.append(UseEvent(.opened, self, user))
        }
        continue
      }
      if case (.holder(let now), .holder(let then)) = (user, same),
        now.process.isOther(than: then.process)
      {
        executed.append(UseEvent(.executed, self, user))
      }
      let isActive = isActive(user)
      guard isActive != before.isActive(same) else { continue }
      turned.append(UseEvent(isActive ? .started : .stopped, self, user))
    }
    let ended = before.users.filter { user in
      guard let rest = earlier[user.identity], !rest.isEmpty else { return false }
      earlier[user.identity]?.removeLast()
      return true
    }
    let now = hidden.union(users.map(\.identity))
    // Those that a media server served end before it does.
    let ordered = ended.filter(\.isClient) + ended.filter { !$0.isClient }
    let ends =
      ordered.map { UseEvent(hidden.contains($0.identity) ? .hidden : .closed, self, $0) }
      + hiddenBefore.filter { !now.contains($0.identity) }.map { UseEvent(.closed, self, $0) }
    return ends + executed + turned.filter { $0.action == .stopped }
      + began + turned.filter { $0.action == .started }
  }
}

extension DeviceUser {
  fileprivate var isClient: Bool {
    if case .client = self { true } else { false }
  }
}
