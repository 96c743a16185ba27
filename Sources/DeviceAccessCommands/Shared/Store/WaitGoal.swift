/// What `devaccess check --wait` waits for, beside being allowed.
struct WaitGoal: Hashable, Sendable {
  /// After how long it gives up; `nil` for never.
  var limit: Duration?
  /// Whether nobody may be in the way.
  var needsFree = false
  /// Whether opening the device has to work.
  var probing = Probing.none
}
