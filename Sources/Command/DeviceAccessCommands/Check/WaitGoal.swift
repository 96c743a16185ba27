/// The conditions and the time limit of `devaccess check --wait` or `--free`.
struct WaitGoal: Hashable, Sendable {
  /// The time limit; `nil` for none, and zero for a single check.
  var limit: Duration?
  /// A Boolean value that indicates whether the device must also be free of other programs.
  var needsFree = false
  /// The devices to open, which must succeed unless it is `none`.
  var probing = Probing.none
}
