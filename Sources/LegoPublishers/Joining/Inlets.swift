/// The two upstreams in the state of an operator that joins two publishers.
@usableFromInline struct Inlets: Sendable {
  @usableFromInline var left = Inlet()
  @usableFromInline var right = Inlet()

  @inlinable init() {}

  @inlinable var areEnded: Bool { left.isEnded && right.isEnded }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    left.cancel(&orders)
    right.cancel(&orders)
  }
}
