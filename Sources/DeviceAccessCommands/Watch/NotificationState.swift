internal import DevicePermissions
internal import LinuxDevices

/// What is to be shown, and who has shown what is in use.
struct NotificationState: Sendable {
  private var notifications = UseNotifications()
  private(set) var queue = NotificationQueue()
  /// Who knows of everything that is in use; `nil` for nobody, and at first.
  private var service: DesktopNotification.Service?
  /// Whether something was shown by nobody.
  private var isBehind = false

  /// Takes what changed.
  mutating func take(_ change: UseChange) { queue.add(notifications.take(change)) }

  /// Takes what is to be shown next; how many were left out before.
  mutating func next() -> (notification: DesktopNotification, leftOut: Int)? { queue.next() }

  /// Has everything shown that is in use, where somebody shows notifications who does not know of it.
  mutating func tell(_ other: DesktopNotification.Service) {
    guard other != service, service != nil || isBehind else { return }
    queue.add(notifications.current)
    (service, isBehind) = (other, false)
  }

  /// Notes who has shown one.
  mutating func note(shownBy other: DesktopNotification.Service) {
    tell(other)
    service = other
  }

  /// Notes that nobody is there who could show one.
  mutating func noteAbsence() { (service, isBehind) = (nil, true) }
}
