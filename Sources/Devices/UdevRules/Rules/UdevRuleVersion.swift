/// A version of systemd, which determines how udev handles some rules.
public struct UdevRuleVersion: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The major number, such as 252.
  public let number: Int
  /// The number of the stable release, such as 39 in 252.39; `nil` if unknown.
  public let release: Int?

  /// Creates a version from a major number and, if known, the number of a stable release.
  public init(_ number: Int, release: Int? = nil) {
    self.number = number
    self.release = release
  }

  /// Creates a version from a major number.
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Returns `true` for a stable release with at least this number; `nil` if the release is
  /// unknown.
  private func isAtLeast(_ first: Int) -> Bool? { release.map { $0 >= first } }

  /// `true` if udevd reads rules in `/usr/local/lib/udev/rules.d`.
  var readsLocalFolder: Bool { number >= 243 }
  /// `true` if `SYMLINK-=` removes a link.
  var removesLinks: Bool { number >= 253 }
  /// `true` if the prefix `i` makes a match ignore the case of letters.
  var ignoresCaseOnRequest: Bool { number >= 257 }
  /// `true` if udevd ignores a whole file because of one line that is too long.
  ///
  /// Earlier versions ignore only the rest of the file.
  var dropsFilesWithLongLines: Bool { number >= 254 }
  /// `true` if `TAG!=` and `SYMLINK!=` match when no tag or link has the value.
  ///
  /// It is `false` if they match only when every tag or link has the value, or when there are none.
  /// It is `nil` if this depends on the stable release, which is unknown.
  var matchesNoneOfSeveral: Bool? {
    switch number {
    case 252: isAtLeast(10)
    case 253: isAtLeast(4)
    default: number >= 254
    }
  }
  /// `true` if `TAGS` matches only the current tags of a parent, `false` if it matches all tags
  /// that the parent has ever had.
  ///
  /// It is `nil` if this depends on the stable release, which is unknown.
  var matchesCurrentTags: Bool? {
    switch number {
    case 249: isAtLeast(16)
    case 250: isAtLeast(11)
    case 251: isAtLeast(12)
    case 252: isAtLeast(6)
    default: number >= 253
    }
  }
  /// `true` if udevd passes the format of current tags to a waiting process together with an event.
  ///
  /// Otherwise, that process treats all tags of the device as current.
  var tellsWaitingProcesses: Bool { number >= 250 }
  /// `true` if all processes of udevd know the format of current tags.
  var tellsAllProcesses: Bool { number >= 258 }
  /// `true` if a property with an empty value is kept, `false` if it is removed.
  ///
  /// It is `nil` if this depends on the stable release, and the release or its behavior is unknown.
  /// Releases that remove such a property also refuse values that are not printable UTF-8.
  var keepsEmptyProperties: Bool? {
    switch number {
    case 252: release.flatMap { $0 <= 39 ? true : nil }
    case 254: release.flatMap { $0 <= 26 ? true : nil }
    case 255: release.flatMap { $0 <= 13 ? true : nil }
    case 257: release.flatMap { $0 >= 13 ? false : nil }
    case 258: isAtLeast(6).map { !$0 }
    default: number < 254 ? true : number > 260 ? false : nil
    }
  }
  /// `true` if `IMPORT{db}` also finds the properties that only the event has, not just those in
  /// the `uevent` file.
  ///
  /// It is `nil` if this depends on the stable release, which is unknown.
  var copiesEvents: Bool? { number == 253 ? isAtLeast(6) : number > 253 }
  /// `true` if `IMPORT{parent}` fails when it finds nothing to import.
  var needsParentProperty: Bool { number >= 258 }
  /// `true` if udevd ignores an `OWNER` or `GROUP` whose ID is not that of a system account.
  var ignoresOrdinaryAccounts: Bool { number == 258 || number == 259 }
  /// The highest ID of a system account, which is the default of systemd (`system-uid-max`).
  package static let lastSystemAccount: UInt32 = 999
  /// Returns `true` if udevd ignores a user or group because of its ID.
  package func ignores(_ id: UInt32) -> Bool {
    ignoresOrdinaryAccounts && id > Self.lastSystemAccount
  }
  /// `true` if `OPTIONS` accepts `dump`.
  var dumps: Bool { number >= 258 }
  /// `true` if udevd still waits for the file that `WAIT_FOR` names.
  var waitsForFiles: Bool { number < 258 }
  /// `true` if `TAG=` with an invalid name still removes all tags.
  var checksTagsLate: Bool { number < 258 }
  /// `true` if udevd applies the part of a line before a key without an operator or a quoted value.
  ///
  /// Later versions ignore the whole line.
  var keepsPartBeforeError: Bool { number < 243 }
  /// `true` if udevd ignores a whole line because a user or group does not exist or is not
  /// accepted.
  ///
  /// Earlier versions ignore only that part of the line.
  package var ignoresLinesWithUnknownAccounts: Bool { number >= 258 }
  /// `true` if udevd checks and simplifies the names of links.
  var checksLinks: Bool { number >= 253 }
  /// `true` if `ENV{…}+=` also appends to the properties of udevd itself.
  var appendsToDaemonProperties: Bool { number >= 257 }
}
