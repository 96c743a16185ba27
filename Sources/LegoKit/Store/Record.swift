/// A change that was applied and has to be told.
struct Record<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  /// The how manieth change of the store it is.
  let number: UInt64
  /// The number of the build that caused it, which is its own unless an effect sent it.
  let root: UInt64
  let change: Change
  /// The design before, kept only when someone wants to compare.
  let old: Design?
  let design: Design
  let audience: Audience<Design, Change>
  /// Whether adaptors are still to answer it.
  var isAnswered = true
}
