/// The state of one decision under way.
struct Progress {
  let credentials: Credentials
  /// `LOOKUP_FOLLOW`: a link at the end is followed.
  var followsFinalLink: Bool
  /// `LOOKUP_DIRECTORY`: the object must be a directory.
  var requiresDirectory: Bool
  /// `LOOKUP_CREATE`: a missing name at the end is created.
  var creates = false
  /// The directory in which the last name of the path was looked up, or -1.
  var lastDirectory: Int32 = -1
  /// The links that were followed so far.
  var links = 0

  /// The check that ended it, or the last one.
  var finding = Finding()
  var node: Int32 = -1
  var name: NameReference?
  var wanted: Permissions = []

  /// The first doubt, and where.
  var doubt: MissingFact?
  var doubtNode: Int32 = -1
  /// The error number that every doubtful check so far would give, or -1 when they differ.
  var doubtErrno: Errno = 0
  /// The first doubt within the current step.
  var stepDoubt: MissingFact?
  /// Nothing further can be told.
  var isStuck = false

  init(credentials: Credentials, followsFinalLink: Bool, requiresDirectory: Bool) {
    self.credentials = credentials
    self.followsFinalLink = followsFinalLink
    self.requiresDirectory = requiresDirectory
  }

  /// Notes that a check may refuse, with that error number or, for -1, any.
  ///
  /// The decision goes on: a later refusal that is certain and gives the same error number
  /// answers the question all the same.
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
