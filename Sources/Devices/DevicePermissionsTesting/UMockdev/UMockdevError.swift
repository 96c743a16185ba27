#if UMockdev
  /// The reason why fake hardware could not be created or changed.
  public struct UMockdevError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
