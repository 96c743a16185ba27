public import AccessModel
internal import CLinux
internal import Glibc

/// An open pictures directory to which pictures can be added.
///
/// The album keeps a descriptor, so it still refers to the same directory if that is moved or
/// replaced. Its methods block on the filesystem. They may be called from several threads at once,
/// and several processes may add pictures to the same directory.
public struct Album: ~Copyable, Sendable {
  /// The path of the directory when it was opened.
  public let path: String
  private let directory: DeviceDescriptor

  /// Creates an album that takes ownership of a descriptor.
  ///
  /// - Parameters:
  ///   - directory: The descriptor of the directory, which may be opened with `O_PATH`.
  ///   - path: The path to use in errors.
  public init(adopting directory: consuming DeviceDescriptor, path: String) {
    self.directory = directory
    self.path = path
  }

  /// Creates an album with a duplicate of a descriptor, which the caller continues to own.
  ///
  /// - Throws: `failed` if the descriptor cannot be duplicated, for example because the process has
  ///   too many open files.
  public init(duplicating directory: Int32, path: String) throws(AlbumError) {
    do throws(Errno) {
      let copy = try Errno.check(fcntl(directory, F_DUPFD_CLOEXEC, 3))
      self.init(adopting: DeviceDescriptor(adopting: copy), path: path)
    } catch {
      throw AlbumError(at: path, unableTo: "hold the directory", error)
    }
  }

  /// Opens a directory, following symbolic links.
  ///
  /// - Throws: `absent` if the directory does not exist, `wrongObject` if the path leads to
  ///   something else, `refused` without search permission on the path, or `invalidName` if no
  ///   system call accepts the path.
  public init(path: String) throws(AlbumError) {
    self.init(adopting: try AlbumDirectory.open(path), path: path)
  }

  /// Adds a picture under the first free name.
  ///
  /// The picture gets its name only after all bytes are on disk, so other processes never see an
  /// incomplete file. Existing files are never replaced. The file is created without a name
  /// (`O_TMPFILE`), so a failure leaves nothing behind. If the filesystem does not support that or
  /// `/proc` is not mounted, the file gets a hidden temporary name, which remains after a crash.
  /// The mode is 0666 minus the umask.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the picture.
  ///   - name: The pattern of the file name.
  /// - Returns: The file name.
  /// - Throws: `full` if there is no space, `absent` if the directory was removed, `refused`
  ///   without write and search permission or on a read-only filesystem, `invalidName` if the name
  ///   is too long for the filesystem, or `failed`. No picture was added, unless the directory
  ///   could not be flushed to disk after the picture got its name.
  public borrowing func add(
    _ bytes: [UInt8], named name: PictureName
  ) throws(AlbumError) -> String {
    do throws(Errno) {
      return try NewPicture(bytes, name, in: directory.rawValue).add()
    } catch {
      throw AlbumError(at: path, unableTo: "add a picture", error)
    }
  }

  /// Closes the directory.
  public consuming func close() {}
}

/// The files of a pictures directory, divided into those that this process can and cannot read.
///
/// Directories, their contents and hidden files are left out.
public struct AlbumContents: Hashable, Sendable {
  /// The names of the readable files, sorted; untrusted text.
  public var readable: [String]
  /// The names of the unreadable files, sorted; untrusted text.
  public var unreadable: [String]
  /// A Boolean value that indicates whether all files were checked.
  ///
  /// It is `false` if the directory contains more than ``mostFiles`` entries.
  public var isComplete: Bool

  /// The maximum number of directory entries to check.
  public static let mostFiles = 1_000

  /// Creates a list.
  public init(readable: [String], unreadable: [String], isComplete: Bool = true) {
    self.readable = readable
    self.unreadable = unreadable
    self.isComplete = isComplete
  }
}

extension AlbumContents {
  /// Checks which files of a directory are readable, without opening them.
  ///
  /// The kernel decides for each file. A file is in neither list if the check is unavailable or
  /// fails for a reason other than permissions. Sockets, pipes and devices are left out. Symbolic
  /// links are followed.
  ///
  /// - Throws: The error from listing the directory.
  init(at path: String) throws(Errno) {
    self.init(readable: [], unreadable: [])
    let directory = try OpenDirectory(path)
    var buffer = [UInt8](repeating: 0, count: 1 << 15)
    var count = 0
    while let end = try DirectoryEntries.fill(&buffer, from: directory.descriptor) {
      var entries = DirectoryEntries(end: end)
      while let place = entries.next(in: buffer) {
        guard count < Self.mostFiles else {
          isComplete = false
          sort()
          return
        }
        count += 1
        add(ByteText(bytes: Array(buffer[place...].prefix { $0 != 0 })).text, path, directory)
      }
    }
    sort()
  }

  private mutating func sort() {
    readable.sort()
    unreadable.sort()
  }

  private mutating func add(_ name: String, _ path: String, _ directory: borrowing OpenDirectory) {
    var status = stat()
    guard
      unsafe fstatat(directory.descriptor, ByteText(name).cString, &status, 0) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return }
    switch FileAccessCheck.ask("\(path)/\(name)", .read) {
    case .success?: readable.append(name)
    case .permissionDenied?, .notPermitted?: unreadable.append(name)
    default: break
    }
  }
}

/// Opens pictures directories, and creates missing ones.
enum AlbumDirectory {
  /// Opens a directory, following symbolic links.
  static func open(_ path: String) throws(AlbumError) -> DeviceDescriptor {
    guard !path.isEmpty, !path.utf8.contains(0), ByteText(path).byteCount < AbsolutePath.longest
    else { throw AlbumError(.invalidName, at: path, "it cannot be a path") }
    do throws(Errno) {
      return try open(path, in: AT_FDCWD, following: true)
    } catch {
      throw AlbumError(at: path, unableTo: "open the directory", error)
    }
  }

  /// Creates a directory with mode 0700 in a home directory, and opens it.
  ///
  /// The home directory and all directories below it on the path must belong to the caller. Below
  /// the home directory, no symbolic link is followed, and all directories but the last must exist.
  /// Each is opened through the descriptor of its parent, so a concurrent move cannot redirect the
  /// path. If the directory already exists, it is opened.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the directory.
  ///   - home: The absolute path of the home directory, whose symbolic links are followed.
  /// - Throws: `foreignPlace` if the directory is not below the home directory, `wrongObject`,
  ///   `absent` if the parent directory is missing, or another error that the kernel returned.
  /// - Returns: The descriptor of the directory.
  static func make(_ path: String, below home: String) throws(AlbumError) -> DeviceDescriptor {
    let all = AbsolutePath.components(of: path)
    let names = all.dropFirst(AbsolutePath.components(of: home).count)
    guard all.starts(with: AbsolutePath.components(of: home)), let last = names.last,
      !all.contains(where: { $0 == ".." || $0 == "." }), !path.utf8.contains(0)
    else {
      throw AlbumError(
        .foreignPlace, at: path, "it is not in your home directory, so it is not created")
    }
    do throws(Errno) {
      var place = try OwnedDescriptor(
        unsafe Glibc.open(ByteText(home).cString, clinux_named_directory))
      try requireOwn(place.number, path)
      for name in names.dropLast() {
        let next = try OwnedDescriptor(
          unsafe openat(place.number, ByteText(name).cString, clinux_named_directory | O_NOFOLLOW))
        place = next
        try requireOwn(place.number, path)
      }
      if unsafe mkdirat(place.number, ByteText(last).cString, 0o700) != 0, errno != EEXIST {
        throw .current
      }
      let directory = try open(last, in: place.number, following: false)
      try requireOwn(directory.rawValue, path)
      return directory
    } catch {
      throw AlbumError(at: path, unableTo: "create the directory", error)
    }
  }

  /// Throws `EPERM` unless the caller owns the directory.
  private static func requireOwn(_ directory: Int32, _ path: String) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe fstat(directory, &status))
    guard status.st_uid == geteuid() else { throw .notPermitted }
  }

  /// Opens a directory for reading, or with `O_PATH` if it is not readable.
  ///
  /// Only a readable descriptor can be used to flush the directory to disk.
  private static func open(
    _ name: String, in place: Int32, following: Bool
  ) throws(Errno) -> DeviceDescriptor {
    let link = following ? 0 : O_NOFOLLOW
    let name = ByteText(name).cString
    let readable = unsafe openat(place, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | link)
    if readable >= 0 { return DeviceDescriptor(adopting: readable) }
    guard Errno.current == .permissionDenied else { throw .current }
    return DeviceDescriptor(
      adopting: try Errno.check(unsafe openat(place, name, clinux_named_directory | link)))
  }
}

/// An error from opening or creating a pictures directory, or from adding a picture.
public struct AlbumError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case invalidName, absent, wrongObject, foreignPlace, refused, full, failed
    }

    private let word: Word

    /// The name is not valid.
    public static let invalidName = Code(word: .invalidName)
    /// The directory does not exist, or was removed.
    public static let absent = Code(word: .absent)
    /// The path leads to a symbolic link or another object of the wrong type.
    public static let wrongObject = Code(word: .wrongObject)
    /// The directory is not in the caller's home directory.
    public static let foreignPlace = Code(word: .foreignPlace)
    /// The kernel refused access to this process.
    public static let refused = Code(word: .refused)
    /// The filesystem is full, or the file would exceed a quota or a limit of the process.
    public static let full = Code(word: .full)
    /// A system call failed for another reason.
    public static let failed = Code(word: .failed)

    public var description: String { word.rawValue }
  }

  /// The kind of error.
  public var code: Code
  /// The path of the directory, or the requested name; it may contain untrusted text.
  public var path: String
  /// The reason, as one clause.
  public var reason: String
  /// The error number, if a system call failed.
  public var errno: Errno?

  /// A one-line message, in which the path is not escaped.
  public var description: String { "\(path): \(reason)" }

  /// Creates an error without an error number.
  public init(_ code: Code, at path: String, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// Creates an error for a failed system call.
  ///
  /// - Parameters:
  ///   - path: The path of the directory or file.
  ///   - operation: The attempted operation, such as `add a picture`.
  ///   - errno: The error number.
  init(at path: String, unableTo operation: String, _ errno: Errno) {
    self.path = path
    self.errno = errno
    reason = "cannot \(operation): \(errno.clause)"
    code =
      switch errno {
      case .noSuchFile: .absent
      case .tooManyLinks, .notDirectory: .wrongObject
      case .permissionDenied, .notPermitted, .readOnlyFilesystem: .refused
      case .noSpace, .fileTooLarge, .overQuota: .full
      case .nameTooLong: .invalidName
      default: .failed
      }
  }
}
