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
