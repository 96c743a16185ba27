internal import AccessModel

/// Says on standard error what is not told by events, each time that changes.
struct GapReport {
  private let run: CommandRun
  private var gaps: [Unobserved] = []

  init(_ run: CommandRun) { self.run = run }

  /// JSON has it in each line.
  mutating func report(_ now: [Unobserved]) {
    guard now != gaps else { return }
    gaps = now
    guard !run.json else { return }
    guard !now.isEmpty else { return run.streams.report("everything is told by events again") }
    // A limit that is reached for one directory is reached for the others, too.
    var groups: [(first: Unobserved, count: Int)] = []
    for gap in now {
      let same = groups.firstIndex { $0.first.layer == gap.layer && $0.first.reason == gap.reason }
      if let same { groups[same].count += 1 } else { groups.append((gap, 1)) }
    }
    for (gap, count) in groups {
      let place = gap.at.map { " of \(run.style.safe($0, limit: 512))" } ?? ""
      let others = count > 1 ? " and \(count - 1) more" : ""
      run.streams.report(
        "no \(run.style.safe(gap.layer))\(place)\(others) (\(run.style.safe(gap.reason))): "
          + "looking once a second")
    }
  }
}
