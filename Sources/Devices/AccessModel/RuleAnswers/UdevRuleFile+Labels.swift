extension UdevRuleFile {
  /// The findings about each `GOTO` whose label is missing, if a later line has a similar one.
  var misspeltLabels: [RuleFinding] {
    problems.compactMap { problem in
      guard problem.code == .missingLabel else { return nil }
      let wanted = problem.subject
      let label = lines.lazy.filter { $0.number > problem.line }.compactMap(\.label).first {
        RuleTies.isSame($0, wanted) || LetterDistance.isAtMostOne($0.bytes, wanted.bytes)
      }
      guard let label else { return nil }
      let place = UdevRulePlace(path: path, line: problem.line)
      return RuleFinding(
        .invalid, at: place,
        """
        udevd ignores the GOTO of \(place): no later line has the label \(wanted.exact), and one has \
        \(label.exact).
        """)
    }
  }
}
