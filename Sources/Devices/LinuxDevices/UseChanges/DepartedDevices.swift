internal import AccessModel
internal import Synchronization

/// Remembers removed devices whose drivers count the open files of all their devices.
///
/// A process that had such a device open still does, and the driver still counts the file.
final class DepartedDevices: Sendable {
  private struct State {
    var present: [UseTarget] = []
    var departed: [UseTarget] = []
  }

  private let state = Mutex(State())
  /// The maximum number to remember, because the same few devices are usually plugged in and out.
  private static let most = 16

  /// Records the devices of the current scan, and returns those that were removed since earlier
  /// ones.
  ///
  /// - Parameter found: The devices in the current scan. A removed device with the same number as
  ///   one of these is forgotten, because its open files cannot be distinguished.
  /// - Returns: The devices that an earlier scan found and that no longer exist.
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
