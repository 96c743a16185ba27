internal import CLinux
internal import Glibc

/// Has a signal end the process after all, where the thread that takes signals does not come to it.
///
/// That thread can wait for what never answers, such as a name service, or a terminal that takes no more.
package enum ForcedEnd {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// How long one may wait, in microseconds.
  private static let patience: UInt32 = 2_000_000

  /// Watches signals that are taken, on a thread of its own for as long as the process runs.
  ///
  /// Without such a thread they wait.
  package static func start() {
    let descriptor = unsafe clinux_see_signals(signals, signals.count)
    guard descriptor >= 0 else { return }
    let isStarted: Void? = try? DedicatedThread.run {
      while true {
        unsafe clinux_become_event_thread("device-end")
        guard isReadable(descriptor, within: -1) else { break }
        usleep(patience)
        // What waits is delivered to this thread then, and does what it did before it was taken.
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
