/// An elapsed time, described with one number and its unit.
struct Elapsed: Hashable, Sendable, CustomStringConvertible {
  private let seconds: Int64

  /// Creates the time that elapsed between two times in seconds since the epoch.
  ///
  /// The result is `nil` if one of them is unknown, or if the clock was set back in between.
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
