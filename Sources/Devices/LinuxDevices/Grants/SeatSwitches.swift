internal import AccessModel
internal import Glibc

/// Detects the seat changes that logind records when sessions are switched.
///
/// A systemd path unit does not see changes that occur while its service runs, so the service
/// checks for them itself.
package struct SeatSwitches: ~Copyable {
  /// The directory in which logind writes the states of seats.
  static let folder = "/run/systemd/seats"

  private let notifier: OwnedDescriptor

  /// Starts to record changes; `nil` without logind or if the directory cannot be watched.
  package init?() {
    let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    guard let notifier = try? FileNotifier.open(),
      (try? FileNotifier(descriptor: notifier.number).add(Self.folder, mask)) != nil
    else { return nil }
    self.notifier = notifier
  }

  /// Waits for a change; several earlier changes count as one.
  ///
  /// - Parameter seconds: The maximum time to wait.
  /// - Returns: `true` if there was a change.
  package borrowing func happen(within seconds: Int32) -> Bool {
    var waiting = pollfd(fd: notifier.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, seconds * 1000) > 0 else { return false }
    let news = FileNotifier(descriptor: notifier.number)
    news.drain(.all, where: { _, _ in false }, { _ in })
    return true
  }
}
