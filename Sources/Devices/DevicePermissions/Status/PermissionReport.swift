public import AccessModel
internal import LinuxDevices

/// Everything known about one permission, from one explanation or one request.
///
/// The properties never contradict each other, because none can be set separately: a new
/// observation creates a new value. If there is nothing to have permission for, ``answer``,
/// ``status`` and ``availability`` are all `absent`. The exception is an object that the settings
/// of a unit hide, which is `restricted`.
public struct PermissionReport: Hashable, Sendable {
  /// The answer, which is also the command's answer and determines its exit status.
  public let answer: Answer
  /// The answer in the terms of an application's settings, such as `authorized` or `denied`.
  public let status: PermissionStatus
  /// The availability of the device, which is independent of permission.
  ///
  /// Only a request can determine that a device is `busy`. To find the processes that use a device,
  /// use a ``DeviceUsageService``.
  public let availability: Availability
  /// The certainty of the answer and its cause.
  public let certainty: Certainty
  /// The device or directory that was checked; `nil` if none is known.
  public let path: String?
  /// The cause of an answer other than `allowed`; `nil` if access is allowed, or if only the status
  /// is known.
  public let cause: CauseCode?
  /// The cause as one sentence.
  ///
  /// It may contain untrusted text.
  public let reason: String?
}

extension PermissionReport {
  /// Creates a report from an explanation.
  public init(_ explanation: Explanation) {
    self.init(
      answer: explanation.answer, status: explanation.status,
      availability: explanation.availability, certainty: explanation.certainty,
      path: explanation.path, cause: explanation.cause?.code, reason: explanation.cause?.summary)
  }

  /// Creates a report for an object that could not be observed.
  ///
  /// - Parameters:
  ///   - path: The path in question; `nil` for a kind.
  ///   - reason: The reason why it could not be observed, as one sentence.
  public init(unknownAt path: String?, reason: String) {
    self.init(
      answer: .undetermined, status: .unknown, availability: .unknown, certainty: .undecided,
      path: path, cause: .unknown, reason: reason)
  }

  /// Creates a report from only a status, for example one that another service returned.
  ///
  /// The status `limited` counts as refused, because it does not say whether the granted part
  /// includes what is needed.
  public init(_ status: PermissionStatus) {
    let (answer, availability): (Answer, Availability) =
      switch status {
      case .authorized: (.allowed, .present)
      case .limited, .denied, .restricted, .notDetermined: (.refused, .present)
      case .absent: (.absent, .absent)
      case .unknown: (.undetermined, .unknown)
      }
    self.init(
      answer: answer, status: status, availability: availability,
      certainty: status == .unknown ? .undecided : .predicted, path: nil, cause: nil, reason: nil)
  }
}

extension PermissionReport {
  /// Creates the report about a request that tried to open the device.
  ///
  /// The kernel calls a driver only after every permission check has passed. The driver's own
  /// errors, such as `EBUSY`, therefore mean that the request was granted. An error that says
  /// nothing about the device, such as `EMFILE`, leaves the permission unknown.
  ///
  /// - Parameters:
  ///   - path: The path of the device.
  ///   - errno: `success` if the device was opened, otherwise the error number; `nil` if there is
  ///     none.
  init(requestOf path: String, errno: Errno?) {
    switch errno.map(OpenError.init) {
    case .success?:
      self.init(granted: path, .present, .proven)
    case .busy?:
      self.init(granted: path, .busy, .proven)
    case .driver?:
      self.init(granted: path, .present, .proven)
    case .refusal?:
      self.init(
        answer: .refused, status: .denied, availability: .present, certainty: .predicted,
        path: path, cause: .unknown,
        reason: "Opening \(path) was refused, although a capability was raised for it.")
    case .noDevice?:
      self.init(
        answer: .absent, status: .absent, availability: .absent, certainty: .proven, path: path,
        cause: .nodeAbsent, reason: "There is no device behind \(path).")
    case .other?, nil:
      let error = errno.map { " (\($0.name))" } ?? ""
      self.init(
        unknownAt: path,
        reason: "\(path) could not be opened\(error); this is not about permission.")
    }
  }

  /// Creates the report about a request for an existing object that is not a device and is not
  /// opened.
  init(noDeviceAt path: String) {
    self.init(
      answer: .refused, status: .restricted, availability: .present, certainty: .proven, path: path,
      cause: .nodeNotADevice,
      reason: "\(path) is not a device; only devices and the album can be requested.")
  }

  private init(granted path: String, _ availability: Availability, _ certainty: Certainty) {
    self.init(
      answer: .allowed, status: .authorized, availability: availability, certainty: certainty,
      path: path, cause: nil, reason: nil)
  }

  /// The report after the request was declined.
  var declined: PermissionReport {
    PermissionReport(
      answer: .refused, status: .denied, availability: availability, certainty: certainty,
      path: path, cause: cause, reason: reason)
  }

  /// Returns the report with another reason.
  ///
  /// - Parameter reason: The reason as one sentence.
  /// - Returns: The report.
  func giving(_ reason: String) -> PermissionReport {
    PermissionReport(
      answer: answer, status: status, availability: availability, certainty: certainty,
      path: path, cause: cause, reason: reason)
  }

  /// The report at a later time; without a new attempt, a grant is only predicted.
  var remembered: PermissionReport {
    guard answer == .allowed, let path else { return self }
    return PermissionReport(granted: path, .present, .predicted)
  }
}

/// A classification of the error numbers of open(2).
private enum OpenError {
  case success, refusal, noDevice, busy, driver, other

  init(_ errno: Errno) {
    switch errno {
    case .success: self = .success
    case .notPermitted, .permissionDenied: self = .refusal
    case .noSuchFile, .noSuchAddress, .noSuchDevice: self = .noDevice
    case .busy: self = .busy
    case .inputOutput, .tryAgain, .noSpace, .brokenPipe, .protocolError, .timedOut,
      .remoteInputOutput:
      self = .driver
    default: self = .other
    }
  }
}

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
    switch portal.permission {
    case .answer(.yes): self.init(grantedByPortal: .predicted)
    case .answer(.no), .answer(.ask):
      self = node.status == .absent ? PermissionReport(refusedByPortal: portal.permission) : node
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
  /// - Parameter permission: The answer in the permission store.
  init(refusedByPortal permission: PortalPermission) {
    let (code, reason): (CauseCode?, String) =
      switch permission {
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
