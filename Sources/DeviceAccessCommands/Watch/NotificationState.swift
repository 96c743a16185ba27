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
  /// The latest change, without its events.
  private var latest: UseChange?

  /// Takes what changed.
  ///
  /// - Returns: When to take it once more by ``takeAgain()``; `nil` for never.
  mutating func take(_ change: UseChange) -> ContinuousClock.Instant? {
    queue.add(notifications.take(change))
    latest = change
    latest?.events = []
    return notifications.due
  }

  /// Takes what has become true because it lasts.
  ///
  /// - Returns: What ``take(_:)`` returns.
  mutating func takeAgain() -> ContinuousClock.Instant? { latest.flatMap { take($0) } }

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
