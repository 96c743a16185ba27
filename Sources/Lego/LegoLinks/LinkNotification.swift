internal import MessageBus

/// A notification with links that the user can open.
public struct LinkNotification: Hashable, Sendable {
  /// A button that opens a link.
  public struct Button: Hashable, Sendable {
    /// The text on the button.
    public var label: String
    /// The link to open.
    public var link: String

    /// Creates a button.
    public init(_ label: String, link: String) {
      self.label = label
      self.link = link
    }
  }

  /// The conditions under which the links of a notification reach the program.
  public enum Reach: Hashable, Sendable {
    /// The links always reach the program, because the desktop starts the program if necessary.
    case always
    /// The links reach the program only while this process is running.
    case whileRunning
  }

  /// The identifier of the notification, which is unique within the program.
  ///
  /// A new notification replaces any notification with the same identifier.
  public var id: String
  /// The title, as a single line of plain text.
  public var title: String
  /// The body, as plain text.
  public var body: String
  /// The name of an icon in the user's theme, or an empty string to use the icon of the program.
  ///
  /// If `org.gtk.Notifications` shows the notification, this property has no effect.
  public var icon: String
  /// The link to open when the user clicks the notification itself, or `nil` to show the program.
  public var link: String?
  /// The buttons.
  public var buttons: [Button]

  /// Creates a notification.
  ///
  /// - Parameters:
  ///   - id: The identifier of the notification, which is unique within the program.
  ///   - title: The title, as a single line of plain text.
  ///   - body: The body, as plain text.
  ///   - icon: The name of an icon in the user's theme, or an empty string to use the icon of the
  ///     program.
  ///   - link: The link to open when the user clicks the notification itself, or `nil` to show the
  ///     program.
  ///   - buttons: The buttons.
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
  /// Shows a notification.
  ///
  /// The links of the notification arrive in ``arrivals``, like all other links.
  ///
  /// If the desktop implements `org.gtk.Notifications` and the program is registered with a
  /// ``DesktopEntry``, the desktop starts the program when the user opens a link, even if the
  /// program has exited. Otherwise, `org.freedesktop.Notifications` shows the notification, and its
  /// links arrive only while this process is running.
  ///
  /// - Parameter notification: The notification, which replaces any shown notification with the
  ///   same ``LinkNotification/id``.
  /// - Returns: The conditions under which the links reach the program.
  /// - Throws: A ``DesktopApplicationError``. The code is
  ///   ``DesktopApplicationError/Code/notConnected`` if the application has not been started or has
  ///   no connection to the bus, ``DesktopApplicationError/Code/notShown`` if no service shows the
  ///   notification in time, or ``DesktopApplicationError/Code/cancelled``.
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
      // After any other error, the other interface is tried, because the service may not exist or
      // may not know the program.
      if error == .cancelled { throw showingError(error) }
    }
    do throws(BusFailure) {
      try await show(notification, calls, client)
      return .whileRunning
    } catch {
      throw showingError(error)
    }
  }

  /// Removes a notification if it is still shown.
  ///
  /// - Parameter id: The identifier of the notification.
  /// - Throws: A ``DesktopApplicationError`` with the code
  ///   ``DesktopApplicationError/Code/notConnected`` or ``DesktopApplicationError/Code/cancelled``.
  public func withdraw(_ id: String) async throws(DesktopApplicationError) {
    let client = try connected()
    let number = core.shownNotifications.number(of: id)
    core.shownNotifications.remove(id)
    let calls = NotificationCalls(name: core.name)
    let call = number.map(NotificationCalls.close) ?? calls.remove(id)
    do throws(BusFailure) {
      _ = try await client.call(call, within: core.times.answer)
    } catch {
      // Any other error is ignored, because the service may not exist or may not recognize
      // the notification.
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
    // The notification is recorded before the next message is handled, because that message may
    // report one of its actions.
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
