/// How long ago something was, in one word and its unit.
struct Elapsed: Hashable, Sendable, CustomStringConvertible {
  private let seconds: Int64

  /// The time from one moment to another, both in seconds since the epoch; `nil` where one of them
  /// is not known, or the clock was set back between.
  init?(since start: Int64?, at now: Int64?) {
    guard let start, let now, now >= start else { return nil }
    let (seconds, overflow) = now.subtractingReportingOverflow(start)
    guard !overflow else { return nil }
    self.seconds = seconds
  }

  var description: String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86400) days"
    }
  }
}
