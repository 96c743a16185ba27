internal import Synchronization

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
