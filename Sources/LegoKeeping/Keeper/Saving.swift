/// When a value is saved.
public struct Saving: Hashable, Sendable {
  /// How long nothing may have changed, and the longest wait; `nil` when nothing is saved by itself.
  let times: Times?

  struct Times: Hashable, Sendable {
    let pause: Duration
    let longest: Duration
  }

  /// By itself: once nothing has changed for half a second, and at the latest after five.
  public static let automatic = Saving.after(.milliseconds(500), atMost: .seconds(5))

  /// Only by ``Keeper/save()``, and at the end of the store.
  public static let whenAsked = Saving(times: nil)

  /// By itself, once things have calmed down.
  ///
  /// The time runs in steps of the pause: a step in which nothing has changed ends the wait. So a
  /// single change is saved after one pause, and the last of several after two at most.
  ///
  /// - Parameters:
  ///   - pause: How long nothing may have changed. Zero saves at once.
  ///   - longest: The longest wait after the first change, however much changes.
  /// - Returns: The rule.
  public static func after(_ pause: Duration, atMost longest: Duration) -> Saving {
    Saving(times: Times(pause: max(pause, .zero), longest: max(longest, pause, .zero)))
  }
}
