extension PreparedCase {
  /// Decides the request of the case.
  public func verdict() -> Verdict {
    verdict(for: access.request)
  }

  /// Decides another request on the same facts, without allocating memory.
  public func verdict(for request: Request) -> Verdict {
    var recorder = NoRecorder()
    return verdict(of: evaluate(request, &recorder))
  }

  /// Decides a request and returns its last check.
  func lastCheck(for request: Request) -> RecordedCheck? {
    var recorder = CheckRecorder(keepsAll: false)
    _ = evaluate(request, &recorder)
    return recorder.last
  }

  /// Decides a request and records every step.
  public func decision(for request: Request) -> Decision {
    decision(for: request, .full)
  }

  /// Decides a request and records every step, or in brief only the last.
  func decision(for request: Request, _ detail: ExplanationDetail) -> Decision {
    var recorder = CheckRecorder(keepsAll: detail == .full)
    let progress = evaluate(request, &recorder)
    var decision = decision(of: verdict(of: progress), request)
    decision.steps = recorder.earlier.map { step($0, request) }
    if let last = recorder.last { decision.steps.append(step(last, request)) }
    if decision.isGranted { decision.grounds = grounds(progress.node, progress) }
    return decision
  }

  func verdict(of progress: Progress) -> Verdict {
    let outcome = progress.outcome
    var node = progress.node
    var name = progress.name
    if case .undecided = outcome {
      node = progress.doubtNode
      if !progress.isStuck || node != progress.node { name = nil }
    }
    let finding = progress.finding
    let isUndecided = if case .undecided = outcome { true } else { false }
    return Verdict(
      outcome: outcome, rule: isUndecided ? nil : finding.rule,
      node: node < 0 ? nil : Int(node),
      entry: isUndecided || finding.entry < 0 ? nil : Int(finding.entry),
      allMatchingGroupsLack: !isUndecided && finding.allMatchingGroupsLack,
      wanted: progress.wanted, name: name)
  }

  /// Walks the path, checks the object, and reports every check to the recorder.
  ///
  /// Every decision and verdict calls this method.
  func evaluate<Recorder: DecisionRecorder>(
    _ request: Request, _ recorder: inout Recorder
  ) -> Progress {
    let asked = RequestedAccess(request)
    var progress = Progress(
      credentials: asked.marks.contains(.realIDs) ? subject.real : subject.effective,
      followsFinalLink: !asked.marks.contains(.noFollow),
      requiresDirectory: asked.marks.contains(.directory))
    progress.creates = asked.marks.contains(.create)
    let path = request.path
    let span = path.utf8Span.span
    if span.count == 0 || span.count >= Self.pathMax && ByteText.byteCount(span) >= Self.pathMax {
      // The path is refused before any directory is searched.
      progress.finding =
        span.count == 0
        ? .denied(.walkNoEntry, .noSuchFile)
        : .denied(.walkNameTooLong, .nameTooLong)
      recorder.record(RecordedCheck(matter: .node(.final, -1, []), finding: progress.finding))
      return progress
    }
    guard root >= 0, !nodes[Int(root)].marks.contains(.statusUnobserved) else {
      progress.raise(.root, -1, at: -1)
      progress.isStuck = true
      recorder.record(
        RecordedCheck(matter: .node(.final, -1, []), finding: Finding(), doubt: .root))
      return progress
    }
    let object = walk(span, source: -1, from: root, isTrailing: true, &progress, &recorder)
    guard object >= 0 else { return progress }
    progress.stepDoubt = nil
    let finding =
      asked.marks.contains(.open)
      ? checkOpen(object, asked, &progress) : checkAccess(object, asked, &progress)
    _ = finish(.final, object, asked.wanted, finding, &progress, &recorder)
    return progress
  }
}

extension AccessCase {
  /// Decides the case and records every step.
  ///
  /// The same case has the same decision on every machine.
  public func decide() -> Decision {
    PreparedCase(self).decision(for: request)
  }

  /// Decides the case without recording the steps, which is most of the cost of a decision.
  public func verdict() -> Verdict {
    PreparedCase(self).verdict(for: request)
  }

  /// Decides the case and records every step, or in brief only the last.
  func decide(_ detail: ExplanationDetail) -> Decision {
    PreparedCase(self).decision(for: request, detail)
  }
}

/// The access that a request requires, as the kernel derives it from the flags
/// (`build_open_flags`).
struct RequestedAccess {
  struct Marks: OptionSet {
    let rawValue: UInt16

    static let open = Marks(rawValue: 1 << 0)
    static let pathOnly = Marks(rawValue: 1 << 1)
    static let truncate = Marks(rawValue: 1 << 2)
    static let append = Marks(rawValue: 1 << 3)
    static let noAccessTime = Marks(rawValue: 1 << 4)
    static let directory = Marks(rawValue: 1 << 5)
    static let noFollow = Marks(rawValue: 1 << 6)
    /// The access mode is not `O_RDONLY`.
    static let notReadOnly = Marks(rawValue: 1 << 7)
    /// The descriptor is writable, which it is not in access mode 3.
    static let writable = Marks(rawValue: 1 << 8)
    static let create = Marks(rawValue: 1 << 10)
    static let exclusive = Marks(rawValue: 1 << 11)
    /// The real IDs are used, as in access(2).
    static let realIDs = Marks(rawValue: 1 << 9)
  }

  var marks: Marks = []
  var wanted: Permissions = []

  init(_ request: Request) {
    switch request {
    case .open(_, let flags):
      marks = .open
      for flag in flags { add(flag) }
      if marks.contains(.pathOnly) {
        // All other flags are ignored.
        marks.formIntersection([.open, .pathOnly, .directory, .noFollow])
        wanted = []
      }
      // `O_CREAT` with `O_EXCL` does not follow a link at the end of the path (`build_open_flags`).
      if marks.isSuperset(of: [.create, .exclusive]) { marks.insert(.noFollow) }
    case .access(_, let mode, let effective, let noFollow):
      wanted = mode.intersection([.read, .write, .execute])
      if noFollow { marks.insert(.noFollow) }
      if !effective { marks.insert(.realIDs) }
    }
  }

  private mutating func add(_ flag: OpenFlag) {
    switch flag {
    case .readOnly: wanted.insert(.read)
    case .writeOnly:
      wanted.insert(.write)
      marks.formUnion([.notReadOnly, .writable])
    case .readWrite:
      wanted.formUnion([.read, .write])
      marks.formUnion([.notReadOnly, .writable])
    case .accessMode3:
      wanted.formUnion([.read, .write])
      marks.insert(.notReadOnly)
    case .path: marks.insert(.pathOnly)
    case .truncate:
      wanted.insert(.write)
      marks.insert(.truncate)
    case .append: marks.insert(.append)
    case .nonBlocking: break
    case .directory: marks.insert(.directory)
    case .noFollow: marks.insert(.noFollow)
    case .noAccessTime: marks.insert(.noAccessTime)
    case .create: marks.insert(.create)
    case .exclusive: marks.insert(.exclusive)
    }
  }
}

/// The state of a decision in progress.
struct Progress {
  let credentials: Credentials
  /// `LOOKUP_FOLLOW`: a link at the end of the path is followed.
  var followsFinalLink: Bool
  /// `LOOKUP_DIRECTORY`: the object must be a directory.
  var requiresDirectory: Bool
  /// `LOOKUP_CREATE`: a missing name at the end of the path is created.
  var creates = false
  /// The directory in which the last name of the path was looked up, or -1.
  var lastDirectory: Int32 = -1
  /// The number of links that have been followed so far.
  var links = 0

  /// The result of the last check.
  var finding = Finding()
  var node: Int32 = -1
  var name: NameReference?
  var wanted: Permissions = []

  /// The first missing fact, which was found at `doubtNode`.
  var doubt: MissingFact?
  var doubtNode: Int32 = -1
  /// The error that every doubtful check so far would return, or -1 if they differ.
  var doubtErrno: Errno = 0
  /// The first missing fact within the current step.
  var stepDoubt: MissingFact?
  /// A Boolean value that indicates whether a missing fact makes all further checks impossible.
  var isStuck = false

  init(credentials: Credentials, followsFinalLink: Bool, requiresDirectory: Bool) {
    self.credentials = credentials
    self.followsFinalLink = followsFinalLink
    self.requiresDirectory = requiresDirectory
  }

  /// Records that a check may fail with an error, or with any error if `errno` is -1.
  ///
  /// The decision continues. If a later check certainly fails with the same error, the request is
  /// denied in spite of the doubt.
  ///
  /// See <doc:KernelRules#Missing-facts>.
  mutating func raise(_ doubt: MissingFact, _ errno: Errno, at node: Int32) {
    if stepDoubt == nil { stepDoubt = doubt }
    if self.doubt == nil {
      self.doubt = doubt
      doubtNode = node
      doubtErrno = errno
    } else if doubtErrno != errno {
      doubtErrno = -1
    }
  }

  var outcome: Verdict.Outcome {
    if isStuck, let doubt { return .undecided(doubt) }
    if let doubt, !finding.isDenied || finding.errno != doubtErrno { return .undecided(doubt) }
    return finding.isDenied ? .denied(errno: finding.errno) : .granted
  }
}

/// The result of a check: access is granted if the error number is 0.
struct Finding {
  var errno: Errno = 0
  var rule: Rule?
  /// The index of the deciding access control list entry, or -1.
  var entry: Int32 = -1
  /// A Boolean value that indicates whether several group entries match, but none has all requested
  /// permissions.
  var allMatchingGroupsLack = false

  static func denied(_ rule: Rule, _ errno: Errno) -> Finding {
    Finding(errno: errno, rule: rule)
  }

  static func granted(_ rule: Rule?) -> Finding {
    Finding(rule: rule)
  }

  var isDenied: Bool { errno != 0 }
}

/// A name in the requested path or in the target of a symbolic link.
struct NameReference: Hashable, Sendable {
  /// The index of the link's node, or -1 for the path of the request.
  var source: Int32
  var start: Int32
  var count: Int32
}
