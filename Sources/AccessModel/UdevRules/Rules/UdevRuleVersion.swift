/// A version of systemd, as far as udev's rules differ between versions.
public struct UdevRuleVersion: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The major number, such as 252.
  public let number: Int
  /// The number of the stable release, such as 39 of 252.39; `nil` when it is not known.
  public let release: Int?

  /// Takes a major number, and the number of a stable release.
  public init(_ number: Int, release: Int? = nil) {
    self.number = number
    self.release = release
  }

  /// Takes a major number.
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Whether this is one of the stable releases from a number on; `nil` when it is not known.
  private func isAtLeast(_ first: Int) -> Bool? { release.map { $0 >= first } }

  /// Whether `SYMLINK-=` takes a link away.
  var removesLinks: Bool { number >= 253 }
  /// Whether a value may begin with `i`, so that the case of letters does not matter.
  var ignoresCaseOnRequest: Bool { number >= 257 }
  /// Whether one line that is too long makes udevd ignore the whole file, not only its rest.
  var dropsFilesWithLongLines: Bool { number >= 254 }
  /// Whether `TAG!=` and `SYMLINK!=` mean that none has the value, not that all have it; `nil` where
  /// the stable release decides, and is not known.
  var matchesNoneOfSeveral: Bool? {
    switch number {
    case 252: isAtLeast(10)
    case 253: isAtLeast(4)
    default: number >= 254
    }
  }
  /// Whether `TAGS` asks a parent for the tags of its last event only, not for all that it ever had;
  /// `nil` where the stable release decides, and is not known.
  var matchesCurrentTags: Bool? {
    switch number {
    case 249: isAtLeast(16)
    case 250: isAtLeast(11)
    case 251: isAtLeast(12)
    case 252: isAtLeast(6)
    default: number >= 253
    }
  }
  /// Whether udevd tells a waiting process, which it hands an event to, how current tags are kept.
  ///
  /// Without that, all tags of the device count as current there.
  var tellsWaitingProcesses: Bool { number >= 250 }
  /// Whether all processes of udevd know how current tags are kept.
  var tellsAllProcesses: Bool { number >= 258 }
  /// Whether a property whose value turns out empty stays with that value, and is not removed; `nil`
  /// where the stable release decides, or where it is not known which do.
  ///
  /// Releases that remove it also refuse values that are not printable UTF-8.
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
  /// Whether the copy of the device that `IMPORT{db}` asks has what came with the event alone, besides
  /// what is in its `uevent` file; `nil` where the stable release decides, and is not known.
  var copiesEvents: Bool? { number == 253 ? isAtLeast(6) : number > 253 }
  /// Whether `IMPORT{parent}` fails when it finds nothing to import.
  var needsParentProperty: Bool { number >= 258 }
  /// Whether `OWNER` and `GROUP` are ignored if they name an ordinary user or group, whose number is
  /// above those of system accounts.
  var ignoresOrdinaryAccounts: Bool { number == 258 || number == 259 }
  /// The highest number of a system account; the default of systemd (`system-uid-max`).
  static let lastSystemAccount: UInt32 = 999
  /// Whether a user or group that a rule names has no effect because of its number.
  func ignores(_ id: UInt32) -> Bool { ignoresOrdinaryAccounts && id > Self.lastSystemAccount }
  /// Whether `OPTIONS` takes `dump`.
  var dumps: Bool { number >= 258 }
  /// Whether udevd still waits for files at `WAIT_FOR`.
  var waitsForFiles: Bool { number < 258 }
  /// Whether `TAG=` with an invalid name removes all tags nevertheless.
  var checksTagsLate: Bool { number < 258 }
  /// Whether a key without an operator or a quoted value ends the line, whose part before it counts;
  /// later releases ignore the whole line.
  var keepsPartBeforeError: Bool { number < 243 }
  /// Whether a line that names a user or group that udevd does not find or accept is ignored as a
  /// whole; earlier releases ignore only that part.
  var ignoresLinesWithUnknownAccounts: Bool { number >= 258 }
  /// Whether names of links are checked and simplified.
  var checksLinks: Bool { number >= 253 }
  /// Whether properties of udevd's own take part in `ENV{…}+=`.
  var appendsToDaemonProperties: Bool { number >= 257 }
}
