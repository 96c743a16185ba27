/// The designs of a store as they change: the current one first, then the latest each time.
///
/// A consumer that is slower than the store misses designs, never the last one, and holds up
/// nobody. Each iteration is independent. It ends when the store goes away, which it does not
/// prevent.
public typealias Designs<B: Blueprint> = Selection<B, B.Design>

extension Lego {
  /// The designs as they change: the current one first, then the latest each time.
  public var designs: Designs<B> { Selection(self, \.self) }
}
