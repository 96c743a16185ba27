internal import MessageBus
internal import Synchronization

/// The notifications that `org.freedesktop.Notifications` shows for this process, and their links.
final class NotificationBook: Sendable {
  /// What the service shows.
  struct Shown: Hashable, Sendable {
    var id: String
    /// The number that the service gave it.
    var number: UInt32
    /// The unique name of the service, whose signals alone count.
    var service: String
    /// The link of each action; `nil` to show the program.
    var links: [String: String?]
    /// What the service gave for the focus, for the action that comes next.
    var token: String?
  }

  /// How many are remembered; no desktop shows more.
  static let most = 256

  /// In the order in which they came.
  private let shown = Mutex<[Shown]>([])

  /// Notes a notification, which takes the place of those with the same name or number.
  func add(_ new: Shown) {
    shown.withLock { shown in
      shown.removeAll { $0.id == new.id || $0.number == new.number }
      shown.append(new)
      if shown.count > Self.most { shown.removeFirst() }
    }
  }

  /// The number of a notification that is shown.
  func number(of id: String) -> UInt32? {
    shown.withLock { $0.first { $0.id == id }?.number }
  }

  /// Forgets a notification.
  func remove(_ id: String) {
    shown.withLock { shown in shown.removeAll { $0.id == id } }
  }

  /// Takes a signal.
  ///
  /// - Returns: What it brings, if it is an action of a notification that is shown.
  func take(_ signal: BusIncoming) -> LinkArrival? {
    guard signal.interface == NotificationCalls.interface,
      let number = signal.arguments.first?.unsigned
    else { return nil }
    return shown.withLock { shown in
      let index = shown.firstIndex { $0.number == number && $0.service == signal.sender }
      guard let index else { return nil }
      switch (signal.member, signal.signature) {
      case ("ActivationToken", "us"): shown[index].token = signal.arguments[1].text
      case ("ActionInvoked", "us"):
        guard let key = signal.arguments[1].text, let link = shown[index].links[key] else {
          return nil
        }
        defer { shown[index].token = nil }
        return LinkArrival(link, origin: .notification, activationToken: shown[index].token)
      case ("NotificationClosed", "uu"): shown.remove(at: index)
      default: break
      }
      return nil
    }
  }
}
