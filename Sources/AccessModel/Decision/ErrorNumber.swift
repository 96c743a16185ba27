/// The error numbers of system calls that the permission layers return, as in
/// `asm-generic/errno.h`.
public enum ErrorNumber {
  /// `EPERM`: an immutable inode, a device control group or a seccomp filter.
  public static let notPermitted: Int32 = 1
  /// `ENOENT`: a name is not in its directory.
  public static let noEntry: Int32 = 2
  /// `EIO`: a broken access control list, or hardware that fails.
  public static let inputOutput: Int32 = 5
  /// `ENXIO`: no driver has registered the number of the node.
  public static let noDevice: Int32 = 6
  /// `EACCES`: a mode, a list, a mount or a security module.
  public static let accessDenied: Int32 = 13
  /// `EBUSY`: another program uses what only one may use.
  public static let busy: Int32 = 16
  /// `ENODEV`: the driver knows the number, and the device is gone.
  public static let noSuchDevice: Int32 = 19
  /// `ENOSPC`: the USB bus has no bandwidth left for a stream.
  public static let noSpace: Int32 = 28
  /// `ENOSYS`: the kernel has no such system call, or a filter says so.
  public static let notImplemented: Int32 = 38
  /// `EEXIST`: `O_EXCL`, and the name exists.
  public static let exists: Int32 = 17
  /// `ENOTDIR`: what must be a directory is none.
  public static let notDirectory: Int32 = 20
  /// `EISDIR`: a directory was opened to write.
  public static let isDirectory: Int32 = 21
  /// `EROFS`: the mount or the superblock is read-only.
  public static let readOnlyFilesystem: Int32 = 30
  /// `ENAMETOOLONG`: a name of more than 255 bytes, or a path of 4096 or more.
  public static let nameTooLong: Int32 = 36
  /// `EOVERFLOW`: the filesystem cannot hold the ids of who creates a file.
  public static let overflow: Int32 = 75
  /// `ELOOP`: more than 40 symbolic links, or one that must not be followed.
  public static let tooManyLinks: Int32 = 40
  /// `ENOKEY`: a module has no signature, and the kernel requires one.
  public static let noKey: Int32 = 126
  /// `EKEYREJECTED`: the kernel does not accept the signature of a module.
  public static let keyRejected: Int32 = 129
}
