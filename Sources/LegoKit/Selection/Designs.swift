/// The designs of a store as they change: the current one first, then the latest each time.
public typealias Designs<B: Blueprint> = Selection<B.Design>

extension Lego {
  /// The designs as they change: the current one first, then the latest each time.
  ///
  /// The sequence does not keep the store.
  public var designs: Designs<B> {
    Selection { [weak self] notify, end in
      self?.token(for: Observer(design: notify, end: end), startingWith: notify)
    }
  }
}
