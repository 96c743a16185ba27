/// What an adaptor may do with its store from outside a change: read, send, and wait for a change.
///
/// It does not keep the store alive. Once the store is gone or closed, the design is `nil` or the
/// last one, what is sent is ignored, and nobody is woken any more. It may be used on any thread.
public struct StoreLink<B: Blueprint>: Sendable {
  let read: @Sendable () -> B.Design?
  let deliver: @Sendable (B.Change) -> Bool
  let wait: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The design as the last change left it; `nil` when the store is gone.
  public var design: B.Design? { read() }

  /// Applies a change, as an effect that belongs to no build does.
  ///
  /// - Returns: Whether it is applied; not, when the store is gone or closed. Then the last design
  ///   is told without it.
  @discardableResult
  public func send(_ change: B.Change) -> Bool {
    deliver(change)
  }

  /// Calls a closure once, after the next change, on the thread that built it.
  ///
  /// This is the cheapest way to learn that the store is in use: a build that wakes nobody costs
  /// nothing more. The closure runs outside the store's lock, perhaps before the change is told.
  public func onNextChange(_ body: @escaping @Sendable () -> Void) {
    wait(body)
  }
}
