/// The error numbers that the permission layers answer with, as in `asm-generic/errno.h`.
enum ErrorNumber {
  static let notPermitted: Int32 = 1  // EPERM
  static let noEntry: Int32 = 2  // ENOENT
  static let inputOutput: Int32 = 5  // EIO
  static let noDevice: Int32 = 6  // ENXIO
  static let accessDenied: Int32 = 13  // EACCES
  static let busy: Int32 = 16  // EBUSY
  static let noSuchDevice: Int32 = 19  // ENODEV
  static let noSpace: Int32 = 28  // ENOSPC
  static let notImplemented: Int32 = 38  // ENOSYS
  static let exists: Int32 = 17  // EEXIST
  static let notDirectory: Int32 = 20  // ENOTDIR
  static let isDirectory: Int32 = 21  // EISDIR
  static let readOnlyFilesystem: Int32 = 30  // EROFS
  static let nameTooLong: Int32 = 36  // ENAMETOOLONG
  static let overflow: Int32 = 75  // EOVERFLOW
  static let tooManyLinks: Int32 = 40  // ELOOP
}
