internal import LinuxDevices

/// What waits for a service to show it: of each subject the latest.
struct NotificationQueue: Sendable {
  /// More programs than anybody reads of; of more, the oldest are left out.
  private static let most = 256

  private var waiting: [DesktopNotification] = []
  /// How many were left out since that was last told.
  private var leftOut = 0

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds what is newer than all that waits.
  mutating func add(_ notifications: [DesktopNotification]) {
    for notification in notifications {
      waiting.removeAll { $0.subject == notification.subject }
      waiting.append(notification)
      guard waiting.count > Self.most else { continue }
      waiting.removeFirst()
      leftOut += 1
    }
  }

  /// What is to be shown next; how many were left out before.
  mutating func next() -> (notification: DesktopNotification, leftOut: Int)? {
    guard !waiting.isEmpty else { return nil }
    defer { leftOut = 0 }
    return (waiting.removeFirst(), leftOut)
  }
}
