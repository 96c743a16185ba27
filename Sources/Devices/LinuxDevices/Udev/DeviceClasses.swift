/// The device classes and their major numbers, from `/proc/devices` (proc(5)).
struct DeviceClasses: Hashable, Sendable {
  /// A major number, with the name that its driver registered.
  struct Class: Hashable, Sendable {
    var isBlock: Bool
    var major: UInt32
    var name: String
  }

  private(set) var classes: [Class] = []

  static let limit = 1 << 18

  /// `VIDEO_MAJOR` in the kernel's `media/v4l2-dev.h`.
  static let videoMajor: UInt32 = 81
  /// `MISC_MAJOR` in the kernel's `linux/miscdevice.h`.
  static let miscMajor: UInt32 = 10

  /// Parses the sections `Character devices:` and `Block devices:`.
  init(parsing bytes: [UInt8]) {
    var isBlock = false
    for line in bytes.split(separator: ByteScanner.newline) {
      let words = ByteScanner.words(line)
      if words.count == 2, let number = ByteScanner.number(words[0]) {
        guard classes.count < 4096 else { return }
        classes.append(
          Class(
            isBlock: isBlock, major: number, name: String(repairing: words[1], limit: 256)))
      } else if line.starts(with: Array("Block".utf8)) {
        isBlock = true
      } else if line.starts(with: Array("Character".utf8)) {
        isBlock = false
      }
    }
  }

  /// Returns the major numbers of the classes whose names match a pattern (fnmatch(3): `*` and
  /// `?`).
  func majors(matching pattern: String, isBlock: Bool) -> [UInt32] {
    let pattern = Array(pattern.utf8)
    return classes.filter { $0.isBlock == isBlock && Self.matches(Array($0.name.utf8), pattern) }
      .map(\.major)
  }

  /// Returns whether a name matches a pattern.
  ///
  /// Only the last `*` is retried, so the time is at most proportional to the product of the
  /// lengths.
  static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (i, j) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while i < name.count {
      if j < pattern.count, pattern[j] == UInt8(ascii: "*") {
        star = (j, i)
        j += 1
      } else if j < pattern.count, pattern[j] == UInt8(ascii: "?") || pattern[j] == name[i] {
        i += 1
        j += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        j = last.pattern + 1
        i = last.name + 1
      } else {
        return false
      }
    }
    return pattern[j...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
