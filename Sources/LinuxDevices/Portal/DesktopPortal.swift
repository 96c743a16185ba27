internal import AccessModel
package import MessageBus

/// The portals of the desktop for cameras and files (`org.freedesktop.portal.Camera`,
/// `org.freedesktop.portal.FileChooser`), on the user's message bus.
///
/// Each question has a connection of its own, which ends with the answer.
public struct DesktopPortal: CameraPortal {
  let address: BusAddress

  private static let statusTime = Duration.seconds(2)
  private static let storeTime = Duration.seconds(30)
  /// More than a store holds about one device.
  private static let limits = BusLimits(text: 4_096, values: 1 << 16, depth: 8)

  /// The portal of the session that this process belongs to.
  public init() { address = .user }

  /// The portal on a bus.
  package init(address: BusAddress) { self.address = address }

  public func status(of application: String?) -> PortalStatus {
    let deadline = ContinuousClock.now + Self.statusTime
    do throws(BusFailure) {
      let bus = try BusConnection(address)
      let isRunning =
        PortalReading.flag(
          try bus.call(PortalCalls.hasOwner, until: deadline, limits: Self.limits)) == true
      if !isRunning {
        let names = try bus.call(PortalCalls.activatable, until: deadline, limits: Self.limits)
        guard names.first?.texts?.contains(PortalCalls.portal) == true else {
          return PortalStatus()
        }
      }
      var status = PortalStatus(isReachable: true)
      if let application {
        status.memory = memory(of: application, bus, deadline)
      } else {
        status.memory = .unread("the application identifier is unknown")
      }
      if isRunning {
        // One that runs without a camera interface answers with an error.
        let answer = try? bus.call(
          PortalCalls.isCameraPresent, until: deadline, limits: Self.limits)
        status.isCameraPresent = answer.flatMap(PortalReading.flag)
      }
      return status
    } catch {
      return error.isMissingBus ? PortalStatus() : PortalStatus(memory: .unread(error.description))
    }
  }

  private func memory(
    of application: String, _ bus: borrowing BusConnection, _ deadline: ContinuousClock.Instant
  ) -> PortalMemory {
    do throws(BusFailure) {
      return PortalReading.memory(
        try bus.call(PortalCalls.lookup, until: deadline, limits: Self.limits), of: application)
    } catch {
      return Self.memory(without: error)
    }
  }

  /// What a failed look into the store means.
  private static func memory(without failure: BusFailure) -> PortalMemory {
    failure.name == PortalCalls.notFound ? .nothing : .unread(failure.description)
  }

  @concurrent
  public func request(_ request: PortalRequest) async -> PortalReply {
    await PortalExchange.camera(request, on: address)
  }

  public func memories(of application: String) -> AsyncStream<PortalMemory> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(name: "permission store") { [address] in
        await Self.follow(application, on: address) { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func follow(
    _ application: String, on address: BusAddress, _ tell: (PortalMemory) -> Void
  ) async {
    let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Anybody can send such a signal; it only makes us look.
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
    var last: PortalMemory?
    hint.yield()
    for await _ in hints {
      let now: PortalMemory
      do throws(BusFailure) {
        now = PortalReading.memory(
          try await client.call(PortalCalls.lookup, within: storeTime).values, of: application)
      } catch {
        now = memory(without: error)
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
      // There was nothing to forget.
      if answer == nil, error.name == PortalCalls.notFound { return }
      throw DeviceError(
        .unavailable, operation: "change the permission store",
        errno: Errno(rawValue: error.errno))
    }
  }
}
