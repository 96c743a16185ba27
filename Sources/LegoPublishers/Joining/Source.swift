/// Which of an operator's upstreams a value came from.
@usableFromInline struct Source: Sendable, Equatable {
  @usableFromInline let index: Int
  /// Tells apart those that have the same place one after another.
  @usableFromInline let ticket: Int

  @inlinable init(index: Int, ticket: Int = 0) {
    self.index = index
    self.ticket = ticket
  }
}
