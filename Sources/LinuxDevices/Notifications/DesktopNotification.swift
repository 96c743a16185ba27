internal import Glibc
internal import MessageBus
internal import Synchronization

/// What a desktop shows for a moment (`org.freedesktop.Notifications`).
package struct DesktopNotification: Hashable, Sendable {
  /// The program that has it shown.
  package var program: String
  /// The name of an icon in the user's theme.
  package var icon: String
  /// One line of plain text.
  package var summary: String
  /// More text, as it is.
  package var body: String
  /// The same for the services that read it as markup.
  package var markup: String
  /// What it is about, which nobody sees: what is told of that later takes its place.
  package var subject: String
  /// Whether what it tells of has ended.
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

  /// A text as the interface of notifications takes it.
  private static let longestText = 4096

  /// A notification on the screen.
  package struct Shown: Hashable, Sendable {
    /// The number that the service gave it; 0 where it tells none.
    var number: UInt32
    /// Who shows it.
    package var service: Service

    /// Takes it off the screen; the service has half a second to answer.
    ///
    /// - Returns: Whether it did.
    @concurrent
    package func close() async -> Bool {
      guard number > 0, let client = try? BusClient(.user) else { return false }
      let call = DesktopNotification.call("CloseNotification", of: service, [.unsigned(number)])
      return (try? await client.call(call, within: .milliseconds(500))) != nil
    }
  }

  /// A program that shows notifications: another one knows nothing of its numbers.
  package struct Service: Hashable, Sendable {
    /// Its unique name on the bus.
    var name: String
    /// The bus, which gives names that another one gave to other programs.
    var bus: String?
  }

  /// Whether a service runs on the user's own bus; none is started for it.
  ///
  /// - Throws: What ``show(replacing:)`` throws.
  @concurrent
  package static func findService() async throws(NotificationFailure) {
    do throws(BusFailure) {
      _ = try await service(on: try BusClient(.user))
    } catch {
      throw NotificationFailure(error)
    }
  }

  /// Follows who shows notifications, until the task is cancelled or the bus goes away.
  ///
  /// - Parameter body: Called with who does when this begins, and with each that does later, on any
  ///   thread.
  /// - Throws: What keeps the bus from being reached.
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

  /// Has it shown, by the service that runs on the user's own bus; none is started for it.
  ///
  /// Waits at most ten seconds for each answer.
  ///
  /// - Parameter before: The notification whose place it takes. One that is gone is as none.
  /// - Returns: What is on the screen then.
  /// - Throws: What keeps it from being shown.
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
      // No buttons, and nothing else to tell; for as long as the service sees fit.
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

  /// The program that owns the name now: what it is told must not go to one that gets its name later.
  private static func service(on client: BusClient) async throws(BusFailure) -> Service {
    let owner = try await client.call(
      .bus("GetNameOwner", [.text(interface)]), within: patience)
    guard let name = owner.values.first?.text else { throw BusFailure(errno: EBADMSG) }
    let bus = try await client.call(.bus("GetId", []), within: patience)
    return Service(name: name, bus: bus.values.first?.text)
  }

  /// Whether a service reads the body as markup; one that does not say may.
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
