extension PermissionStatus {
  /// The status of one object.
  ///
  /// The first that holds: nothing is there; nothing is known; all is granted; a part is; the
  /// process itself can still get it; no mode or list would help; a person can change it.
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
        // Whether a layer behind the modes would refuse too may be unknown; that the modes
        // refuse now is not.
        self = assessment.isRefusedBeyondModes ? .restricted : .denied
      }
    }
  }
}

extension Assessment {
  /// Whether what refuses outside the model is a layer that no mode or list changes.
  ///
  /// Modes and lists answer `EACCES` and nothing else, also those that a file server holds.
  fileprivate var isBeyondModes: Bool {
    guard case .refused(let errno) = verdict else { return false }
    if unmetDemand != nil { return true }
    if errno != .permissionDenied || attempt?.errno == errno { return true }
    if case .undecided = decision.outcome { return false }
    return facts.confinement.hasLabelModule
  }

  /// Where this object stands when one of several has to be reported: the lower, the better.
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
