/// The error numbers of system calls that the permission layers return, as in
/// `asm-generic/errno.h`.
public enum ErrorNumber {
  public static let notPermitted: Int32 = 1  // EPERM
  public static let noEntry: Int32 = 2  // ENOENT
  public static let inputOutput: Int32 = 5  // EIO
  public static let noDevice: Int32 = 6  // ENXIO
  public static let accessDenied: Int32 = 13  // EACCES
  public static let busy: Int32 = 16  // EBUSY
  public static let noSuchDevice: Int32 = 19  // ENODEV
  public static let noSpace: Int32 = 28  // ENOSPC
  public static let notImplemented: Int32 = 38  // ENOSYS
  public static let exists: Int32 = 17  // EEXIST
  public static let notDirectory: Int32 = 20  // ENOTDIR
  public static let isDirectory: Int32 = 21  // EISDIR
  public static let readOnlyFilesystem: Int32 = 30  // EROFS
  public static let nameTooLong: Int32 = 36  // ENAMETOOLONG
  public static let overflow: Int32 = 75  // EOVERFLOW
  public static let tooManyLinks: Int32 = 40  // ELOOP
  public static let noKey: Int32 = 126  // ENOKEY
  public static let keyRejected: Int32 = 129  // EKEYREJECTED
}
