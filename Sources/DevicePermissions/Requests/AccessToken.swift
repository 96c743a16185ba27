internal import Synchronization

/// Stands for a descriptor that a service keeps, so that it can travel through a store.
///
/// Only the service that made it knows the descriptor.
public struct AccessToken: Hashable, Sendable {
  private let number: UInt64

  private static let last = Atomic<UInt64>(0)

  /// A token like no other of this process.
  init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
