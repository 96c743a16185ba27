internal import LinuxDevices

/// What this program has on the screen.
struct ShownNotifications {
  /// More than a person reads at once: a program can take another name each time it opens a device.
  static let most = 8

  /// The latest last.
  private var all: [(subject: String, shown: DesktopNotification.Shown)] = []

  /// Takes out what another notification takes the place of: that of the same subject, or the oldest of
  /// as many as are shown.
  mutating func takePlace(for subject: String) -> DesktopNotification.Shown? {
    if let index = all.firstIndex(where: { $0.subject == subject }) {
      return all.remove(at: index).shown
    }
    return all.count < Self.most ? nil : all.removeFirst().shown
  }

  mutating func add(_ shown: DesktopNotification.Shown, of subject: String) {
    all.append((subject, shown))
  }
}
