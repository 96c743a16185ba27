internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// The descriptors that were given out and not closed yet.
final class HeldAccesses: Sendable {
  private struct Entry {
    /// The device behind it; the one that a portal's cameras stand for.
    let object: AccessObject
    /// `nil` once it was taken.
    var kept: KeptDescriptor?
    let terms: DeviceAccess.Terms
  }

  private struct State {
    var entries: [AccessToken: Entry] = [:]
    /// Those that nobody has taken, from the oldest.
    var waiting: [AccessToken] = []
  }

  /// A program takes what it asked for; what it forgets must not fill its table of descriptors.
  static let mostWaiting = 16

  private let state = Mutex(State())

  /// Keeps a descriptor until it is taken and closed.
  func keep(
    _ descriptor: consuming DeviceDescriptor, of object: AccessObject, _ terms: DeviceAccess.Terms
  ) -> AccessToken {
    let token = AccessToken()
    let entry = Entry(object: object, kept: KeptDescriptor(descriptor), terms: terms)
    let oldest: Entry? = state.withLock { state in
      state.entries[token] = entry
      state.waiting.append(token)
      guard state.waiting.count > Self.mostWaiting else { return nil }
      return state.entries.removeValue(forKey: state.waiting.removeFirst())
    }
    // Closed here, outside of the lock.
    _ = oldest
    return token
  }

  /// Hands the descriptor over; `nil` for a token whose descriptor was taken or discarded.
  func take(_ token: AccessToken) -> DeviceAccess? {
    let found: (KeptDescriptor, DeviceAccess.Terms)? = state.withLock { state in
      guard let entry = state.entries[token], let kept = entry.kept else { return nil }
      state.entries[token]?.kept = nil
      state.waiting.removeAll { $0 == token }
      return (kept, entry.terms)
    }
    guard let (kept, terms) = found, let descriptor = kept.take() else { return nil }
    return DeviceAccess(descriptor, token, terms, self)
  }

  /// Closes a descriptor that nobody has taken.
  func discard(_ token: AccessToken) {
    let entry: Entry? = state.withLock { state in
      guard state.entries[token]?.kept != nil else { return nil }
      state.waiting.removeAll { $0 == token }
      return state.entries.removeValue(forKey: token)
    }
    _ = entry
  }

  /// Forgets a descriptor that its owner closes.
  func end(_ token: AccessToken) {
    let entry = state.withLock { $0.entries.removeValue(forKey: token) }
    entry?.terms.watch.close()
  }

  /// The roads by which this process got a device that it holds; none where it does not hold it.
  func roads(to object: AccessObject) -> Set<AccessRoad> {
    state.withLock { state in
      Set(state.entries.values.filter { $0.object == object }.map(\.terms.road))
    }
  }
}
