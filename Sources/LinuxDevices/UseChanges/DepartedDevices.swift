internal import AccessModel
internal import Synchronization

/// Remembers devices that went, of drivers that count the open files of all their devices.
///
/// Whoever had one open when it was unplugged has it open still, and the driver counts that.
final class DepartedDevices: Sendable {
  private struct State {
    var present: [UseTarget] = []
    var departed: [UseTarget] = []
  }

  private let state = Mutex(State())
  /// Somebody plugs the same few in and out.
  private static let most = 16

  /// Takes what is there at a look.
  ///
  /// - Parameter found: What is there: of another with the same number nothing tells which of the two a
  ///   file is of.
  /// - Returns: Those that were there at an earlier look, and are not there now.
  func besides(_ found: [UseTarget]) -> [UseTarget] {
    let numbers = Set(found.map(\.number))
    return state.withLock { state in
      let all =
        state.departed + state.present.filter { $0.device.map(DriverObserver.counts) ?? false }
      state.departed = Array(
        all.filter { !numbers.contains($0.number) }.suffix(Self.most))
      state.present = found
      return state.departed
    }
  }
}
