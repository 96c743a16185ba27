internal import AccessModel
package import MessageBus

/// The desktop's portals for cameras and files on the user's message bus.
///
/// The interfaces are `org.freedesktop.portal.Camera` and `org.freedesktop.portal.FileChooser`.
/// Each request opens its own connection, which is closed after the answer.
public struct DesktopPortal: CameraPortal {
  let address: BusAddress

  private static let statusTime = Duration.seconds(2)
  private static let storeTime = Duration.seconds(30)
  /// Limits that exceed what the permission store holds about one device.
  private static let limits = BusLimits(text: 4_096, values: 1 << 16, depth: 8)

  /// Creates a portal on the bus of this process's session.
  public init() { address = .user }

  /// Creates a portal on the given bus.
  package init(address: BusAddress) { self.address = address }

  public func status(of application: String?) -> PortalStatus {
    let deadline = ContinuousClock.now + Self.statusTime
    do throws(BusFailure) {
      let bus = try BusConnection(address)
      let isRunning =
        PortalReplyParser.flag(
          try bus.call(PortalCalls.hasOwner, until: deadline, limits: Self.limits)) == true
      if !isRunning {
        let names = try bus.call(PortalCalls.activatable, until: deadline, limits: Self.limits)
        guard names.first?.texts?.contains(PortalCalls.portal) == true else {
          return PortalStatus()
        }
      }
      var status = PortalStatus(isReachable: true)
      if let application {
        status.permission = permission(of: application, bus, deadline)
      } else {
        status.permission = .unread("the application identifier is unknown")
      }
      if isRunning {
        // A running portal without a camera interface returns an error.
        let answer = try? bus.call(
          PortalCalls.isCameraPresent, until: deadline, limits: Self.limits)
        status.isCameraPresent = answer.flatMap(PortalReplyParser.flag)
      }
      return status
    } catch {
      return error.isMissingBus
        ? PortalStatus() : PortalStatus(permission: .unread(error.description))
    }
  }

  private func permission(
    of application: String, _ bus: borrowing BusConnection, _ deadline: ContinuousClock.Instant
  ) -> PortalPermission {
    do throws(BusFailure) {
      return PortalReplyParser.permission(
        try bus.call(PortalCalls.lookup, until: deadline, limits: Self.limits), of: application)
    } catch {
      return Self.permission(without: error)
    }
  }

  /// Returns the stored answer that a failed lookup implies.
  private static func permission(without failure: BusFailure) -> PortalPermission {
    failure.name == PortalCalls.notFound ? .nothing : .unread(failure.description)
  }

  @concurrent
  public func request(_ request: PortalRequest) async -> PortalReply {
    await PortalExchange.camera(request, on: address)
  }

  public func permissions(of application: String) -> AsyncStream<PortalPermission> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(name: "permission store") { [address] in
        await Self.follow(application, on: address) { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func follow(
    _ application: String, on address: BusAddress, _ tell: (PortalPermission) -> Void
  ) async {
    let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Any program can send this signal, so it only triggers a lookup.
    let client = try? BusClient(address, limits: limits) { message in
      if message.isSignal, message.member == "Changed" { hint.yield() }
      return .refusal("UnknownMethod", "there is no such method")
    }
    guard let client,
      (try? await client.call(PortalCalls.followStore, within: storeTime)) != nil
    else { return }
    let listener = Task {
      _ = await client.ended()
      hint.finish()
    }
    defer { listener.cancel() }
    var last: PortalPermission?
    hint.yield()
    for await _ in hints {
      let now: PortalPermission
      do throws(BusFailure) {
        now = PortalReplyParser.permission(
          try await client.call(PortalCalls.lookup, within: storeTime).values, of: application)
      } catch {
        now = permission(without: error)
      }
      guard !Task.isCancelled else { return }
      if now != last { tell(now) }
      last = now
    }
  }

  @concurrent
  public func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError) {
    do throws(BusFailure) {
      let call =
        answer.map { PortalCalls.set($0, for: application) } ?? PortalCalls.forget(application)
      _ = try await BusClient(address).call(call, within: Self.storeTime)
    } catch {
      // No answer was stored, so there is nothing to delete.
      if answer == nil, error.name == PortalCalls.notFound { return }
      throw DeviceError(
        .unavailable, operation: "change the permission store",
        errno: Errno(rawValue: error.errno))
    }
  }
}

extension DesktopPortal: FilePortal {
  @concurrent
  public func choose(_ request: PortalFileRequest) async -> PortalFileReply {
    await PortalExchange.files(request, on: address)
  }
}
