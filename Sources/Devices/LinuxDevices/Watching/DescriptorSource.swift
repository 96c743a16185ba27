/// An event source that owns its descriptor and calls a closure when the descriptor is ready.
final class DescriptorSource: EventSource {
  private let owned: OwnedDescriptor
  let interest: UInt32
  private let body: @Sendable (_ descriptor: Int32, _ events: UInt32) -> Bool

  /// Takes ownership of a nonblocking descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which is closed when the source is deallocated.
  ///   - interest: The events to wait for.
  ///   - body: Handles the events, and returns whether to continue watching.
  init(
    _ descriptor: consuming OwnedDescriptor, interest: UInt32,
    _ body: @escaping @Sendable (_ descriptor: Int32, _ events: UInt32) -> Bool
  ) {
    owned = descriptor
    self.interest = interest
    self.body = body
  }

  var descriptor: Int32 { owned.number }

  func handle(_ events: UInt32) -> Bool { body(owned.number, events) }
}
