/// A change that was applied and waits to be told.
@usableFromInline
struct Record<Design: Equatable & Sendable, Change: Equatable & Sendable>:
  Sendable
{
  @usableFromInline var telling: Telling<Change>
  /// The design before, kept only when someone wants to compare.
  @usableFromInline let before: Design?
  @usableFromInline let after: Design
  /// Those who observed when it was applied.
  @usableFromInline let audience: Audience<Design, Change>

  @inlinable init(
    _ telling: Telling<Change>, _ before: Design?, _ after: Design,
    _ audience: Audience<Design, Change>
  ) {
    self.telling = telling
    self.before = before
    self.after = after
    self.audience = audience
  }
}
