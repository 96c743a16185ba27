internal import Synchronization

/// Stands for a descriptor that a service keeps, so that it can travel through a store.
///
/// Only the service that made it knows the descriptor, and closes it where nobody has taken it by the time
/// the last copy of the token is gone: nobody could any more.
public struct AccessToken: Hashable, Sendable {
  let number: UInt64
  private let claim: Claim

  private static let last = Atomic<UInt64>(0)

  /// A token like no other of this process.
  ///
  /// - Parameter held: What keeps the descriptor.
  init(of held: HeldAccesses) {
    number = Self.last.add(1, ordering: .relaxed).newValue
    claim = Claim(number, on: held)
  }

  /// Closes the descriptor if nobody has taken it.
  func discard() { claim.held?.discard(self) }

  public static func == (left: AccessToken, right: AccessToken) -> Bool {
    left.number == right.number
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension AccessToken: CustomReflectable {
  /// The number alone: a log of changes is not to show what a service holds.
  public var customMirror: Mirror {
    Mirror(self, children: ["number": number], displayStyle: .struct)
  }
}

/// What all copies of a token share, and what ends with the last of them.
private final class Claim: Sendable {
  private let number: UInt64
  /// A token alone does not keep what a service holds.
  weak let held: HeldAccesses?

  init(_ number: UInt64, on held: HeldAccesses) {
    self.number = number
    self.held = held
  }

  deinit { held?.forget(number) }
}
