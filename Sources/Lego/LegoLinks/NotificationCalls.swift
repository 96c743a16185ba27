internal import MessageBus
internal import Synchronization

/// Creates the bus calls that show and remove notifications.
struct NotificationCalls {
  static let interface = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let openLink = "app.\(ApplicationRequest.openLink)"

  let name: BusName

  // MARK: Desktops that start programs

  /// Returns a call that shows a notification whose actions the application handles
  /// (`org.gtk.Notifications`).
  ///
  /// The bus does not start a service for this call.
  func add(_ notification: LinkNotification) -> BusCall {
    let buttons = notification.buttons.map { button in
      BusArgument.dictionary([
        "label": .text(button.label), "action": .text(Self.openLink), "target": .text(button.link),
      ])
    }
    return gtk(
      "AddNotification",
      [
        .text(name.text), .text(notification.id),
        .dictionary([
          "title": .text(notification.title),
          "body": notification.body.isEmpty ? nil : .text(notification.body),
          "default-action": notification.link.map { _ in .text(Self.openLink) },
          "default-action-target": notification.link.map { .text($0) },
          "buttons": buttons.isEmpty ? nil : .array(of: "a{sv}", buttons),
        ]),
      ])
  }

  func remove(_ id: String) -> BusCall { gtk("RemoveNotification", [.text(name.text), .text(id)]) }

  private func gtk(_ member: String, _ arguments: [BusArgument]) -> BusCall {
    BusCall(
      "org.gtk.Notifications", "/org/gtk/Notifications", "org.gtk.Notifications", member, arguments,
      startsService: false)
  }

  // MARK: Any desktop

  /// The call that subscribes to the signals of the notification service.
  static let listen = BusCall.bus(
    "AddMatch", [.text("type='signal',sender='\(interface)',path='\(path)'")])

  static let capabilities = BusCall(interface, path, interface, "GetCapabilities")

  /// Returns a call that shows a notification (`org.freedesktop.Notifications`).
  ///
  /// - Parameters:
  ///   - notification: The notification.
  ///   - number: The number of the notification to replace, or 0 to show a new notification.
  ///   - capabilities: The capabilities of the service.
  /// - Returns: The call.
  func notify(
    _ notification: LinkNotification, replacing number: UInt32, _ capabilities: [String]
  ) -> BusCall {
    var actions: [String] = []
    if capabilities.contains("actions") {
      actions = ["default", ""]
      for (index, button) in notification.buttons.enumerated() {
        actions += ["\(index)", button.label]
      }
    }
    let isMarkup = capabilities.contains("body-markup")
    return BusCall(
      Self.interface, Self.path, Self.interface, "Notify",
      [
        .text(name.text), .unsigned(number), .text(notification.icon), .text(notification.title),
        .text(isMarkup ? Self.quoted(notification.body) : notification.body), .texts(actions),
        .dictionary(["desktop-entry": .text(name.text)]), .signed(-1),
      ])
  }

  /// Returns the links of the actions in a `notify` call, keyed by action.
  static func links(of notification: LinkNotification) -> [String: String?] {
    var links: [String: String?] = ["default": notification.link]
    for (index, button) in notification.buttons.enumerated() { links["\(index)"] = button.link }
    return links
  }

  static func close(_ number: UInt32) -> BusCall {
    BusCall(interface, path, interface, "CloseNotification", [.unsigned(number)])
  }

  /// Escapes text for a service that supports markup.
  private static func quoted(_ text: String) -> String {
    // The loop iterates over scalars, because a symbol followed by a combining mark is a single
    // character.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

/// The notifications that `org.freedesktop.Notifications` is showing for this process.
final class ShownNotifications: Sendable {
  /// A notification that the service is showing, with its links.
  struct Entry: Hashable, Sendable {
    var id: String
    /// The number that the service has assigned to the notification.
    var number: UInt32
    /// The unique name of the service on the bus.
    ///
    /// Signals from other senders are ignored.
    var service: String
    /// The link of each action, or `nil` for an action that shows the program.
    var links: [String: String?]
    /// The activation token for the next action.
    var token: String?
  }

  /// The maximum number of entries.
  ///
  /// When this number is exceeded, the oldest entry is removed.
  static let capacity = 256

  /// The entries, from the oldest to the newest.
  private let entries = Mutex<[Entry]>([])

  /// Adds a notification, replacing those with the same identifier or number.
  func add(_ new: Entry) {
    entries.withLock { entries in
      entries.removeAll { $0.id == new.id || $0.number == new.number }
      entries.append(new)
      if entries.count > Self.capacity { entries.removeFirst() }
    }
  }

  /// Returns the number of the notification with the given identifier, or `nil` if it is not shown.
  func number(of id: String) -> UInt32? {
    entries.withLock { $0.first { $0.id == id }?.number }
  }

  /// Removes the notification with the given identifier.
  func remove(_ id: String) {
    entries.withLock { entries in entries.removeAll { $0.id == id } }
  }

  /// Updates the shown notifications after a signal from the notification service.
  ///
  /// - Returns: An arrival if the user has invoked an action of a shown notification; otherwise,
  ///   `nil`.
  func handle(_ signal: BusIncoming) -> LinkArrival? {
    guard signal.interface == NotificationCalls.interface,
      let number = signal.arguments.first?.unsigned
    else { return nil }
    return entries.withLock { entries in
      let index = entries.firstIndex { $0.number == number && $0.service == signal.sender }
      guard let index else { return nil }
      switch (signal.member, signal.signature) {
      case ("ActivationToken", "us"): entries[index].token = signal.arguments[1].text
      case ("ActionInvoked", "us"):
        guard let key = signal.arguments[1].text, let link = entries[index].links[key] else {
          return nil
        }
        defer { entries[index].token = nil }
        return LinkArrival(link, origin: .notification, activationToken: entries[index].token)
      case ("NotificationClosed", "uu"): entries.remove(at: index)
      default: break
      }
      return nil
    }
  }
}
