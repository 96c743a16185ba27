internal import AccessModel
internal import CLinux
internal import Glibc

/// An open pictures directory, to which pictures are added.
///
/// It is held by a descriptor: a directory that is moved or replaced meanwhile stays the one that was
/// opened. The calls block on the disk; they may be made from several threads at once, and any number
/// of processes may add to the same directory.
public struct Album: ~Copyable, Sendable {
  /// Where the directory was when it was opened.
  public let path: String
  private let directory: DeviceDescriptor

  /// Takes a descriptor over, which may be one that only names the directory (`O_PATH`).
  ///
  /// - Parameters:
  ///   - directory: The descriptor.
  ///   - path: What errors call the directory.
  public init(adopting directory: consuming DeviceDescriptor, path: String) {
    self.directory = directory
    self.path = path
  }

  /// Takes a copy of a descriptor, which stays the caller's.
  ///
  /// - Throws: `failed` where the process has no room for it.
  public init(duplicating directory: Int32, path: String) throws(AlbumError) {
    do throws(Errno) {
      let copy = try Errno.check(fcntl(directory, F_DUPFD_CLOEXEC, 3))
      self.init(adopting: DeviceDescriptor(adopting: copy), path: path)
    } catch {
      throw AlbumError(at: path, unableTo: "hold the directory", error)
    }
  }

  /// Opens a directory, following symbolic links as other programs do.
  ///
  /// - Throws: `absent`, `wrongObject` for what is not a directory, `refused` without search
  ///   permission on the way, and `invalidName` for a path that no system call takes.
  public init(path: String) throws(AlbumError) {
    self.init(adopting: try AlbumDirectory.open(path), path: path)
  }

  /// Adds a picture under the first free name.
  ///
  /// The bytes are on the disk and the file is whole before it has a name, so nobody sees a part of
  /// it, and no file is ever replaced. It is written without a name (`O_TMPFILE`), which leaves nothing
  /// behind where it fails; on a filesystem without that, and without `/proc`, under a hidden name
  /// that a crash can leave. The mode is 0666 without the umask.
  ///
  /// - Parameters:
  ///   - bytes: The picture.
  ///   - name: What it is to be called.
  /// - Returns: The name that it got.
  /// - Throws: `full` without room, `absent` where the directory was removed, `refused` without write
  ///   and search permission and on a read-only filesystem, `invalidName` where the filesystem takes
  ///   only shorter names, `failed` otherwise. The picture is then not there, except where the disk
  ///   failed to keep the directory after it was named.
  public borrowing func add(
    _ bytes: [UInt8], named name: PictureName
  ) throws(AlbumError) -> String {
    do throws(Errno) {
      return try NewPicture(bytes, name, in: directory.rawValue).add()
    } catch {
      throw AlbumError(at: path, unableTo: "add a picture", error)
    }
  }

  /// Closes the directory now.
  public consuming func close() {}
}
