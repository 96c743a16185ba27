internal import CLinux
internal import Glibc

/// Terminates the process after a signal if the thread that handles signals does not respond.
///
/// That thread may be blocked, for example by a name service that does not answer or by a terminal
/// that accepts no output.
package enum ForcedEnd {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// The maximum time in microseconds that a signal may be pending.
  private static let patience: UInt32 = 2_000_000

  /// Watches the blocked signals on a separate thread for the rest of the process's life.
  ///
  /// If no thread can be started, pending signals are not forced.
  package static func start() {
    let descriptor = unsafe clinux_see_signals(signals, signals.count)
    guard descriptor >= 0 else { return }
    let isStarted: Void? = try? DedicatedThread.run {
      while true {
        unsafe clinux_become_event_thread("device-end")
        guard isReadable(descriptor, within: -1) else { break }
        usleep(patience)
        // Unblocking the signals delivers a pending one to this thread, with its original action.
        if isReadable(descriptor, within: 0) { OwnedDescriptor.giveBack(signals) }
      }
      close(descriptor)
    }
    if isStarted == nil { close(descriptor) }
  }

  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&waiting, 1, milliseconds)
      if count < 0, errno == EINTR { continue }
      return count > 0 && waiting.revents & Int16(POLLIN) != 0
    }
  }
}
