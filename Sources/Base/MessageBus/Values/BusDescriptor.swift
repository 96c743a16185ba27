internal import Glibc
internal import Synchronization

/// A file descriptor in a message, which is closed with this object unless it has been taken.
package final class BusDescriptor: Hashable, Sendable {
  private let number: Mutex<Int32?>

  /// Takes over an open file descriptor.
  package init(adopting number: Int32) { self.number = Mutex(number) }

  deinit {
    if let number = take() { close(number) }
  }

  /// Transfers the descriptor to the caller, who must close it; returns `nil` if it was already
  /// taken.
  package func take() -> Int32? {
    number.withLock { number in
      defer { number = nil }
      return number
    }
  }

  /// Calls a closure with the descriptor, which stays open during the call; returns `nil` if it was
  /// taken.
  func withNumber(_ body: (Int32) -> Int32) -> Int32? {
    number.withLock { (number: inout sending Int32?) -> Int32? in
      guard let number else { return nil }
      return body(number)
    }
  }

  package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
