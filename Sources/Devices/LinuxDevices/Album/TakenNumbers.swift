internal import AccessModel
internal import Glibc

/// The numbers of a picture name pattern that are already used in a directory.
///
/// Listing the directory once avoids many failed attempts. A name that is taken afterwards is still
/// detected when it is tried.
struct TakenNumbers {
  /// One bit for each possible number, so the size does not depend on the directory.
  private var bits = [UInt64](repeating: 0, count: PictureName.mostNumbers / 64 + 1)

  /// Lists the directory through a new descriptor, so the file offset of `directory` does not
  /// change.
  ///
  /// - Throws: `EACCES` if the directory is not readable, or another error from listing it.
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

  /// Parses the number in the NUL-terminated name at an offset.
  ///
  /// - Returns: The number; `nil` if the name does not match the pattern.
  private static func number(
    at place: Int, in buffer: [UInt8], _ base: [UInt8], _ suffix: [UInt8]
  ) -> Int? {
    var place = place
    for byte in base {
      guard buffer[place] == byte else { return nil }
      place += 1
    }
    // A name with leading zeros does not belong to the pattern.
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
