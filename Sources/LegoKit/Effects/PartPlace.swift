/// A place of a design whose parts can have effects, and may go.
struct PartPlace<Design: Sendable>: Sendable {
  /// Answers how to tell whether a part is still there, for the steps that lead to it.
  ///
  /// The answer is `nil` where the steps do not lead through this place, and a test that is `nil`
  /// where the last of them leads to a part that cannot go by itself.
  let find: @Sendable (ArraySlice<PartStep>) -> PartTest<Design>?
}

/// How to tell whether a part is there.
enum PartTest<Design: Sendable>: Sendable {
  /// It is there whenever the parts around it are.
  case always
  /// It may go by itself; rosters lead to it where it is one of many, the outermost first.
  case when(@Sendable (Design) -> Bool, [PartRoster<Design>])
}

extension Sequence {
  /// How to tell whether the part is there that steps lead to.
  func test<Design>(of way: ArraySlice<PartStep>) -> PartTest<Design>?
  where Element == PartPlace<Design> {
    for place in self {
      if let test = place.find(way) { return test }
    }
    return nil
  }
}
