/// Access to one object that a user was given, for a time or for good.
public struct AccessGrant: Hashable, Sendable, Codable {
  /// What the grant is called: 16 hexadecimal digits.
  public let id: String
  /// The user who was given access, in the numbering of the process that gave it.
  public let user: UInt32
  /// The name of the user; `nil` where the database has none.
  public let userName: String?
  /// The access that was asked for.
  public let permissions: Permissions
  /// What the user had without it, which an entry of the user's own has to hold too.
  public let kept: Permissions
  /// Who gave it: the login user of the audit system, or the real user of the process.
  public let giver: UInt32
  /// When it was given, in seconds since 1970.
  public let start: Int64
  /// When it ends, in seconds since 1970; `nil` for one that is permanent.
  public let end: Int64?
  /// When it ends on the clock that counts from the boot and that nobody can set, in seconds.
  public let deadline: Int64?
  /// The boot in which it was given (`/proc/sys/kernel/random/boot_id`).
  public let boot: String

  /// Creates the record of a grant.
  public init(
    id: String, user: UInt32, userName: String?, permissions: Permissions, kept: Permissions,
    giver: UInt32, start: Int64, end: Int64?, deadline: Int64?, boot: String
  ) {
    self.id = id
    self.user = user
    self.userName = userName
    self.permissions = permissions
    self.kept = kept
    self.giver = giver
    self.start = start
    self.end = end
    self.deadline = deadline
    self.boot = boot
  }

  /// A name that no grant has had.
  ///
  /// - Parameter others: Names that are to come before it in the order of their letters.
  /// - Returns: The name.
  package static func newID(after others: [String] = []) -> String {
    // With room for as many again as were ever given.
    let lowest = others.compactMap { UInt64($0, radix: 16) }.max().map { $0 &+ 1 }
    let number =
      lowest.map { $0 &+ UInt64.random(in: 0..<1 << 40) } ?? UInt64.random(in: 0..<1 << 63)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether a word can be what a grant is called.
  public static func isID(_ word: String) -> Bool {
    word.utf8.count == 16
      && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// How long it lasts, in seconds; `nil` for one that is permanent.
  public var duration: Int64? {
    // The record that it comes from may say anything.
    guard let end else { return nil }
    let (seconds, isTooLarge) = end.subtractingReportingOverflow(start)
    return isTooLarge ? nil : seconds
  }

  /// How long it still lasts, in seconds; `nil` for one that is permanent.
  ///
  /// - Parameter uptime: Seconds since the boot, those of sleep included.
  /// - Returns: The time, which is negative where it is over.
  public func rest(uptime: Int64) -> Int64? {
    guard let deadline else { return nil }
    let (seconds, isTooLarge) = deadline.subtractingReportingOverflow(uptime)
    return isTooLarge ? nil : seconds
  }

  /// Whether its time is over.
  ///
  /// - Parameters:
  ///   - uptime: Seconds since the boot, those of sleep included.
  ///   - boot: The boot that is running.
  /// - Returns: Whether it is; a grant without an end is never over.
  public func isOver(uptime: Int64, boot: String) -> Bool {
    guard let deadline else { return false }
    return boot != self.boot || uptime >= deadline
  }
}
