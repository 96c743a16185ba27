internal import AccessModel
internal import Synchronization

/// Keeps what is left of a device that is just going from being taken for another one.
///
/// Where no node of a camera can be used as one, all its nodes count. When a camera is unplugged, its
/// nodes go one after the other, and those that are left for some milliseconds are no such camera.
final class RemainingNodes: Sendable {
  private struct State {
    /// The paths in sysfs of the kind's own devices, when it last had any.
    var candidates: Set<String> = []
    /// When they were first missing.
    var missingSince: ContinuousClock.Instant?
  }

  private let states = Mutex<[String: State]>([:])
  /// Has the nodes looked at once more, when the time is up.
  private let again: @Sendable () -> Void

  init(_ again: @escaping @Sendable () -> Void) { self.again = again }

  /// The devices that a person means by a kind, without those that will soon be gone.
  ///
  /// One that is a device of the kind no more, as a virtual camera that is not fed, stays.
  func usedDevices(of kind: DeviceKind, in all: [DeviceFacts]) -> [DeviceFacts] {
    let used = kind.usedDevices(in: all)
    let candidates = Set(kind.candidates(in: all).map(\.sysfsPath))
    let (stay, isNews) = states.withLock { states -> (Set<String>?, Bool) in
      var state = states[kind.name] ?? State()
      defer { states[kind.name] = state }
      guard candidates.isEmpty, !state.candidates.isEmpty, !used.isEmpty else {
        state = State(candidates: candidates)
        return (nil, false)
      }
      guard let start = state.missingSince else {
        state.missingSince = .now
        return (state.candidates, true)
      }
      guard .now - start < SettlingLooks.duration else {
        // From now on they are what there is.
        state = State()
        return (nil, false)
      }
      return (state.candidates, false)
    }
    if isNews { again() }
    return stay.map { stay in used.filter { stay.contains($0.sysfsPath) } } ?? used
  }
}
