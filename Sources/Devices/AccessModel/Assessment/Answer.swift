/// The answer to a question in a single word.
///
/// The answer is derived in one place, when an object is assessed. The library, the store, the command, its
/// JSON output and its exit status use this value and do not derive it again.
public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
  /// All requested permissions are granted.
  case allowed
  /// The requested permissions are refused, at least in part.
  case refused
  /// The facts are insufficient or contradictory.
  case undetermined
  /// The device or path does not exist, or the object at the path is not such a device.
  case absent
}

extension Answer {
  /// Creates an answer from a conclusion; no other code converts between the two.
  init(_ conclusion: Assessment.Conclusion) {
    switch conclusion {
    case .granted: self = .allowed
    case .refused: self = .refused
    case .undecided: self = .undetermined
    case .absent: self = .absent
    }
  }
}

/// The certainty of an answer.
public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
  /// The kernel gave this answer, in its own check or in an actual open.
  case proven
  /// The model gives this answer, but the kernel was not asked, or a layer with an unreadable
  /// conclusion is active.
  case predicted
  /// The facts are not sufficient.
  ///
  /// Never treat this as granted or as denied.
  case undecided
}

/// The availability of a device or path.
public enum Availability: String, Hashable, Sendable, Codable, CaseIterable {
  /// The object exists.
  case present
  /// The device or path does not exist.
  case absent
  /// The device exists, and another program is using it.
  case busy
  /// The existence of the object could not be observed, for example in a directory without search
  /// permission.
  case unknown
}

extension Assessment {
  /// The availability of the object, according to what was observed.
  var availability: Availability {
    switch answer {
    case .absent: .absent
    case .allowed: isBusy ? .busy : .present
    case .refused, .undetermined: isBusy ? .busy : isSeen ? .present : .unknown
    }
  }

  /// A Boolean value that indicates whether the object or its device was observed.
  ///
  /// If the walk is refused before it reaches the object, the object might not exist.
  private var isSeen: Bool {
    if case .denied(.noSuchFile) = decision.outcome { return false }
    return object != nil || device?.node != nil || access.creationDirectory != nil
      || access.nodes.contains { $0.path.isSame(as: access.request.path) }
  }
}

/// The permission of a program to use a kind of device.
///
/// Five of the cases correspond to those on Apple's platforms. They are derived by deciding
/// hypothetical changes to the facts, and never from the names of groups. On Apple's platforms, a
/// status is independent of the hardware, and the system always knows it. On Linux, a device may be
/// missing and facts may be unknown, so there are two more cases. A program must not mistake either
/// of them for a request that the user has not answered yet.
///
/// Only ``notDetermined`` indicates that a request can help.
public enum PermissionStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// Access is refused now, but a request by this process can still succeed.
  case notDetermined
  /// Access is refused, and no change to modes, owners or lists would help.
  case restricted
  /// Access is refused, but a change to modes, owners or lists can help.
  case denied
  /// Everything that the permission requires is granted.
  case authorized
  /// Only a part is granted, such as reading but not writing, or some of several devices.
  case limited
  /// The device or path does not exist.
  case absent
  /// The facts are not sufficient.
  ///
  /// Never treat this as granted or as refused.
  case unknown
}

extension PermissionStatus {
  /// Creates the status of an object from its assessment.
  ///
  /// A refusal has the first status that applies: ``restricted`` if no driver has the node's
  /// number, ``limited`` if some of the permissions are granted, ``notDetermined`` if the process
  /// can gain access by itself, ``restricted`` if no change to modes or lists would help, and
  /// otherwise ``denied``.
  init(of assessment: Assessment) {
    switch assessment.conclusion {
    case .absent: self = .absent
    case .undecided: self = .unknown
    case .granted: self = .authorized
    case .refused:
      if assessment.replacingObject?.opensNothing == true {
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
    guard case .refused(let errno) = conclusion else { return false }
    if unmetDemand != nil { return true }
    if errno != .permissionDenied || attempt?.errno == errno { return true }
    if case .undecided = decision.outcome { return false }
    return facts.confinement.hasLabelModule
  }

  /// The rank of the object when one of several must be reported; lower is better.
  var reportRank: Int {
    switch conclusion {
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
