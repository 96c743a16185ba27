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

  /// Whether `SYMLINK-=` takes a link away.
  var removesLinks: Bool { number >= 253 }
  /// Whether a value may begin with `i`, so that the case of letters does not matter.
  var ignoresCaseOnRequest: Bool { number >= 257 }
  /// Whether one line that is too long makes udevd ignore the whole file, not only its rest.
  var dropsFilesWithLongLines: Bool { number >= 254 }
  /// Whether `TAG!=` and `SYMLINK!=` mean that none has the value, not that all have it; `nil` where
  /// the stable release decides, which is not known well enough.
  var matchesNoneOfSeveral: Bool? {
    number >= 258 || (number == 252 && (release ?? 0) >= 39) ? true : nil
  }
  /// Whether `TAG` asks for the tags of this event only, not for all that the device ever had.
  var matchesCurrentTags: Bool { number >= 258 }
  /// Whether `IMPORT{parent}` fails when it finds nothing to import.
  var needsParentProperty: Bool { number >= 258 }
  /// Whether `OPTIONS` takes `dump`.
  var dumps: Bool { number >= 258 }
  /// Whether udevd still waits for files at `WAIT_FOR`.
  var waitsForFiles: Bool { number < 258 }
  /// Whether `TAG=` with an invalid name removes all tags nevertheless.
  var checksTagsLate: Bool { number < 258 }
  /// Whether names of links are checked and simplified.
  var checksLinks: Bool { number >= 253 }
  /// Whether properties of udevd's own take part in `ENV{…}+=`.
  var appendsToDaemonProperties: Bool { number >= 257 }
}
