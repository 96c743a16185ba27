internal import AccessModel
internal import Glibc

/// The changes of seats that logind writes down when sessions are switched.
///
/// A path unit of systemd does not see those that come while its service runs: the service looks itself.
package struct SeatSwitches: ~Copyable {
  /// Where logind writes the states of seats.
  static let folder = "/run/systemd/seats"

  private let notifier: OwnedDescriptor

  /// Sees every change from now on.
  ///
  /// - Returns: `nil` without logind, and where nothing can be watched.
  package init?() {
    let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    guard let notifier = try? FileNotifier.open(),
      (try? FileNotifier(descriptor: notifier.number).add(Self.folder, mask)) != nil
    else { return nil }
    self.notifier = notifier
  }

  /// Waits for a change; those that came before count as one.
  ///
  /// - Parameter seconds: How long at most.
  /// - Returns: Whether there was one.
  package borrowing func happen(within seconds: Int32) -> Bool {
    var waiting = pollfd(fd: notifier.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, seconds * 1000) > 0 else { return false }
    let news = FileNotifier(descriptor: notifier.number)
    news.drain(.all, where: { _, _ in false }, { _ in })
    return true
  }
}
