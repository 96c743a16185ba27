/// A grant that gives a user access to one object, temporarily or permanently.
public struct AccessGrant: Hashable, Sendable, Codable {
  /// The ID of the grant: 16 hexadecimal digits.
  public let id: String
  /// The user who receives access, in the ID numbering of the process that created the grant.
  public let user: UInt32
  /// The name of the user; `nil` if the user database has none.
  public let userName: String?
  /// The requested access.
  public let permissions: Permissions
  /// The access that the user has without the grant, which the user's own entry must also include.
  public let kept: Permissions
  /// The user who gave access: the audit login user, or the real user of the process.
  public let giver: UInt32
  /// The start time, in seconds since 1970.
  public let start: Int64
  /// The end time, in seconds since 1970; `nil` if the grant is permanent.
  public let end: Int64?
  /// The end time in seconds on the clock that starts at boot and cannot be set; `nil` if
  /// permanent.
  public let deadline: Int64?
  /// The ID of the boot in which access was given (`/proc/sys/kernel/random/boot_id`).
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

  /// Returns an ID that no grant has had.
  ///
  /// - Parameter others: The IDs that must sort before it.
  /// - Returns: The ID.
  package static func newID(after others: [String] = []) -> String {
    // A step below 2^40 leaves room for millions of later IDs.
    let lowest = others.compactMap { UInt64($0, radix: 16) }.max().map { $0 &+ 1 }
    let number =
      lowest.map { $0 &+ UInt64.random(in: 0..<1 << 40) } ?? UInt64.random(in: 0..<1 << 63)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns whether a word has the form of a grant's ID.
  public static func isID(_ word: String) -> Bool {
    word.utf8.count == 16
      && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The duration in seconds; `nil` if the grant is permanent.
  public var duration: Int64? {
    // The record may contain any numbers.
    guard let end else { return nil }
    let (seconds, isTooLarge) = end.subtractingReportingOverflow(start)
    return isTooLarge ? nil : seconds
  }

  /// Returns the remaining time in seconds; `nil` if the grant is permanent.
  ///
  /// - Parameter uptime: The seconds since boot, including sleep.
  /// - Returns: The remaining time, which is negative if the grant has expired.
  public func rest(uptime: Int64) -> Int64? {
    guard let deadline else { return nil }
    let (seconds, isTooLarge) = deadline.subtractingReportingOverflow(uptime)
    return isTooLarge ? nil : seconds
  }

  /// Returns whether the grant has expired.
  ///
  /// - Parameters:
  ///   - uptime: The seconds since boot, including sleep.
  ///   - boot: The ID of the current boot.
  /// - Returns: `true` if the grant has expired; a permanent grant never expires.
  public func isOver(uptime: Int64, boot: String) -> Bool {
    guard let deadline else { return false }
    return boot != self.boot || uptime >= deadline
  }
}
