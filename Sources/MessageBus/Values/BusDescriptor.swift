internal import Glibc
internal import Synchronization

/// A file descriptor that came with a message; it is closed with the value unless somebody takes it.
package final class BusDescriptor: Hashable, Sendable {
  private let number: Mutex<Int32?>

  /// Takes over an open file descriptor.
  package init(adopting number: Int32) { self.number = Mutex(number) }

  deinit {
    if let number = take() { close(number) }
  }

  /// Hands the file descriptor over to the caller, who closes it; `nil` from the second time on.
  package func take() -> Int32? {
    number.withLock { number in
      defer { number = nil }
      return number
    }
  }

  /// Calls a function with the file descriptor, which stays open meanwhile; `nil` where it was
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
