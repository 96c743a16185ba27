internal import LinuxDevices

/// An in-memory portal as one program sees it: the portal determines the identity of the caller.
struct IdentifyingPortal: CameraPortal {
  private let portal: InMemoryPortal
  private let caller: String?

  /// Creates the portal that a program reaches.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - caller: The identifier by which the portal knows the program; `nil` if it cannot be
  ///     determined from the facts.
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
