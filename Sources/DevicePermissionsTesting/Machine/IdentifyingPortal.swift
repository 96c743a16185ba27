internal import LinuxDevices

/// A portal in memory as one program reaches it: the portal, and not the program, tells who asks.
struct IdentifyingPortal: CameraPortal {
  private let portal: InMemoryPortal
  private let caller: String?

  /// Creates what a program reaches.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - caller: How the portal knows the program; `nil` where only the portal could tell.
  init(_ portal: InMemoryPortal, caller: String?) {
    self.portal = portal
    self.caller = caller
  }

  func status(of application: String?) -> PortalStatus { portal.status(of: application) }

  func request(_ request: PortalRequest) async -> PortalReply { portal.answer(to: caller ?? "") }

  func memories(of application: String) -> AsyncStream<PortalMemory> {
    portal.memories(of: application)
  }

  func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError) {
    try await portal.store(answer, for: application)
  }
}
