package import AccessModel
internal import Glibc
internal import MessageBus
internal import Synchronization

/// A notification for the desktop's notification service (`org.freedesktop.Notifications`).
package struct DesktopNotification: Hashable, Sendable {
  /// The name of the program that sends the notification.
  package var program: String
  /// The name of an icon in the user's theme.
  package var icon: String
  /// One line of plain text.
  package var summary: String
  /// The body as plain text, for services that do not interpret markup.
  package var body: String
  /// The body with markup, for services that interpret it.
  package var markup: String
  /// An identifier of the subject, which is not displayed.
  ///
  /// A later notification about the same subject replaces this one.
  package var subject: String
  /// A Boolean value that indicates whether the reported use has ended.
  package var isOver: Bool

  package init(
    program: String, icon: String, summary: String, body: String, markup: String, subject: String,
    isOver: Bool = false
  ) {
    self.subject = subject
    self.isOver = isOver
    self.markup = markup
    self.program = program
    self.icon = icon
    self.summary = summary
    self.body = body
  }

  /// The maximum number of Unicode scalars in a string that is sent to the service.
  private static let longestText = 4096

  /// A notification that the service has displayed.
  package struct Shown: Hashable, Sendable {
    /// The ID that the service assigned, or 0 if it returned none.
    var number: UInt32
    /// The service that displays the notification.
    package var service: Service

    /// Closes the notification, waiting at most half a second for the service's reply.
    ///
    /// - Returns: `true` if the service confirmed the call.
    @concurrent
    package func close() async -> Bool {
      guard number > 0, let client = try? BusClient(.user) else { return false }
      let call = DesktopNotification.call("CloseNotification", of: service, [.unsigned(number)])
      return (try? await client.call(call, within: .milliseconds(500))) != nil
    }
  }

  /// A running notification service; its notification IDs mean nothing to any other service.
  package struct Service: Hashable, Sendable {
    /// The unique name of the service on the bus.
    var name: String
    /// The ID of the bus, because another bus may assign the same unique name to another program.
    var bus: String?
  }

  /// Checks that a notification service is running on the user's bus, without starting one.
  ///
  /// - Throws: `NotificationFailure` if no service is running, or if the bus cannot be reached.
  @concurrent
  package static func findService() async throws(NotificationFailure) {
    do throws(BusFailure) {
      _ = try await service(on: try BusClient(.user))
    } catch {
      throw NotificationFailure(error)
    }
  }

  /// Reports the current notification service and each service that replaces it.
  ///
  /// The call returns when the connection to the bus ends or the task is cancelled.
  ///
  /// - Parameter body: Called on any thread with the service that is running, if there is one, and
  ///   with each service that starts later.
  /// - Throws: `NotificationFailure` if the bus cannot be reached.
  @concurrent
  package static func followServices(
    _ body: @escaping @Sendable (Service) -> Void
  ) async throws(NotificationFailure) {
    do throws(BusFailure) {
      let bus = Mutex<String?>(nil)
      let client = try BusClient(.user) { signal in
        if let change = signal.ownerChange, change.name == interface, !change.after.isEmpty {
          body(Service(name: change.after, bus: bus.withLock(\.self)))
        }
        return .refusal("UnknownMethod", "there is no such method")
      }
      let id = try await client.call(.bus("GetId", []), within: patience)
      bus.withLock { $0 = id.values.first?.text }
      _ = try await client.call(.followOwner(of: interface), within: patience)
      if let service = try? await service(on: client) { body(service) }
      _ = await client.ended()
    } catch {
      throw NotificationFailure(error)
    }
  }

  /// Displays the notification through the service on the user's bus, without starting a service.
  ///
  /// Waits at most ten seconds for each reply.
  ///
  /// - Parameter before: The notification to replace. If it was displayed by another service, it is
  ///   ignored.
  /// - Returns: The displayed notification.
  /// - Throws: `NotificationFailure` if no service is running, or if the service refuses the
  ///   notification or does not reply in time.
  @concurrent
  package func show(replacing before: Shown? = nil) async throws(NotificationFailure) -> Shown {
    let (client, service): (BusClient, Service)
    do throws(BusFailure) {
      client = try BusClient(.user)
      service = try await Self.service(on: client)
    } catch {
      throw NotificationFailure(error)
    }
    do throws(BusFailure) {
      let number = before?.service == service ? before?.number ?? 0 : 0
      let readsMarkup = await Self.readsMarkup(service, client)
      // The notification has no actions and no hints. The service decides when it expires (-1).
      let reply = try await client.call(
        Self.call(
          "Notify", of: service,
          [
            Self.text(program), .unsigned(number), Self.text(icon), Self.text(summary),
            Self.text(readsMarkup ? markup : body), .texts([]), .dictionary([:]), .signed(-1),
          ]), within: Self.patience)
      let shown = reply.values.first?.unsigned.flatMap(UInt32.init(exactly:)) ?? 0
      return Shown(number: shown, service: service)
    } catch {
      throw NotificationFailure(ofService: error)
    }
  }

  private static let interface = "org.freedesktop.Notifications"
  private static let patience = Duration.seconds(10)

  /// Returns the current owner of the well-known name.
  ///
  /// Calls go to its unique name, so they cannot reach a program that takes over the name later.
  private static func service(on client: BusClient) async throws(BusFailure) -> Service {
    let owner = try await client.call(
      .bus("GetNameOwner", [.text(interface)]), within: patience)
    guard let name = owner.values.first?.text else { throw BusFailure(errno: EBADMSG) }
    let bus = try await client.call(.bus("GetId", []), within: patience)
    return Service(name: name, bus: bus.values.first?.text)
  }

  /// Returns whether the service interprets markup in the body; `true` if it does not answer.
  private static func readsMarkup(_ service: Service, _ client: BusClient) async -> Bool {
    let reply = try? await client.call(
      call("GetCapabilities", of: service, []), within: patience)
    return reply?.values.first?.texts?.contains("body-markup") ?? true
  }

  private static func call(
    _ method: String, of service: Service, _ arguments: [BusArgument]
  ) -> BusCall {
    BusCall(
      service.name, "/org/freedesktop/Notifications", interface, method, arguments,
      startsService: false)
  }

  private static func text(_ text: String) -> BusArgument {
    .text(String(text.unicodeScalars.filter { $0 != "\0" }.prefix(longestText)))
  }
}

/// The reason why a notification could not be displayed.
package struct NotificationFailure: Error, Hashable, Sendable {
  /// The underlying error.
  ///
  /// The value is `ENXIO` or `EHOSTUNREACH` if no service is running, `ETIMEDOUT` if the service
  /// does not reply in time, `ELIBACC` if libsystemd is missing, or another error from connecting
  /// to the bus.
  package var errno: Errno
  /// The service's error message, if the service refused the call; untrusted text.
  package var answer: String?

  /// A Boolean value that indicates whether no service could be reached, as opposed to a refusal or
  /// a timeout.
  package var isOfAbsence: Bool { answer == nil && errno != .timedOut }

  init(_ failure: BusFailure) {
    errno = Errno(rawValue: failure.errno)
  }

  /// Creates the failure of a call to the service itself.
  init(ofService failure: BusFailure) {
    self.init(failure)
    // The bus daemon sends these errors itself if the service is not running.
    let isOfBus = ["NameHasNoOwner", "ServiceUnknown", "NoReply", "Timeout", "Disconnected"]
      .contains { failure.name == "org.freedesktop.DBus.Error.\($0)" }
    if !failure.name.isEmpty, !isOfBus { answer = failure.description }
  }
}
