internal import DevicePermissions
internal import LinuxDevices

/// The notifications to show, and the service that has shown the current uses.
struct NotificationState: Sendable {
  private var notifications = UseNotifications()
  private(set) var queue = NotificationQueue()
  /// The service that has shown all current uses; `nil` if none has.
  private var service: DesktopNotification.Service?
  /// A Boolean value that indicates whether a notification was lost because no service was running.
  private var isBehind = false
  /// The latest change, without its events.
  private var latest: UseChange?

  /// Queues the notifications for a change.
  ///
  /// - Returns: The time at which to call ``takeAgain()``; `nil` for never.
  mutating func take(_ change: UseChange) -> ContinuousClock.Instant? {
    queue.add(notifications.take(change))
    latest = change
    latest?.events = []
    return notifications.due
  }

  /// Queues the notifications for uses that have now lasted long enough.
  ///
  /// - Returns: The time at which to call this method again; `nil` for never.
  mutating func takeAgain() -> ContinuousClock.Instant? { latest.flatMap { take($0) } }

  /// Removes and returns the next notification, along with the number of notifications dropped
  /// before it.
  mutating func next() -> (notification: DesktopNotification, leftOut: Int)? { queue.next() }

  /// Queues notifications about all current uses if a new service has not shown them.
  mutating func tell(_ other: DesktopNotification.Service) {
    guard other != service, service != nil || isBehind else { return }
    queue.add(notifications.current)
    (service, isBehind) = (other, false)
  }

  /// Records the service that showed a notification.
  mutating func note(shownBy other: DesktopNotification.Service) {
    tell(other)
    service = other
  }

  /// Records that no notification service is running.
  mutating func noteAbsence() { (service, isBehind) = (nil, true) }
}
