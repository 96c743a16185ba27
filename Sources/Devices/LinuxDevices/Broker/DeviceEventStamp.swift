internal import AccessModel
internal import CLinux
internal import Glibc

/// A stamp that changes with every device event.
///
/// If two stamps are equal, no device event occurred in between. The kernel counts its events, and
/// udev replaces a file in its database for each device that it processes.
package struct DeviceEventStamp: Hashable, Sendable {
  private let events: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// The minimum age of the last change to udev's database, in nanoseconds.
  ///
  /// The kernel's clock for timestamps advances in steps of some milliseconds, so two changes
  /// within one step would have the same timestamp.
  private static let rest: Int64 = 100_000_000

  /// The current stamp; `nil` if it cannot be determined or udev has just changed its database.
  package static var current: DeviceEventStamp? {
    guard let line = try? BoundedFile.line("/sys/kernel/uevent_seqnum", limit: 32),
      let events = UInt64(line)
    else { return nil }
    var status = stat()
    var now = timespec()
    guard unsafe stat("/run/udev/data", &status) == 0,
      unsafe clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    let time = status.st_mtim
    let age =
      (Int64(now.tv_sec) &- Int64(time.tv_sec)) &* 1_000_000_000
      &+ Int64(now.tv_nsec) &- Int64(time.tv_nsec)
    guard age > rest else { return nil }
    return DeviceEventStamp(events: events, seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }
}
