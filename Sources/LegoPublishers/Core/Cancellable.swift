/// Something that can be stopped before it has ended on its own.
public protocol Cancellable: Sendable {
  /// Stops the activity and frees what it holds; a second call does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps this activity running for as long as the collection holds it.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Keeps this activity running for as long as the set holds it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}
