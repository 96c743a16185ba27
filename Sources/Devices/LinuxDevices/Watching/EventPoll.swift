internal import AccessModel
internal import CLinux
internal import Glibc

/// A set of descriptors that one thread waits for.
///
/// It is an epoll instance (epoll(7)).
final class EventPoll: Sendable {
  private let set: OwnedDescriptor
  private let alarm: OwnedDescriptor

  /// The ID that ``wake()`` uses; source IDs are greater.
  private static let alarmID: UInt64 = 0

  init() throws(Errno) {
    set = try OwnedDescriptor(negated: clinux_poll_create())
    alarm = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
    try add(alarm.number, CLINUX_READABLE, as: Self.alarmID)
  }

  func add(_ descriptor: Int32, _ interest: UInt32, as id: UInt64) throws(Errno) {
    try Errno.check(negated: clinux_poll_add(set.number, descriptor, interest, id))
  }

  func remove(_ descriptor: Int32) {
    clinux_poll_remove(set.number, descriptor)
  }

  /// Ends the current wait, or the next one if none is in progress.
  func wake() {
    _ = eventfd_write(alarm.number, 1)
  }

  /// Checks that waiting works, without blocking.
  ///
  /// - Throws: The error that a seccomp filter returns.
  func tryOut() throws(Errno) {
    wake()
    var room = Self.room
    try Errno.check(negated: unsafe clinux_poll_wait(set.number, &room, Int32(room.count)))
  }

  /// A buffer for the events that one wait reports.
  static let room = [clinux_ready](repeating: clinux_ready(), count: 64)

  /// Waits until a descriptor is ready.
  ///
  /// - Parameters:
  ///   - ready: A buffer such as ``room``, which can be reused.
  ///   - woken: Called after the wait.
  ///   - body: Called with the ID and the events of each ready descriptor.
  func wait(
    _ ready: inout [clinux_ready], _ woken: () -> Void,
    _ body: (_ id: UInt64, _ events: UInt32) -> Void
  ) {
    let count = unsafe clinux_poll_wait(set.number, &ready, Int32(ready.count))
    woken()
    // A signal may interrupt the wait. Any other error, such as from a seccomp filter, would recur
    // immediately.
    if count < 0, Errno(negated: count) != .interrupted { FailurePause.wait() }
    for index in 0..<Int(max(count, 0)) {
      let event = ready[index]
      guard event.id == Self.alarmID else {
        body(event.id, event.events)
        continue
      }
      var value: eventfd_t = 0
      _ = unsafe eventfd_read(alarm.number, &value)
    }
  }
}
