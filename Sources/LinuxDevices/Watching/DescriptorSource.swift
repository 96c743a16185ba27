/// A descriptor of this package's own, and what is done when it becomes ready.
final class DescriptorSource: EventSource {
  private let owned: OwnedDescriptor
  let interest: UInt32
  private let body: @Sendable (_ descriptor: Int32, _ events: UInt32) -> Bool

  /// Takes over a descriptor that does not block.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which closes with the source.
  ///   - interest: What to wait for.
  ///   - body: Takes what is there, and tells whether to go on.
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
