/// A subscription made of two closures.
///
/// Behind a protocol, a generic class runs code that is compiled for any type, which looks types up
/// at each step and costs a hundred times as much. A closure keeps the code that was compiled for
/// the types where it was written.
@usableFromInline final class Handle: Subscription {
  @usableFromInline let onRequest: @Sendable (Subscribers.Demand) -> Void
  @usableFromInline let onCancel: @Sendable () -> Void

  @inlinable init(
    request: @escaping @Sendable (Subscribers.Demand) -> Void,
    cancel: @escaping @Sendable () -> Void
  ) {
    onRequest = request
    onCancel = cancel
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) { onRequest(demand) }

  @usableFromInline func cancel() { onCancel() }
}
