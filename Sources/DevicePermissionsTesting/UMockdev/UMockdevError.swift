#if UMockdev
  /// Why fake hardware could not be made.
  public struct UMockdevError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
