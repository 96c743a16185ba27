/// A grant that gives a user access to one object, temporarily or permanently.
public struct AccessGrant: Hashable, Sendable, Codable {
  /// The identifier of the grant: 16 hexadecimal digits.
  public let id: String
  /// The user who was given access, in the ID numbering of the process that gave it.
  public let user: UInt32
  /// The name of the user; `nil` if the user database has none.
  public let userName: String?
  /// The access that was asked for.
  public let permissions: Permissions
  /// The access that the user had without the grant, which the user's own entry must include too.
  public let kept: Permissions
  /// The user who gave access: the login user of the audit system, or the real user of the process.
  public let giver: UInt32
  /// The start time, in seconds since 1970.
  public let start: Int64
  /// The end time, in seconds since 1970; `nil` if the grant is permanent.
  public let end: Int64?
  /// The end time on the clock that counts from boot and cannot be set, in seconds.
  public let deadline: Int64?
  /// The ID of the boot when access was given (`/proc/sys/kernel/random/boot_id`).
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

  /// Returns an identifier that no grant has had.
  ///
  /// - Parameter others: The identifiers that must sort before it.
  /// - Returns: The identifier.
  package static func newID(after others: [String] = []) -> String {
    // A step below 2^40 leaves room for millions of later identifiers.
    let lowest = others.compactMap { UInt64($0, radix: 16) }.max().map { $0 &+ 1 }
    let number =
      lowest.map { $0 &+ UInt64.random(in: 0..<1 << 40) } ?? UInt64.random(in: 0..<1 << 63)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns `true` if a word has the form of an identifier.
  public static func isID(_ word: String) -> Bool {
    word.utf8.count == 16
      && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The duration in seconds; `nil` if the grant is permanent.
  public var duration: Int64? {
    // The record that it is read from may contain any number.
    guard let end else { return nil }
    let (seconds, isTooLarge) = end.subtractingReportingOverflow(start)
    return isTooLarge ? nil : seconds
  }

  /// Returns the remaining time in seconds; `nil` if the grant is permanent.
  ///
  /// - Parameter uptime: The seconds since boot, including sleep.
  /// - Returns: The time, which is negative if the grant has expired.
  public func rest(uptime: Int64) -> Int64? {
    guard let deadline else { return nil }
    let (seconds, isTooLarge) = deadline.subtractingReportingOverflow(uptime)
    return isTooLarge ? nil : seconds
  }

  /// Returns `true` if the grant has expired.
  ///
  /// - Parameters:
  ///   - uptime: The seconds since boot, including sleep.
  ///   - boot: The ID of the current boot.
  /// - Returns: `true` if it has expired; a grant without an end never expires.
  public func isOver(uptime: Int64, boot: String) -> Bool {
    guard let deadline else { return false }
    return boot != self.boot || uptime >= deadline
  }
}
