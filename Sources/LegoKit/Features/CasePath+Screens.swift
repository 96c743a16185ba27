extension CasePath {
  /// The path to a change of one screen of a stack.
  @inlinable func screen<Rules>() -> CasePath<Whole, (Rules.Design.ID, Rules.Change)>
  where Part == StackChange<Rules> {
    CasePath<Whole, (Rules.Design.ID, Rules.Change)>(
      embed: { embed(.screen($0.0, $0.1)) },
      extract: { whole in
        if case .screen(let id, let change) = extract(whole) { (id, change) } else { nil }
      })
  }

  /// The path to a change of one screen that is presented.
  @inlinable func screen<Rules>() -> CasePath<Whole, (Rules.Design.ID, Rules.Change)>
  where Part == PresentedChange<Rules> {
    CasePath<Whole, (Rules.Design.ID, Rules.Change)>(
      embed: { embed(.screen($0.0, $0.1)) },
      extract: { whole in
        if case .screen(let id, let change) = extract(whole) { (id, change) } else { nil }
      })
  }
}
