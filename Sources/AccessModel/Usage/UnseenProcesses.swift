/// The processes that could not be looked into, and why.
public struct UnseenProcesses: Hashable, Sendable, Codable {
  /// Why processes could not be looked into.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// It takes the right to trace them, which only their own user and CAP_SYS_PTRACE give.
    case notTraceable = "not_traceable"
    /// The kernel refuses although CAP_SYS_PTRACE is in force: their user namespace, a security module
    /// or the server of a filesystem that they have files of does not allow it.
    case refused
    /// `/proc` hides the processes of others (the mount option `hidepid`).
    case hidden
    /// They run outside of this PID namespace, as seen from within a container.
    case outside
    /// Reading failed for another reason.
    case failed
  }

  /// How many processes are known to run and could not be looked into.
  public var count: Int
  /// Why, each reason once.
  public var reasons: Set<Reason>

  /// Creates a count with its reasons; without any, every process was looked into.
  public init(count: Int = 0, reasons: Set<Reason> = []) {
    self.count = count
    self.reasons = reasons
  }

  /// Whether every process was looked into.
  public var isEmpty: Bool { count == 0 && reasons.isEmpty }

  /// Whether there may be more of them than ``count``: some cannot even be counted.
  public var isAtLeast: Bool { !reasons.isDisjoint(with: [.hidden, .outside]) }

  /// Whether an administrator on this machine would see them.
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
