/// The complete answer to a question: the decision, its cause, the fixes and the evidence.
public struct Explanation: Hashable, Sendable {
  /// The decision for one candidate of the kind, such as one of several cameras.
  public struct Candidate: Hashable, Sendable {
    /// The path of the candidate's node.
    public var path: String
    /// The facts from udev and sysfs; `nil` if they have no such device.
    public var device: DeviceFacts?
    /// The model's decision for this node.
    public var decision: Decision
    /// The answer for this node, which takes the kernel's own check into account.
    public var answer: Answer
    /// The occupation of the device by other users; `nil` if it was not observed.
    public var occupation: Occupation?
  }

  /// The requested kind; `nil` if a path was requested.
  public var kind: String?
  /// The path that was decided.
  public var path: String
  /// The requested permissions.
  public var wanted: Permissions
  /// The requested permissions that are granted together: all, a subset, or none.
  public var granted: Permissions
  /// The device at ``path``; `nil` if there is none or it is unknown.
  public var device: DeviceFacts?
  /// The answer for ``path``, which takes the kernel's own check into account.
  public var answer: Answer
  /// The permission status.
  ///
  /// If the answer is absent, the status is `absent`, or `restricted` if the settings of a unit
  /// hide the device. If the answer is undetermined, the status is `unknown`.
  public var status: PermissionStatus
  /// The availability of the device, which is independent of permissions.
  ///
  /// If ``use`` was observed, the value also indicates whether other programs block the device.
  public var availability: Availability
  /// The use of the device by other programs; `nil` if it was not observed.
  public var use: DeviceUse?
  /// The occupation of the device by these programs; `nil` if it was not observed.
  public var occupation: Occupation?
  /// The certainty of the answer; ``certainty`` also takes the cause into account.
  public var answerCertainty: Certainty
  /// The model's decision; if the kernel's own check decided instead, the last step states this.
  public var decision: Decision
  /// The candidates of the kind, starting with the chosen one.
  public var candidates: [Candidate]
  /// The main cause; `nil` if access is granted.
  public var cause: Cause?
  /// Additional causes, and other possible causes.
  ///
  /// For a grant, these are the drawbacks of the object, and the reasons why other candidates are
  /// refused.
  public var furtherCauses: [Cause]
  /// The fixes, starting with the narrowest permanent one.
  ///
  /// Fixes that are proven by deciding the changed facts come before those that depend on an
  /// assumption. If a temporary fix is narrower than the first one, it comes second
  /// (``Remedy/isInterim``).
  public var remedies: [Remedy]
  /// Commands that show more about the cause and change nothing.
  public var lookups: [Lookup] = []
  /// An explanation of why the object should not be opened to others, or why there is no fix.
  public var note: String?
  /// The observed facts, one clause each, in order of importance.
  public var evidence: [String]
  /// The difference between the kernel's own answer and the model's, which indicates a rule outside
  /// the model.
  public var disagreement: String?
  /// The facts that may matter but were not observed.
  public var unobserved: [Unobserved]
  /// The layers that could still refuse what is allowed, as noun phrases such as `the AppArmor
  /// profile cam`.
  ///
  /// The array contains only layers that the facts give evidence of.
  public var doubts: [String] = []
}

extension Explanation {
  /// The certainty of the explanation as a whole, including its cause.
  ///
  /// The kernel can prove that access is refused, but the reason for the refusal may be an
  /// inference.
  public var certainty: Certainty {
    guard answerCertainty == .proven, let cause, !cause.isProven else { return answerCertainty }
    return .predicted
  }
}

extension Explanation {
  /// The answer if the device must also be free of other users.
  ///
  /// If ``answer`` is not `allowed`, this value is the same. A device that programs have open
  /// without blocking others counts as free. If no use was observed, but not every process could be
  /// inspected, the value is `undetermined`, unless the device serves any number of programs.
  public var answerIfFree: Answer {
    guard answer == .allowed else { return answer }
    return switch occupation {
    case .free, .open: .allowed
    case .busy, .held: .refused
    case .unknown: use?.servesAnyNumber == true ? .allowed : .undetermined
    case nil: .undetermined
    }
  }
}

extension AccessFacts {
  /// Returns the answer for each device, with the rule that decided it.
  ///
  /// The result contains `nil` for a device without a node. Each decision has only its last step.
  /// The cost is linear in the number of devices.
  package func conclusions(
    for devices: [DeviceFacts], wanting permissions: Permissions
  ) -> [Explanation.Candidate?] {
    var assessments = assess(devices, wanting: permissions, detail: .brief)[...]
    return devices.map { device in
      guard device.node != nil, let assessment = assessments.popFirst() else { return nil }
      return Explanation.Candidate(
        path: assessment.access.request.path, device: device, decision: assessment.reported,
        answer: assessment.answer, occupation: assessment.occupation)
    }
  }
}
