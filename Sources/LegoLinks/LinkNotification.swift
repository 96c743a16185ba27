internal import MessageBus

/// What a desktop shows for a while, and the links that a person opens with it.
public struct LinkNotification: Hashable, Sendable {
  /// A button.
  public struct Button: Hashable, Sendable {
    /// The text on it.
    public var label: String
    /// The link that it opens.
    public var link: String

    /// Creates a button.
    public init(_ label: String, link: String) {
      self.label = label
      self.link = link
    }
  }

  /// Where the links of a shown notification arrive.
  public enum Reach: Hashable, Sendable {
    /// In the program that runs then; if none does, the desktop starts it.
    case always
    /// In this process, for as long as it runs.
    case whileRunning
  }

  /// Its name within the program: another one with the same name takes its place.
  public var id: String
  /// One line of plain text.
  public var title: String
  /// More plain text.
  public var body: String
  /// The name of an icon in the user's theme; empty for that of the program.
  public var icon: String
  /// The link that it opens itself; `nil` to show the program.
  public var link: String?
  /// Its buttons.
  public var buttons: [Button]

  /// Creates a notification.
  ///
  /// - Parameters:
  ///   - id: Its name within the program.
  ///   - title: One line of plain text.
  ///   - body: More plain text.
  ///   - icon: The name of an icon in the user's theme; empty for that of the program.
  ///   - link: The link that it opens itself; `nil` to show the program.
  ///   - buttons: Its buttons.
  public init(
    _ id: String, title: String, body: String = "", icon: String = "", link: String? = nil,
    buttons: [Button] = []
  ) {
    self.id = id
    self.title = title
    self.body = body
    self.icon = icon
    self.link = link
    self.buttons = buttons
  }
}

extension DesktopApplication {
  /// Shows a notification, whose links arrive as all others do.
  ///
  /// A desktop that offers `org.gtk.Notifications` is asked first: it starts the program for a link,
  /// even long after its end, if the program is registered (``DesktopEntry``). Else
  /// `org.freedesktop.Notifications` shows it, and the links arrive for as long as this process
  /// runs.
  ///
  /// - Parameter notification: The notification. One with the same
  ///   ``LinkNotification/id`` that is still shown is replaced.
  /// - Returns: Where its links arrive.
  /// - Throws: ``DesktopApplicationError/Code/notConnected`` before ``start(_:)`` and while there is no
  ///   bus; ``DesktopApplicationError/Code/notShown`` when no service shows it within 5 seconds;
  ///   ``DesktopApplicationError/Code/cancelled``.
  @discardableResult
  public func notify(
    _ notification: LinkNotification
  ) async throws(DesktopApplicationError) -> LinkNotification.Reach {
    let client = try connected()
    let calls = NotificationCalls(name: core.name)
    do throws(BusFailure) {
      _ = try await client.call(calls.add(notification), within: core.times.answer)
      core.shownNotifications.remove(notification.id)
      return .always
    } catch {
      // Not there, or it does not know the program. The other interface is for all.
      if error == .cancelled { throw showingError(error) }
    }
    do throws(BusFailure) {
      try await show(notification, calls, client)
      return .whileRunning
    } catch {
      throw showingError(error)
    }
  }

  /// Takes a notification away; nothing happens if it is not shown any more.
  ///
  /// - Parameter id: Its name within the program.
  /// - Throws: ``DesktopApplicationError/Code/notConnected``,
  ///   ``DesktopApplicationError/Code/cancelled``.
  public func withdraw(_ id: String) async throws(DesktopApplicationError) {
    let client = try connected()
    let number = core.shownNotifications.number(of: id)
    core.shownNotifications.remove(id)
    let calls = NotificationCalls(name: core.name)
    let call = number.map(NotificationCalls.close) ?? calls.remove(id)
    do throws(BusFailure) {
      _ = try await client.call(call, within: core.times.answer)
    } catch {
      // A service that is not there, or shows nothing of that name, is as good as one that took it.
      if error == .cancelled { throw showingError(error) }
    }
  }

  private func show(
    _ notification: LinkNotification, _ calls: NotificationCalls, _ client: BusClient
  ) async throws(BusFailure) {
    let shown = core.shownNotifications
    let time = core.times.answer
    if core.beginListening() {
      _ = try await client.call(NotificationCalls.listen, within: time)
    }
    let capabilities =
      try await client.call(NotificationCalls.capabilities, within: time).values.first?.texts ?? []
    let call = calls.notify(
      notification, replacing: shown.number(of: notification.id) ?? 0, capabilities)
    // Noted before the next message, which may be its action.
    _ = try await client.call(call, within: time) { reply in
      guard let number = reply.values.first?.unsigned.flatMap(UInt32.init(exactly:)) else { return }
      shown.add(
        ShownNotifications.Entry(
          id: notification.id, number: number, service: reply.sender,
          links: NotificationCalls.links(of: notification)))
    }
  }

  private func connected() throws(DesktopApplicationError) -> BusClient {
    guard let client = core.client else {
      throw DesktopApplicationError(
        .notConnected, core.name.text, "there is no connection to the bus")
    }
    return client
  }

  private func showingError(_ failure: BusFailure) -> DesktopApplicationError {
    DesktopApplicationError(.notShown, core.name.text, failure)
  }
}
