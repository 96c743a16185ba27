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
    /// By the numbers of their tokens, which are not kept: a descriptor ends with the last of its copies.
    var entries: [UInt64: Entry] = [:]
    /// Those that nobody has taken, from the oldest.
    var waiting: [UInt64] = []

    /// Takes out a descriptor that nobody has taken.
    mutating func removeWaiting(_ number: UInt64) -> Entry? {
      guard entries[number]?.kept != nil else { return nil }
      waiting.removeAll { $0 == number }
      return entries.removeValue(forKey: number)
    }
  }

  /// A program takes what it asked for; what it forgets must not fill its table of descriptors.
  static let mostWaiting = 16

  private let state = Mutex(State())

  /// Keeps a descriptor until it is taken and closed.
  func keep(
    _ descriptor: consuming DeviceDescriptor, of object: AccessObject, _ terms: DeviceAccess.Terms
  ) -> AccessToken {
    let token = AccessToken(of: self)
    let entry = Entry(object: object, kept: KeptDescriptor(descriptor), terms: terms)
    let oldest: Entry? = state.withLock { state in
      state.entries[token.number] = entry
      state.waiting.append(token.number)
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
      let number = token.number
      guard let entry = state.entries[number], let kept = entry.kept else { return nil }
      state.entries[number]?.kept = nil
      state.waiting.removeAll { $0 == number }
      return (kept, entry.terms)
    }
    guard let (kept, terms) = found, let descriptor = kept.take() else { return nil }
    return DeviceAccess(descriptor, token, terms, self)
  }

  /// Closes a descriptor that nobody has taken.
  func discard(_ token: AccessToken) {
    let entry = state.withLock { $0.removeWaiting(token.number) }
    _ = entry
  }

  /// Closes a descriptor that nobody has taken, and that nobody has a token of any more.
  ///
  /// The last copy of a token may go anywhere, such as under the lock of the store whose design it was in,
  /// and a driver may take its time to close: so that is done elsewhere.
  func forget(_ number: UInt64) {
    guard let entry = state.withLock({ $0.removeWaiting(number) }) else { return }
    Task(name: "close a descriptor") { _ = entry }
  }

  /// Forgets a descriptor that its owner closes.
  func end(_ token: AccessToken) {
    let entry = state.withLock { $0.entries.removeValue(forKey: token.number) }
    entry?.terms.watch.close()
  }

  /// The roads by which this process got a device that it holds; none where it does not hold it.
  func roads(to object: AccessObject) -> Set<AccessRoad> {
    state.withLock { state in
      Set(state.entries.values.filter { $0.object == object }.map(\.terms.road))
    }
  }
}
