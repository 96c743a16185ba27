extension PermissionStatus {
  /// Creates the status of an object from its assessment.
  ///
  /// A refusal has the first status that applies: ``restricted`` if no driver has the node's
  /// number, ``limited`` if some of the permissions are granted, ``notDetermined`` if the process
  /// can gain access by itself, ``restricted`` if no change to modes or lists would help, and
  /// otherwise ``denied``.
  init(of assessment: Assessment) {
    switch assessment.verdict {
    case .absent: self = .absent
    case .undecided: self = .unknown
    case .granted: self = .authorized
    case .refused:
      if assessment.standIn?.opensNothing == true {
        self = .restricted
      } else if !assessment.grantedPart.isEmpty {
        self = .limited
      } else if assessment.couldRaise {
        self = .notDetermined
      } else if assessment.isRefusedOutsideModel {
        self = assessment.isBeyondModes ? .restricted : .denied
      } else {
        // A later layer may also refuse access, but the modes are known to refuse it now.
        self = assessment.isRefusedBeyondModes ? .restricted : .denied
      }
    }
  }
}

extension Assessment {
  /// A Boolean value that indicates whether the layer that refuses is independent of modes and
  /// lists.
  ///
  /// Modes and lists, including those on a file server, refuse only with `EACCES`.
  fileprivate var isBeyondModes: Bool {
    guard case .refused(let errno) = verdict else { return false }
    if unmetDemand != nil { return true }
    if errno != .permissionDenied || attempt?.errno == errno { return true }
    if case .undecided = decision.outcome { return false }
    return facts.confinement.hasLabelModule
  }

  /// The rank of the object when one of several must be reported; lower is better.
  var reportRank: Int {
    switch verdict {
    case .granted: return 0
    case .undecided: return 3
    case .absent: return 6
    case .refused:
      switch PermissionStatus(of: self) {
      case .authorized: return 0
      case .limited: return 1
      case .notDetermined: return 2
      case .unknown: return 3
      case .denied: return 4
      case .restricted: return 5
      case .absent: return 6
      }
    }
  }
}
