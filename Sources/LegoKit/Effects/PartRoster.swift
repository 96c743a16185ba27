/// Which of the many parts at a place a change may have taken away, without a look at each.
struct PartRoster<Design: Sendable>: Sendable {
  /// What is kept of a design until the next one.
  typealias Memory = (any Sendable)?

  /// The steps that lead to the place from where the roster before it leads; the last has no id.
  let place: [PartStep]
  /// The part that is looked for.
  let id: AnySendableHashable
  /// The parts that a new design has no more, or has otherwise than the one before; `nil` where
  /// that is not known.
  let touched: @Sendable (Design, inout Memory) -> [AnySendableHashable]?

  /// The same, seen from a whole that the design is a part of.
  ///
  /// - Parameters:
  ///   - steps: The steps that lead to the part, as far as no roster leads there.
  ///   - read: The part of a whole, if it has it.
  /// - Returns: The roster.
  func joined<Whole>(
    after steps: [PartStep], _ read: @escaping @Sendable (Whole) -> Design?
  ) -> PartRoster<Whole> {
    PartRoster<Whole>(place: steps + place, id: id) { [touched] whole, memory in
      guard let design = read(whole) else {
        memory = nil
        return nil
      }
      return touched(design, &memory)
    }
  }
}
