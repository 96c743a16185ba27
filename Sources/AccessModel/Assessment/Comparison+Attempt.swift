extension Comparison {
  /// Takes what opening the object came to, which is evidence for that call.
  ///
  /// An open that succeeded proves the answer for that call, whatever could refuse another one. A
  /// refusal that no other evidence supports is proven only if no filter can have answered instead of
  /// the kernel.
  mutating func take(_ attempt: Attempt, _ confinement: ConfinementFacts) {
    let isOpen = verdict == .granted || verdict == .undecided
    switch attempt.errno {
    case 0:
      guard isOpen else { return }
      verdict = .granted
      certainty = .proven
    case .noSuchAddress, .noSuchDevice:
      verdict = .absent
      certainty = confinement.certaintyOfAttempt
    case _ where attempt.operation == .stream && !attempt.isRefusal:
      // What fails behind the open refuses no permission.
      guard isOpen else { return }
      verdict = .granted
      certainty = .proven
    default:
      guard isOpen else { return }
      verdict = .refused(errno: attempt.errno)
      certainty = confinement.certaintyOfAttempt
    }
  }
}

extension ConfinementFacts {
  /// How sure the error number of an attempt is: a filter can answer with any.
  var certaintyOfAttempt: Certainty { seccompMode == 0 ? .proven : .predicted }
}

extension AccessFacts {
  /// The path on which the kernel's check is tried for comparison: a filter cannot tell it from
  /// a device, and no device rule concerns it.
  public static let controlPath = "/"

  /// How sure an error number of the kernel's own check is: a filter that let another check pass
  /// did not answer this one, since it knows no paths.
  var certaintyOfCheck: Certainty {
    confinement.seccompMode != nil && isCheckUnfiltered ? .proven : .predicted
  }

  /// Whether a filter refuses the kernel's own check as such, so that it says nothing.
  var isCheckFiltered: Bool {
    confinement.seccompMode == 2
      && kernelChecks.contains {
        $0.path == Self.controlPath && $0.errno == .notPermitted
      }
  }

  /// Whether `EPERM` of the kernel's own check is known to come from the kernel: no filter is in
  /// force, or another check was let through.
  var isCheckUnfiltered: Bool {
    confinement.seccompMode != 2
      || kernelChecks.contains {
        $0.errno != .notPermitted && $0.errno != .noSystemCall
      }
  }
}

extension Assessment {
  /// Whether `EPERM` points to the device control group: its verdict is part of the kernel's own
  /// check, and an attempt alone does not tell it from a filter or a module.
  var isRefusedByDevicePolicy: Bool {
    if kernelErrno == .notPermitted { return facts.isCheckUnfiltered }
    guard kernelErrno == nil, let attempt, attempt.errno == .notPermitted else {
      return false
    }
    return facts.confinement.seccompMode == 0
  }
}
