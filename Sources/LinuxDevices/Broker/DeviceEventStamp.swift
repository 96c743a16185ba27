internal import AccessModel
internal import CLinux
internal import Glibc

/// Tells whether there was an event of a device since.
///
/// The kernel counts its events, and udev writes what it knows of a device to a file that it replaces.
package struct DeviceEventStamp: Hashable, Sendable {
  private let events: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// How old the last change of udev's files must be, in nanoseconds: the kernel's clock for files stands
  /// still for some milliseconds, and a change within them would have the same time.
  private static let rest: Int64 = 100_000_000

  /// The stamp of this moment; `nil` where there is none, and while udev is at work.
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
