/// A change in the use of a device since the previous observation.
public struct UseEvent: Hashable, Sendable {
  /// The type of change.
  public enum Action: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device was added.
    case added
    /// The device was removed, along with its users.
    case removed
    /// A program has opened the device, or has begun to use it through a media server.
    case opened
    /// A program no longer has the device open.
    case closed
    /// A program that had the device open still runs, but can no longer be inspected.
    ///
    /// It may still have the device open.
    case hidden
    /// A process that has the device open now runs another program (execve(2)), or runs as another
    /// user.
    case executed
    /// A program that has the device open has begun to receive pictures or sound.
    case started
    /// A program that has the device open no longer receives pictures or sound.
    case stopped
    /// It is no longer certain that no program has the device open.
    case unknown
    /// It is now certain that no program has the device open.
    case free
  }

  /// The type of change.
  public var action: Action
  /// The device as it is now, or as it was before it was removed.
  public var device: DeviceUse
  /// The user that the change concerns; `nil` if it concerns only the device.
  public var user: DeviceUser?

  /// Creates an event.
  public init(_ action: Action, _ device: DeviceUse, _ user: DeviceUser? = nil) {
    self.action = action
    self.device = device
    self.user = user
  }
}

extension UseFacts {
  /// Returns the changes since an earlier observation of the same devices.
  ///
  /// Removed devices come first. For each remaining device, uses that ended come before uses that
  /// began. Changes to the names that processes give themselves, to the number of descriptors and
  /// to the number of unseen processes are not events.
  public func events(since before: UseFacts) -> [UseEvent] {
    events(since: before, recalling: [])
  }

  /// Returns the changes since an earlier observation, given devices that were removed before it.
  ///
  /// - Parameters:
  ///   - before: The earlier observation.
  ///   - gone: The removed devices, each as it was when it was removed. If such a device returns
  ///     and a program still has it open, the program has not opened it again.
  /// - Returns: The changes.
  package func events(since before: UseFacts, recalling gone: [DeviceUse]) -> [UseEvent] {
    let known = Dictionary(before.devices.map { ($0.identity, $0) }) { first, _ in first }
    let now = Dictionary(devices.map { ($0.identity, $0) }) { first, _ in first }
    let removed = before.devices.filter { now[$0.identity]?.hasReplaced($0) ?? true }
    return removed.map { UseEvent(.removed, $0) }
      + devices.flatMap { device in
        guard let earlier = known[device.identity], !device.hasReplaced(earlier) else {
          let there = (gone + removed).filter { $0.identity == device.identity }
          // Another device, which no program had open, may have been at this path in the meantime.
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

  /// Returns the event for a device whose users have not changed, if its state has become known or
  /// unknown.
  private func stateEvent(of device: DeviceUse, _ before: UseState) -> [UseEvent] {
    switch (before, state(of: device)) {
    case (.free, .unknown): [UseEvent(.unknown, device)]
    case (.unknown, .free): [UseEvent(.free, device)]
    default: []
    }
  }
}

extension DeviceUse {
  /// Identifies a device within one observation.
  var identity: [String?] { [node, kind] }

  /// Returns whether a different device was at this node in an earlier observation.
  func hasReplaced(_ before: DeviceUse) -> Bool {
    // If sysfs is not visible, the device numbers are compared.
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
        // A holder that temporarily could not be inspected has not opened the device again.
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
    // The clients of a media server end before the server.
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
