/// The processes that could not be inspected, with the reasons.
public struct UnseenProcesses: Hashable, Sendable, Codable {
  /// A reason why processes could not be inspected.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Tracing them requires the same user or `CAP_SYS_PTRACE`, and the caller has neither.
    case notTraceable = "not_traceable"
    /// The kernel refuses although the caller has `CAP_SYS_PTRACE`.
    ///
    /// The cause is a user namespace, a security module, or the server of a filesystem on which a
    /// process has files open.
    case refused
    /// `/proc` hides the processes of other users (the mount option `hidepid`).
    case hidden
    /// The processes run outside the PID namespace of the container that the caller runs in.
    case outside
    /// Reading failed for another reason.
    case failed
  }

  /// The number of processes that are known to run but could not be inspected.
  public var count: Int
  /// The reasons why they could not be inspected.
  public var reasons: Set<Reason>

  /// Creates a count with its reasons; by default, every process was inspected.
  public init(count: Int = 0, reasons: Set<Reason> = []) {
    self.count = count
    self.reasons = reasons
  }

  /// A Boolean value that indicates whether every process was inspected.
  public var isEmpty: Bool { count == 0 && reasons.isEmpty }

  /// A Boolean value that indicates whether there may be more processes than ``count``, because
  /// some cannot even be counted.
  public var isAtLeast: Bool { !reasons.isDisjoint(with: [.hidden, .outside]) }

  /// A Boolean value that indicates whether an administrator of this machine could inspect more of
  /// them.
  public var needsAdministrator: Bool { !reasons.isDisjoint(with: [.notTraceable, .hidden]) }

  private enum CodingKeys: String, CodingKey {
    case count, reasons
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(count, forKey: .count)
    try values.encode(reasons.sorted { $0.rawValue < $1.rawValue }, forKey: .reasons)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    count = try values.decode(Int.self, forKey: .count)
    let list: [Reason] = try values.bounded(.reasons, limit: Reason.allCases.count)
    reasons = Set(list)
  }
}
