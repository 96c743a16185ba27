internal import AccessModel
internal import Synchronization

/// Keeps what is left of a device that is just going from being taken for another one.
///
/// Where no node of a camera can be used as one, all its nodes count. When a camera is unplugged, its
/// nodes go one after the other, and those that are left for some milliseconds are no such camera.
final class RemainingNodes: Sendable {
  private struct State {
    /// Whether the kind had devices of its own when it was last looked at.
    var hadCandidates = false
    /// When they were first missing.
    var missingSince: ContinuousClock.Instant?
  }

  /// How long the nodes of a driver that is unloaded may take to go.
  private static let grace = Duration.milliseconds(900)

  private let states = Mutex<[String: State]>([:])
  /// Has the nodes looked at once more, when the time is up.
  private let again: @Sendable () -> Void

  init(_ again: @escaping @Sendable () -> Void) { self.again = again }

  /// The devices that a person means by a kind, without those that will soon be gone.
  func usedDevices(of kind: DeviceKind, in all: [DeviceFacts]) -> [DeviceFacts] {
    let used = kind.usedDevices(in: all)
    let hasCandidates = !kind.candidates(in: all).isEmpty
    let (isGoing, isNews) = states.withLock { states in
      var state = states[kind.name] ?? State()
      defer { states[kind.name] = state }
      guard !hasCandidates, state.hadCandidates, !used.isEmpty else {
        state = State(hadCandidates: hasCandidates)
        return (false, false)
      }
      guard let start = state.missingSince else {
        state.missingSince = .now
        return (true, true)
      }
      guard .now - start < Self.grace else {
        state = State()
        return (false, false)
      }
      return (true, false)
    }
    if isNews { again() }
    return isGoing ? [] : used
  }
}
