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
    var taken: TakenNumbers?
    for number in 1...PictureName.mostNumbers {
      // A few attempts are faster than listing the directory, which may not be readable.
      if number == Self.mostTrials { taken = try? TakenNumbers(of: name, in: directory) }
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
