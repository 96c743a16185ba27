extension PermissionStatus {
  /// The status of one object; `nil` when nothing is there or nothing is known.
  ///
  /// The first that holds: all is granted; a part is; the process itself can still get it;
  /// no mode or list would help; a person can change it.
  init?(of judgement: Judgement) {
    switch judgement.verdict {
    case .absent, .undecided: return nil
    case .granted: self = .authorized
    case .refused:
      if !judgement.grantedPart.isEmpty {
        self = .limited
      } else if judgement.couldRaise {
        self = .notDetermined
      } else if judgement.isRefusedOutsideModel {
        guard judgement.hasKnownOutsideLayer else { return nil }
        self = .restricted
      } else {
        switch judgement.permissiveOutcome {
        case .denied: self = .restricted
        // Whether a layer behind the modes would refuse too may be unknown; that the modes
        // refuse now is not.
        case .granted, .undecided: self = .denied
        }
      }
    }
  }
}

extension Judgement {
  /// Whether the layer outside the model that refuses is one that no mode or list changes.
  fileprivate var hasKnownOutsideLayer: Bool {
    guard case .refused(let errno) = verdict else { return false }
    // What a driver answers behind the permissions is no state of a permission.
    if let attempt, attempt.errno == errno { return attempt.isRefusal }
    if errno == ErrorNumber.notPermitted { return object?.type.isDevice ?? false }
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
      case .denied: return 4
      case .restricted, nil: return 5
      }
    }
  }
}
