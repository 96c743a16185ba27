internal import AccessModel

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
