internal import AccessModel
internal import LinuxDevices

extension PermissionReport {
  /// Creates the report about a camera that a portal may provide if its node is refused.
  ///
  /// - Parameters:
  ///   - explanation: The explanation of the camera's node.
  ///   - portal: The status of the portal; `nil` without one.
  init(_ explanation: Explanation, portal: PortalStatus?) {
    let node = PermissionReport(explanation)
    guard let portal, portal.isReachable, node.couldUsePortal(portal) else {
      self = node
      return
    }
    switch portal.memory {
    case .answer(.yes): self.init(grantedByPortal: .predicted)
    case .answer(.no), .answer(.ask):
      self = node.status == .absent ? PermissionReport(refusedByPortal: portal.memory) : node
    case .nothing, .unread:
      self = node.askable
    }
  }

  /// The same report with the status *not determined*, because a request for access may succeed.
  var askable: PermissionReport {
    PermissionReport(
      answer: .refused, status: .notDetermined, availability: .present, certainty: .predicted,
      path: path, cause: cause, reason: reason)
  }

  /// Returns `true` if the node is refused, or if only the portal sees a camera.
  private func couldUsePortal(_ portal: PortalStatus) -> Bool {
    switch answer {
    case .refused: true
    case .absent: portal.isCameraPresent == true
    case .allowed, .undetermined: false
    }
  }

  /// Creates the report about a camera that a portal provides.
  init(grantedByPortal certainty: Certainty) {
    self.init(
      answer: .allowed, status: .authorized, availability: .present, certainty: certainty,
      path: nil, cause: nil, reason: nil)
  }

  /// Creates the report about a camera that a portal does not provide.
  ///
  /// - Parameter memory: The answer in the permission store.
  init(refusedByPortal memory: PortalMemory) {
    let (code, reason): (CauseCode?, String) =
      switch memory {
      case .answer(.ask):
        (.portalStoredAsk, "The portal's permission store contains 'ask', so no camera is opened.")
      case .answer(.no): (.portalStoredNo, "The portal refused, and remembers the refusal.")
      case .answer(.yes), .nothing, .unread: (nil, "The portal refused.")
      }
    self.init(
      answer: .refused, status: .denied, availability: .present, certainty: .predicted, path: nil,
      cause: code, reason: reason)
  }

  /// The report about a camera that the desktop's settings forbid.
  static let forbiddenByDesktop = PermissionReport(
    answer: .refused, status: .restricted, availability: .present, certainty: .proven, path: nil,
    cause: nil, reason: "The desktop settings forbid all programs to use cameras.")

  /// Creates the report about a device that this process holds open.
  init(heldAt path: String) {
    self.init(
      answer: .allowed, status: .authorized, availability: .present, certainty: .proven,
      path: path, cause: nil, reason: nil)
  }
}
