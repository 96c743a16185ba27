internal import AccessModel
internal import CLinux
internal import Glibc

/// A picture on its way into a directory, where it is there whole or not at all.
struct NewPicture {
  /// How many names are tried before the directory is listed.
  static let mostTrials = 32

  private let bytes: [UInt8]
  private let name: PictureName
  private let directory: Int32

  init(_ bytes: [UInt8], _ name: PictureName, in directory: Int32) {
    self.bytes = bytes
    self.name = name
    self.directory = directory
  }

  /// Adds it, without a name until it is whole where the filesystem can do that.
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

  /// What filesystems and kernels answer that cannot make or name such a file: a filesystem without
  /// them, an old kernel, no `/proc`, no hard links.
  private static func lacksUnnamedFiles(_ error: Errno) -> Bool {
    switch error {
    case .notSupported, .isDirectory, .invalidArgument, .noSystemCall, .noSuchFile, .notPermitted:
      true
    default: false
    }
  }

  /// Adds it under a hidden name first, which is the only one that a crash can leave.
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
        // A filesystem of the network may not know how to rename so.
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

  /// Tries one name after the other until nobody has it.
  ///
  /// - Parameter take: Gives the file a name, and returns 0 or `-errno`.
  /// - Throws: What `take` answers, and `EEXIST` after the last number.
  /// - Returns: The name.
  func firstFree(_ take: ([CChar]) -> Int32) throws(Errno) -> String {
    var taken: TakenNumbers?
    for number in 1...PictureName.mostNumbers {
      // Few names are tried sooner than a directory is listed, which may not even be allowed.
      if number == Self.mostTrials { taken = try? TakenNumbers(of: name, in: directory) }
      if taken?.contains(number) == true { continue }
      let final = name.file(number)
      let result = take(ByteText(final).cString)
      if result == 0 { return final }
      if result != -EEXIST { throw Errno(negated: result) }
    }
    throw .exists
  }

  /// Has the disk keep the name, too.
  ///
  /// - Throws: `EIO`, whatever the disk answers: the picture has a name by now, and is not to be added
  ///   once more.
  private func keep(_ file: Int32) throws(Errno) {
    if fsync(directory) == 0 { return }
    switch Errno.current {
    // Some filesystems cannot do it for a directory, and have nothing to keep.
    case .invalidArgument, .notSupported: return
    // A directory that may not be read is open only to be named.
    case .badDescriptor: if clinux_sync_filesystem(file) == 0 { return }
    default: break
    }
    throw .inputOutput
  }
}
