internal import AccessModel

/// Reports missing event sources on standard error, each only once.
struct GapReport {
  private let context: CommandRun
  private var gaps: [Unobserved] = []
  /// The lines of the previous report.
  private var said: Set<String> = []

  init(_ context: CommandRun) { self.context = context }

  /// Reports the gaps that are new; in JSON mode, each output line lists the gaps instead.
  mutating func report(_ now: [Unobserved]) {
    guard now != gaps else { return }
    gaps = now
    guard !context.json else { return }
    guard !now.isEmpty else {
      said = []
      return context.streams.report("all events are available again")
    }
    // A limit that prevents watching one directory usually affects others as well.
    var groups: [(first: Unobserved, count: Int)] = []
    for gap in now {
      let same = groups.firstIndex { $0.first.layer == gap.layer && $0.first.reason == gap.reason }
      if let same { groups[same].count += 1 } else { groups.append((gap, 1)) }
    }
    let lines = groups.map { gap, count in
      let place = gap.at.map { " of \(context.style.safe($0, limit: 512))" } ?? ""
      let others = count > 1 ? " and \(count - 1) more" : ""
      return
        "no \(context.style.safe(gap.layer))\(place)\(others) (\(context.style.safe(gap.reason))): "
        + "polling every second"
    }
    for line in lines where !said.contains(line) { context.streams.report(line) }
    said = Set(lines)
  }
}
