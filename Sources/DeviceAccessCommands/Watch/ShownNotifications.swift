internal import LinuxDevices

/// What this program has on the screen.
struct ShownNotifications {
  /// More than a person reads at once: a program can take another name each time it opens a device.
  static let most = 8

  /// The latest last.
  private var all: [(subject: String, shown: DesktopNotification.Shown)] = []

  /// What another notification takes the place of: that of the same subject, or the oldest of as many as
  /// are shown.
  func place(for subject: String) -> DesktopNotification.Shown? {
    index(for: subject).map { all[$0].shown }
  }

  /// Notes what was shown in the ``place(for:)`` a subject.
  mutating func add(_ shown: DesktopNotification.Shown, of subject: String) {
    if let index = index(for: subject) { all.remove(at: index) }
    all.append((subject, shown))
  }

  private func index(for subject: String) -> Int? {
    all.firstIndex { $0.subject == subject } ?? (all.count < Self.most ? nil : 0)
  }
}
