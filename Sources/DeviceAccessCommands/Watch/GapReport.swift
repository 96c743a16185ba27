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
    for gap in now {
      let place = gap.at.map { " of \(run.style.safe($0, limit: 512))" } ?? ""
      run.streams.report(
        "no \(run.style.safe(gap.layer))\(place) (\(run.style.safe(gap.reason))): "
          + "looking once a second")
    }
  }
}
