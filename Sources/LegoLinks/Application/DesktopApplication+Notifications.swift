internal import MessageBus

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
      core.book.remove(notification.id)
      return .always
    } catch {
      // Not there, or it does not know the program. The other interface is for all.
      if error == .cancelled { throw shown(error) }
    }
    do throws(BusFailure) {
      try await show(notification, calls, client)
      return .whileRunning
    } catch {
      throw shown(error)
    }
  }

  /// Takes a notification away; nothing happens if it is not shown any more.
  ///
  /// - Parameter id: Its name within the program.
  /// - Throws: ``DesktopApplicationError/Code/notConnected``,
  ///   ``DesktopApplicationError/Code/cancelled``.
  public func withdraw(_ id: String) async throws(DesktopApplicationError) {
    let client = try connected()
    let number = core.book.number(of: id)
    core.book.remove(id)
    let calls = NotificationCalls(name: core.name)
    let call = number.map(NotificationCalls.close) ?? calls.remove(id)
    do throws(BusFailure) {
      _ = try await client.call(call, within: core.times.answer)
    } catch {
      // A service that is not there, or shows nothing of that name, is as good as one that took it.
      if error == .cancelled { throw shown(error) }
    }
  }

  private func show(
    _ notification: LinkNotification, _ calls: NotificationCalls, _ client: BusClient
  ) async throws(BusFailure) {
    let book = core.book
    let time = core.times.answer
    if core.beginListening() {
      _ = try await client.call(NotificationCalls.listen, within: time)
    }
    let capabilities =
      try await client.call(NotificationCalls.capabilities, within: time).values.first?.texts ?? []
    let call = calls.notify(
      notification, replacing: book.number(of: notification.id) ?? 0, capabilities)
    // Noted before the next message, which may be its action.
    _ = try await client.call(call, within: time) { reply in
      guard let number = reply.values.first?.unsigned.flatMap(UInt32.init(exactly:)) else { return }
      book.add(
        NotificationBook.Shown(
          id: notification.id, number: number, service: reply.sender,
          links: NotificationCalls.links(of: notification)))
    }
  }

  private func connected() throws(DesktopApplicationError) -> BusClient {
    guard let client = core.client else {
      throw DesktopApplicationError(.notConnected, name, "there is no connection to the bus")
    }
    return client
  }

  private func shown(_ failure: BusFailure) -> DesktopApplicationError {
    DesktopApplicationError(.notShown, name, failure)
  }
}
