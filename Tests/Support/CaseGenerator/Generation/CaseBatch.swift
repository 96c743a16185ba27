public import AccessModel

/// Many cases that share one tree: every request of every trial is one case.
public struct CaseBatch: Sendable {
  /// One subject and what it asks for.
  public struct Trial: Sendable {
    public var subject: Subject
    public var requests: [Request]
    /// The user whose groups are taken from the tree's `/etc/group` when the subject starts, as a
    /// new login takes them; `nil` for the subject's own.
    public var login: String?

    public init(subject: Subject, requests: [Request]) {
      self.subject = subject
      self.requests = requests
    }
  }

  /// The identifier of the first case; the others follow.
  public var firstID: Int
  public var protectedSymlinks: Bool
  public var protectedRegular = 0
  public var protectedFifos = 0
  public var mounts: [Mount]
  /// Parents stand before their children.
  public var nodes: [Node]
  /// All subjects have the same device control group.
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

  /// The batch of a single case.
  public init(_ question: AccessCase) {
    self.init(
      firstID: question.id, protectedSymlinks: question.protectedSymlinks,
      mounts: question.mounts, nodes: question.nodes,
      trials: [Trial(subject: question.subject, requests: [question.request])])
    protectedRegular = question.protectedRegular
    protectedFifos = question.protectedFifos
  }

  /// How many cases the batch has.
  public var count: Int { trials.reduce(0) { $0 + $1.requests.count } }

  /// Every case, in the order in which an oracle answers them.
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

  /// One case on the tree of the batch.
  func access(id: Int, subject: Subject, request: Request) -> AccessCase {
    var access = AccessCase(
      id: id, protectedSymlinks: protectedSymlinks, mounts: mounts, nodes: nodes,
      subject: subject, request: request)
    access.protectedRegular = protectedRegular
    access.protectedFifos = protectedFifos
    return access
  }
}
