internal import AccessModel
internal import Glibc

/// The numbers of a picture's name that a directory has.
///
/// One look at the directory stands for the many names that would be tried in vain; a name that
/// somebody takes later is still met when it is tried.
struct TakenNumbers {
  /// A bit for each number that is ever tried, whatever the directory holds.
  private var bits = [UInt64](repeating: 0, count: PictureName.mostNumbers / 64 + 1)

  /// Lists the directory, through a descriptor of its own: the offset of the other one stays.
  ///
  /// - Throws: `EACCES` where the directory may not be read, and what keeps it from being listed.
  init(of name: PictureName, in directory: Int32) throws(Errno) {
    let listed = try OwnedDescriptor(
      unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    let base = Array((name.base + name.separator).utf8)
    let suffix = Array((name.suffix.isEmpty ? "" : ".\(name.suffix)").utf8)
    var buffer = [UInt8](repeating: 0, count: 1 << 15)
    while let end = try DirectoryEntries.fill(&buffer, from: listed.number) {
      var entries = DirectoryEntries(end: end)
      while let place = entries.next(in: buffer) {
        guard let number = Self.number(at: place, in: buffer, base, suffix) else { continue }
        bits[number / 64] |= 1 << UInt64(number % 64)
      }
    }
  }

  /// The number of the name at a place, which ends with a zero; `nil` for a name that is never tried.
  private static func number(
    at place: Int, in buffer: [UInt8], _ base: [UInt8], _ suffix: [UInt8]
  ) -> Int? {
    var place = place
    for byte in base {
      guard buffer[place] == byte else { return nil }
      place += 1
    }
    // No name is given with zeros before its number.
    guard buffer[place] != UInt8(ascii: "0") else { return nil }
    var number = 0
    let digits = place
    while case let digit = Int(buffer[place]) - Int(UInt8(ascii: "0")), (0...9).contains(digit) {
      number = number * 10 + digit
      guard number <= PictureName.mostNumbers else { return nil }
      place += 1
    }
    guard place > digits else { return nil }
    for byte in suffix {
      guard buffer[place] == byte else { return nil }
      place += 1
    }
    return buffer[place] == 0 ? number : nil
  }

  func contains(_ number: Int) -> Bool {
    bits[number / 64] & 1 << UInt64(number % 64) != 0
  }
}
