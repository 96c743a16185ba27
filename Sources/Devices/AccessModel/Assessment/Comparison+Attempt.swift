extension Comparison {
  /// Applies the result of an attempt to open the object.
  ///
  /// A successful open proves the answer for that call, even if a layer could refuse another call.
  /// A refusal without other evidence is proven only if no filter can have answered in place of the
  /// kernel.
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
      // A failure after the open is not a refusal of permission.
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
  /// The certainty of an attempt's error, which a seccomp filter can choose freely.
  var certaintyOfAttempt: Certainty { seccompMode == 0 ? .proven : .predicted }
}

extension AccessFacts {
  /// The path of a control check, whose result shows whether a filter answers for the kernel.
  ///
  /// A filter cannot distinguish this path from a device, and no device rule applies to it.
  public static let controlPath = "/"

  /// The certainty of an error from the kernel's own check.
  ///
  /// A filter that passed another check did not answer this one, because a filter does not see
  /// paths.
  var certaintyOfCheck: Certainty {
    confinement.seccompMode != nil && isCheckUnfiltered ? .proven : .predicted
  }

  /// A Boolean value that indicates whether a filter refuses every kernel check, so that none
  /// proves anything.
  var isCheckFiltered: Bool {
    confinement.seccompMode == 2
      && kernelChecks.contains {
        $0.path == Self.controlPath && $0.errno == .notPermitted
      }
  }

  /// A Boolean value that indicates whether `EPERM` from the kernel's own check comes from the
  /// kernel.
  ///
  /// The value is `true` if no seccomp filter was observed, or if another check passed the filter.
  var isCheckUnfiltered: Bool {
    confinement.seccompMode != 2
      || kernelChecks.contains {
        $0.errno != .notPermitted && $0.errno != .noSystemCall
      }
  }
}

extension Assessment {
  /// A Boolean value that indicates whether `EPERM` comes from the device control group.
  ///
  /// The kernel's own check includes the verdict of the device control group. The error of an
  /// attempt may also come from a filter or a security module.
  var isRefusedByDevicePolicy: Bool {
    if kernelErrno == .notPermitted { return facts.isCheckUnfiltered }
    guard kernelErrno == nil, let attempt, attempt.errno == .notPermitted else {
      return false
    }
    return facts.confinement.seccompMode == 0
  }
}
