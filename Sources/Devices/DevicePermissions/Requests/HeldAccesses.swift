internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// The descriptors that requests have opened and that are not closed yet.
final class HeldAccesses: Sendable {
  private struct Entry {
    /// The device; for a connection to PipeWire, the camera that was requested.
    let object: AccessObject
    /// The descriptor; `nil` after it has been taken.
    var kept: KeptDescriptor?
    let terms: DeviceAccess.Terms
  }

  private struct State {
    /// The entries by the numbers of their tokens, because a stored token would keep its descriptor
    /// open.
    var entries: [UInt64: Entry] = [:]
    /// The numbers of the descriptors that have not been taken, oldest first.
    var waiting: [UInt64] = []

    /// Removes a descriptor that has not been taken.
    mutating func removeWaiting(_ number: UInt64) -> Entry? {
      guard entries[number]?.kept != nil else { return nil }
      waiting.removeAll { $0 == number }
      return entries.removeValue(forKey: number)
    }
  }

  /// The maximum number of descriptors that have not been taken; if there are more, the oldest is
  /// closed.
  static let mostWaiting = 16

  private let state = Mutex(State())

  /// Keeps a descriptor until it is taken or discarded.
  ///
  /// If too many descriptors have not been taken, the oldest one is closed.
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
    // The oldest descriptor is closed here, outside the lock.
    _ = oldest
    return token
  }

  /// Transfers a descriptor to the caller; returns `nil` if it was taken or discarded before.
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

  /// Closes a descriptor that has not been taken.
  func discard(_ token: AccessToken) {
    let entry = state.withLock { $0.removeWaiting(token.number) }
    _ = entry
  }

  /// Closes a descriptor that has not been taken, after the last copy of its token was destroyed.
  ///
  /// The last copy may be destroyed anywhere, for example under the lock of a store, and a driver
  /// may take a long time to close. The descriptor is therefore closed in a task.
  func forget(_ number: UInt64) {
    guard let entry = state.withLock({ $0.removeWaiting(number) }) else { return }
    Task(name: "close a descriptor") { _ = entry }
  }

  /// Removes the entry of a descriptor that its owner closes, and ends its watch.
  func end(_ token: AccessToken) {
    let entry = state.withLock { $0.entries.removeValue(forKey: token.number) }
    entry?.terms.watch.close()
  }

  /// Returns the methods by which this process got a device; empty if it does not hold the device
  /// open.
  func methods(to object: AccessObject) -> Set<AccessMethod> {
    state.withLock { state in
      Set(state.entries.values.filter { $0.object == object }.map(\.terms.method))
    }
  }
}

/// Identifies a descriptor that a service keeps, and can be passed through a store.
///
/// Only the service that created the token can exchange it for the descriptor. If the descriptor
/// has not been taken when the last copy of the token is destroyed, the service closes it.
public struct AccessToken: Hashable, Sendable {
  let number: UInt64
  private let claim: Claim

  private static let last = Atomic<UInt64>(0)

  /// Creates a token that is unique in this process.
  ///
  /// - Parameter held: The object that keeps the descriptor.
  init(of held: HeldAccesses) {
    number = Self.last.add(1, ordering: .relaxed).newValue
    claim = Claim(number, on: held)
  }

  /// Closes the descriptor if it has not been taken.
  func discard() { claim.held?.discard(self) }

  public static func == (left: AccessToken, right: AccessToken) -> Bool {
    left.number == right.number
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension AccessToken: CustomReflectable {
  /// A mirror with only the number, so a log of changes does not show what a service holds.
  public var customMirror: Mirror {
    Mirror(self, children: ["number": number], displayStyle: .struct)
  }
}

/// The state that all copies of a token share, which is destroyed with the last copy.
private final class Claim: Sendable {
  private let number: UInt64
  /// The object that keeps the descriptor, which a token must not keep alive.
  weak let held: HeldAccesses?

  init(_ number: UInt64, on held: HeldAccesses) {
    self.number = number
    self.held = held
  }

  deinit { held?.forget(number) }
}

/// The watches of a connection, which end when its owner closes it.
///
/// A watch keeps the connection open for the other end, so it must not outlive the owner's
/// descriptor.
final class HeldConnection: Sendable {
  private let watches = Mutex<[PeerWatch]>([])

  /// Starts a watch; the descriptor must be open during the call.
  func watch(_ descriptor: Int32) -> PeerWatch {
    let watch = PeerWatch(descriptor)
    watches.withLock { $0.append(watch) }
    return watch
  }

  /// Ends a watch whose consumer has stopped.
  func end(_ watch: PeerWatch) {
    watches.withLock { $0.removeAll { $0 === watch } }
    watch.end()
  }

  /// Ends all watches, because the owner closes the connection.
  func close() {
    let all = watches.withLock { watches in
      defer { watches = [] }
      return watches
    }
    for watch in all { watch.end() }
  }
}

/// A descriptor that can be taken once, and is closed with this object otherwise.
final class KeptDescriptor: Sendable {
  private let descriptor: Mutex<DeviceDescriptor?>

  init(_ descriptor: consuming DeviceDescriptor) { self.descriptor = Mutex(consume descriptor) }

  /// Returns the descriptor, or `nil` if it has already been taken.
  func take() -> DeviceDescriptor? { descriptor.withLock { $0.take() } }
}
