/// The place of one who waits for a future's result, to be given up.
@usableFromInline struct FutureTicket<Output: Sendable, Failure: Error>: Cancellable {
  @usableFromInline let core: FutureCore<Output, Failure>
  @usableFromInline let number: UInt64

  @inlinable init(_ number: UInt64, in core: FutureCore<Output, Failure>) {
    self.core = core
    self.number = number
  }

  @usableFromInline func cancel() { core.remove(number) }
}
