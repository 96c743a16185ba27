internal import LinuxDevices

/// The notifications that wait for the service, with only the latest of each subject.
struct NotificationQueue: Sendable {
  /// The maximum number of waiting notifications; the oldest are dropped first.
  private static let most = 256

  private var waiting: [DesktopNotification] = []
  /// The number of notifications dropped since the last call to ``next()``.
  private var leftOut = 0

  /// A Boolean value that indicates whether no notification waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds notifications, which replace waiting ones with the same subject.
  mutating func add(_ notifications: [DesktopNotification]) {
    for notification in notifications {
      waiting.removeAll { $0.subject == notification.subject }
      waiting.append(notification)
      guard waiting.count > Self.most else { continue }
      waiting.removeFirst()
      leftOut += 1
    }
  }

  /// Removes and returns the next notification, along with the number of notifications dropped
  /// before it.
  mutating func next() -> (notification: DesktopNotification, leftOut: Int)? {
    guard !waiting.isEmpty else { return nil }
    defer { leftOut = 0 }
    return (waiting.removeFirst(), leftOut)
  }
}
