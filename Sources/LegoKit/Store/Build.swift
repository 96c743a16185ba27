/// A change that was built, and all that it causes.
public struct Build: Sendable {
  /// The change's number in its store, starting at 1; 0 when the change was ignored.
  public let number: UInt64
  @usableFromInline let owner: any BuildOwner

  @inlinable init(number: UInt64, owner: any BuildOwner) {
    self.number = number
    self.owner = owner
  }

  /// Waits until every effect that the change caused, and that those caused, has ended.
  ///
  /// When the waiting task is cancelled, so are those effects.
  @inlinable public func finished() async {
    if number > 0 { await owner.finished(number) }
  }

  /// Cancels every effect that the change caused.
  ///
  /// The change itself stays applied.
  @inlinable public func cancel() {
    if number > 0 { owner.cancel(number) }
  }
}

/// What a ``Build`` needs of its store.
@usableFromInline protocol BuildOwner: AnyObject, Sendable {
  func finished(_ root: UInt64) async
  func cancel(_ root: UInt64)
}
