internal import LinuxDevices

/// What this program has on the screen.
struct ShownNotifications {
  /// One of them.
  struct Entry {
    var subject: String
    var shown: DesktopNotification.Shown
    /// Whether what it tells of has ended.
    var isOver: Bool
  }

  /// More than a person reads at once: a program can take another name each time it opens a device.
  static let most = 8

  /// The latest last.
  private(set) var all: [Entry] = []

  /// What another notification takes the place of: that of the same subject, or, of as many as are
  /// shown, the oldest of what has ended, or the oldest.
  func place(for subject: String) -> DesktopNotification.Shown? {
    index(for: subject).map { all[$0].shown }
  }

  /// Notes what was shown in the ``place(for:)`` the subject of a notification.
  mutating func add(_ shown: DesktopNotification.Shown, for notification: DesktopNotification) {
    if let index = index(for: notification.subject) { all.remove(at: index) }
    all.append(
      Entry(subject: notification.subject, shown: shown, isOver: notification.isOver))
  }

  /// Those of what has not ended.
  var current: [DesktopNotification.Shown] { all.filter { !$0.isOver }.map(\.shown) }

  private func index(for subject: String) -> Int? {
    if let index = all.firstIndex(where: { $0.subject == subject }) { return index }
    guard all.count >= Self.most else { return nil }
    return all.firstIndex(where: \.isOver) ?? 0
  }
}
