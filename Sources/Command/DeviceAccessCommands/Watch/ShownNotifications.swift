internal import LinuxDevices

/// The notifications of this program that are on the screen.
struct ShownNotifications {
  /// A notification on the screen.
  struct Entry {
    var subject: String
    var shown: DesktopNotification.Shown
    /// A Boolean value that indicates whether the reported use has ended.
    var isOver: Bool
  }

  /// The maximum number of notifications on the screen.
  ///
  /// The limit matters because a program can change its name each time it opens a device.
  static let most = 8

  /// The notifications, oldest first.
  private(set) var all: [Entry] = []

  /// Returns the notification that a new one about a subject replaces; `nil` if it replaces none.
  ///
  /// A new notification replaces the one with the same subject. If the maximum number is on the
  /// screen, it replaces the oldest one whose use has ended, or else the oldest one.
  func place(for subject: String) -> DesktopNotification.Shown? {
    index(for: subject).map { all[$0].shown }
  }

  /// Records a notification that replaced the one in ``place(for:)``.
  mutating func add(_ shown: DesktopNotification.Shown, for notification: DesktopNotification) {
    if let index = index(for: notification.subject) { all.remove(at: index) }
    all.append(
      Entry(subject: notification.subject, shown: shown, isOver: notification.isOver))
  }

  /// The notifications about uses that have not ended.
  var current: [DesktopNotification.Shown] { all.filter { !$0.isOver }.map(\.shown) }

  private func index(for subject: String) -> Int? {
    if let index = all.firstIndex(where: { $0.subject == subject }) { return index }
    guard all.count >= Self.most else { return nil }
    return all.firstIndex(where: \.isOver) ?? 0
  }
}
