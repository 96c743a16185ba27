/// The designs of a store as they change: the current one first, then the latest each time.
public typealias Designs<B: Blueprint> = Selection<B.Design>

extension Lego {
  /// The designs as they change: the current one first, then the latest each time.
  ///
  /// The sequence does not keep the store.
  public var designs: Designs<B> {
    Selection { [weak self] notify, end in
      guard let self else { return nil }
      // The current design is handed on outside the lock, unless a later one came before it.
      let turn = FollowTurn<B.Design> { _, design in notify(design) }
      let observer = LegoState<B>.Observer(
        change: { notification, _, design in turn.submit(notification.number, design) }, end: end)
      let (number, design) = add(observer)
      turn.submit(number, design)
      return token(of: observer)
    }
  }
}
