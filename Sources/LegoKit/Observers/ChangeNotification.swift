/// A change that was applied, with where it stands.
@usableFromInline struct ChangeNotification<Change: Equatable & Sendable>: Sendable {
  @usableFromInline let change: Change
  /// The change's number in its store, starting at 1.
  @usableFromInline let number: UInt64
  /// The number of the build that caused it, which is its own unless an effect sent it.
  @usableFromInline let root: UInt64
  /// Whether adaptors are still to answer it.
  @usableFromInline var isAnswered = true

  @inlinable init(_ change: Change, number: UInt64, root: UInt64) {
    self.change = change
    self.number = number
    self.root = root
  }
}
