internal import AccessModel
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
