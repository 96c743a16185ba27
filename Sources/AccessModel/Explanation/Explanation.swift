/// The whole answer to a question: the decision, its cause, the fixes and the evidence.
public struct Explanation: Hashable, Sendable {
  /// The decision of one candidate of the kind, such as one camera of several.
  public struct Candidate: Hashable, Sendable {
    /// The device node that was decided.
    public var path: String
    /// What udev and sysfs tell of it; `nil` when they know no such device.
    public var device: DeviceFacts?
    /// The model's decision for this node.
    public var decision: Decision
    /// The answer for this node, with the kernel's own check taken into account.
    public var answer: Answer
    /// What its users leave to the subject; `nil` where that was not looked at.
    public var occupation: Occupation?
  }

  /// The kind that was asked for; `nil` when a path was.
  public var kind: String?
  /// The path that was decided.
  public var path: String
  /// The permissions that were asked about.
  public var wanted: Permissions
  /// What of the wanted permissions is granted: all, a part that is granted together, or none.
  public var granted: Permissions
  /// The device behind ``path``; `nil` when it is none, or an unknown one.
  public var device: DeviceFacts?
  /// The answer for ``path``, with the kernel's own check taken into account.
  public var answer: Answer
  /// `absent` and `unknown` where the answer is absent and undetermined; `restricted` where
  /// settings of a unit make a device absent for it.
  public var status: PermissionStatus
  /// Whether the device is there, and free where its ``use`` was looked at, which is not a matter of
  /// permission.
  public var availability: Availability
  /// Who has the device open; `nil` where that was not looked at.
  public var use: DeviceUse?
  /// What they leave to the subject; `nil` where that was not looked at.
  public var occupation: Occupation?
  /// How reliable the answer is; ``certainty`` takes the cause into account as well.
  public var answerCertainty: Certainty
  /// The model's decision; where the kernel's own check decided instead, a last step says so.
  public var decision: Decision
  /// Every candidate of the kind, the chosen one first.
  public var candidates: [Candidate]
  /// `nil` when access is granted.
  public var cause: Cause?
  /// Other causes that stand in the way as well, or that could be the true one; for a grant what
  /// speaks against the object, and why other candidates are refused.
  public var furtherCauses: [Cause]
  /// The fixes, the narrowest of those that last first.
  ///
  /// Those that the decision on the changed facts proves come before those that assume something. If
  /// a temporary fix is narrower than the first one, it is the second (``Remedy/isInterim``).
  public var remedies: [Remedy]
  /// Commands that show more about the cause and change nothing.
  public var lookups: [Lookup] = []
  /// What the object is, if opening it to others would not be a fix, or why there is no fix.
  public var note: String?
  /// What was looked at, one clause each, in the order of its weight.
  public var evidence: [String]
  /// How the kernel's own answer differs from the model's: a rule outside the model.
  public var disagreement: String?
  /// What could have mattered and was not observed.
  public var unobserved: [Unobserved]
  /// The layers that could still refuse what is allowed and of which the facts show a sign, as noun
  /// phrases such as `the AppArmor profile cam`; empty if nothing points to one.
  public var doubts: [String] = []
}

extension Explanation {
  /// How reliable the whole is: the answer, and the cause that is given for it.
  ///
  /// The kernel can prove that access is refused; why it is refused may still be an inference.
  public var certainty: Certainty {
    guard answerCertainty == .proven, let cause, !cause.isProven else { return answerCertainty }
    return .predicted
  }
}
