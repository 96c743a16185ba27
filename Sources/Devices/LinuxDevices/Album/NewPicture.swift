internal import AccessModel
internal import CLinux
internal import Glibc

/// Adds a picture to a directory completely or not at all.
struct NewPicture {
  /// The number of the first name that is tried only after the directory has been listed.
  static let mostTrials = 32

  private let bytes: [UInt8]
  private let name: PictureName
  private let directory: Int32

  init(_ bytes: [UInt8], _ name: PictureName, in directory: Int32) {
    self.bytes = bytes
    self.name = name
    self.directory = directory
  }

  /// Adds the picture without a temporary name if possible, otherwise with one.
  func add() throws(Errno) -> String {
    do throws(Errno) {
      return try addUnnamed()
    } catch {
      guard Self.lacksUnnamedFiles(error) else { throw error }
      return try addHidden()
    }
  }

  private func addUnnamed() throws(Errno) -> String {
    let file = try OwnedDescriptor(negated: clinux_unnamed_file(directory, 0o666))
    try WholeFile.fill(file.number, with: bytes)
    let final = try firstFree { unsafe clinux_name_file(file.number, directory, $0) }
    try keep(file.number)
    return final
  }

  /// Returns whether an error means that unnamed files cannot be created or named.
  ///
  /// Possible causes are the filesystem, an old kernel, a missing `/proc`, or no support for hard
  /// links.
  private static func lacksUnnamedFiles(_ error: Errno) -> Bool {
    switch error {
    case .notSupported, .isDirectory, .invalidArgument, .noSystemCall, .noSuchFile, .notPermitted:
      true
    default: false
    }
  }

  /// Adds the picture under a hidden temporary name first, which may remain after a crash.
  func addHidden() throws(Errno) -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let hidden = ByteText(".devaccess-\(digits)").cString
    let file = try OwnedDescriptor(
      unsafe openat(
        directory, hidden, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666))
    let final: String
    do throws(Errno) {
      try WholeFile.fill(file.number, with: bytes)
      final = try firstFree { final in
        let result = unsafe clinux_rename_new(directory, hidden, final)
        guard [-EINVAL, -ENOSYS, -EOPNOTSUPP].contains(result) else { return result }
        // Some network filesystems do not support RENAME_NOREPLACE.
        guard unsafe linkat(directory, hidden, directory, final, 0) == 0 else { return -errno }
        unsafe unlinkat(directory, hidden, 0)
        return 0
      }
    } catch {
      unsafe unlinkat(directory, hidden, 0)
      throw error
    }
    try keep(file.number)
    return final
  }

  /// Tries the names of the pattern in order until one is free.
  ///
  /// - Parameter take: Gives the file the name, and returns 0 or `-errno`.
  /// - Throws: The error that `take` returned, or `EEXIST` if all names are taken.
  /// - Returns: The name.
  func firstFree(_ take: ([CChar]) -> Int32) throws(Errno) -> String {
    var taken: UsedNumbers?
    for number in 1...PictureName.mostNumbers {
      // A few attempts are faster than listing the directory, which might not be readable.
      if number == Self.mostTrials { taken = try? UsedNumbers(of: name, in: directory) }
      if taken?.contains(number) == true { continue }
      let final = name.file(number)
      let result = take(ByteText(final).cString)
      if result == 0 { return final }
      if result != -EEXIST { throw Errno(negated: result) }
    }
    throw .exists
  }

  /// Flushes the name of the picture to disk.
  ///
  /// - Throws: `EIO` if that fails for any reason. The picture already has its name, so the caller
  ///   must not add it again.
  private func keep(_ file: Int32) throws(Errno) {
    if fsync(directory) == 0 { return }
    switch Errno.current {
    // Some filesystems do not support fsync(2) on directories.
    case .invalidArgument, .notSupported: return
    // An unreadable directory was opened with O_PATH, which fsync(2) rejects.
    case .badDescriptor: if clinux_sync_filesystem(file) == 0 { return }
    default: break
    }
    throw .inputOutput
  }
}

/// A pattern for the file names of pictures: `IMG 1.png`, `IMG 2.png` and so on.
public struct PictureName: Hashable, Sendable {
  /// The text before the number, such as `IMG`.
  public let base: String
  /// The text after the number and a dot, such as `png`; empty for a name without a dot.
  public let suffix: String
  /// The text between the base and the number.
  public let separator: String

  /// The highest number to try.
  public static let mostNumbers = 1_000_000
  /// The maximum length of a file name in bytes (`NAME_MAX`).
  static let longest = 255

  /// Creates a pattern whose file names are valid for every number.
  ///
  /// - Parameters:
  ///   - base: The text before the number. It must not be empty or start with a dot, which would
  ///     hide the picture.
  ///   - suffix: The text after the number and a dot.
  ///   - separator: The text between the base and the number.
  /// - Throws: `invalidName` if `base` is empty or starts with a dot, if any part contains a slash
  ///   or a NUL byte, or if the name with the highest number is longer than 255 bytes.
  public init(
    _ base: String, suffix: String, separator: String = " "
  ) throws(AlbumError) {
    self.base = base
    self.suffix = suffix
    self.separator = separator
    func invalid(_ reason: String) -> AlbumError {
      AlbumError(.invalidName, at: base, "invalid picture name: \(reason)")
    }
    guard !base.isEmpty else { throw invalid("the name is empty") }
    guard base.utf8.first != UInt8(ascii: ".") else { throw invalid("it begins with a dot") }
    for part in [base, suffix, separator] {
      guard !part.utf8.contains(UInt8(ascii: "/")) else { throw invalid("it contains a slash") }
      guard !part.utf8.contains(0) else { throw invalid("it contains a NUL byte") }
    }
    guard ByteText(file(Self.mostNumbers)).byteCount <= Self.longest else {
      throw invalid("it is longer than \(Self.longest) bytes with its number")
    }
  }

  /// Returns the file name with the given number.
  func file(_ number: Int) -> String {
    "\(base)\(separator)\(number)\(suffix.isEmpty ? "" : ".")\(suffix)"
  }
}

/// The numbers of a picture name pattern that are already used in a directory.
///
/// Listing the directory once avoids many failed attempts. A name that is taken afterwards is still
/// detected when it is tried.
struct UsedNumbers {
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
