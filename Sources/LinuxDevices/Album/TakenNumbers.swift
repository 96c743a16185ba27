internal import AccessModel
internal import Glibc

/// The numbers of a picture's name that a directory has.
///
/// One look at the directory stands for the many names that would be tried in vain; a name that
/// somebody takes later is still met when it is tried.
struct TakenNumbers {
  private var numbers: Set<UInt32> = []

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
        let file = buffer[place...].prefix { $0 != 0 }
        guard file.count > base.count + suffix.count, file.starts(with: base),
          file.suffix(suffix.count).elementsEqual(suffix)
        else { continue }
        let digits = file.dropFirst(base.count).dropLast(suffix.count)
        // No name is given with zeros before its number.
        guard digits.first != UInt8(ascii: "0"), let number = ByteScanner.number(digits) else {
          continue
        }
        numbers.insert(number)
      }
    }
  }

  func contains(_ number: Int) -> Bool {
    UInt32(exactly: number).map(numbers.contains) ?? false
  }
}
