/// What happens beside a change: it turns a change into later changes.
///
/// An adaptor belongs to one store, which calls it after each change, never twice at a time and
/// outside the store's lock. It may build on the store; such changes are applied at once, and
/// told after the one being told.
open class Adaptor<B: Blueprint> {
  /// Creates an adaptor.
  public init() {}

  /// Answers a change with the changes that follow from it.
  ///
  /// - Parameters:
  ///   - design: The design as the change left it.
  ///   - change: The change.
  /// - Returns: A publisher of later changes, which is subscribed to at once and for as long as
  ///   the store lives. The default sends nothing and costs nothing.
  open func connect(_ design: B.Design, on change: B.Change) -> AnyPublisher<B.Change, Never> {
    .empty
  }
}
