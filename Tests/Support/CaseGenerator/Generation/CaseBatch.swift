public import AccessModel

/// Cases that share one tree, one for each request of each trial.
public struct CaseBatch: Sendable {
  /// A subject and its requests.
  public struct Trial: Sendable {
    public var subject: Subject
    public var requests: [Request]
    /// The user who logs in as the subject, with the groups in the tree's `/etc/group`.
    ///
    /// If the value is `nil`, the subject keeps its own groups.
    public var login: String?

    public init(subject: Subject, requests: [Request]) {
      self.subject = subject
      self.requests = requests
    }
  }

  /// The ID of the first case; the IDs of the others follow.
  public var firstID: Int
  public var protectedSymlinks: Bool
  public var protectedRegular = 0
  public var protectedFifos = 0
  public var mounts: [Mount]
  /// The nodes; parents precede their children.
  public var nodes: [Node]
  /// The trials, whose subjects must all have the same device cgroup.
  public var trials: [Trial]

  public init(
    firstID: Int = 0, protectedSymlinks: Bool, mounts: [Mount], nodes: [Node], trials: [Trial]
  ) {
    self.firstID = firstID
    self.protectedSymlinks = protectedSymlinks
    self.mounts = mounts
    self.nodes = nodes
    self.trials = trials
  }

  /// Creates a batch with a single case.
  public init(_ question: AccessCase) {
    self.init(
      firstID: question.id, protectedSymlinks: question.protectedSymlinks,
      mounts: question.mounts, nodes: question.nodes,
      trials: [Trial(subject: question.subject, requests: [question.request])])
    protectedRegular = question.protectedRegular
    protectedFifos = question.protectedFifos
  }

  /// The number of cases in the batch.
  public var count: Int { trials.reduce(0) { $0 + $1.requests.count } }

  /// All cases, in the order in which an oracle answers them.
  public var cases: [AccessCase] {
    var result: [AccessCase] = []
    result.reserveCapacity(count)
    for trial in trials {
      for request in trial.requests {
        result.append(
          access(id: firstID + result.count, subject: trial.subject, request: request))
      }
    }
    return result
  }

  /// Creates one case in the tree of the batch.
  func access(id: Int, subject: Subject, request: Request) -> AccessCase {
    var access = AccessCase(
      id: id, protectedSymlinks: protectedSymlinks, mounts: mounts, nodes: nodes,
      subject: subject, request: request)
    access.protectedRegular = protectedRegular
    access.protectedFifos = protectedFifos
    return access
  }
}
