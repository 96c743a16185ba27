/// A change that was applied and has to be told.
@usableFromInline struct Record<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  /// The how manieth change of the store it is.
  @usableFromInline let number: UInt64
  /// The number of the build that caused it, which is its own unless an effect sent it.
  @usableFromInline let root: UInt64
  @usableFromInline let change: Change
  /// The design before, kept only when someone wants to compare.
  @usableFromInline let old: Design?
  @usableFromInline let design: Design
  @usableFromInline let audience: Audience<Design, Change>
  /// Whether adaptors are still to answer it.
  @usableFromInline var isAnswered = true

  @inlinable init(
    number: UInt64, root: UInt64, change: Change, old: Design?, design: Design,
    audience: Audience<Design, Change>
  ) {
    self.number = number
    self.root = root
    self.change = change
    self.old = old
    self.design = design
    self.audience = audience
  }
}
