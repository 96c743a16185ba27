/// The two upstreams in the state of an operator that joins two publishers.
struct Inlets: Sendable {
  var left = Inlet()
  var right = Inlet()

  var areEnded: Bool { left.isEnded && right.isEnded }

  mutating func cancel(_ orders: inout Orders) {
    left.cancel(&orders)
    right.cancel(&orders)
  }
}
