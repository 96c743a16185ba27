extension Errno {
  /// The call succeeded.
  public static let success: Errno = 0
  /// `EPERM`: refused by an immutable inode, a device control group or a seccomp filter.
  public static let notPermitted: Errno = 1
  /// `ENOENT`: a name does not exist in its directory.
  public static let noSuchFile: Errno = 2
  /// `ESRCH`: the process has ended.
  public static let noSuchProcess: Errno = 3
  /// `EINTR`: a signal interrupted the call.
  public static let interrupted: Errno = 4
  /// `EIO`: an access control list is corrupt, or the hardware failed.
  public static let inputOutput: Errno = 5
  /// `ENXIO`: no driver has registered the node's device number.
  public static let noSuchAddress: Errno = 6
  /// `E2BIG`: more data was found than the limit allows.
  public static let tooBig: Errno = 7
  /// `EBADF`: the descriptor is not open, or refers to an unexpected object.
  public static let badDescriptor: Errno = 9
  /// `EAGAIN`: no data is available yet, or a limit on processes was reached.
  public static let tryAgain: Errno = 11
  /// `ENOMEM`: the kernel is out of memory.
  public static let noMemory: Errno = 12
  /// `EACCES`: refused by a mode, an access control list, a mount or a security module.
  public static let permissionDenied: Errno = 13
  /// `EBUSY`: another program is using an object that only one program can use at a time.
  public static let busy: Errno = 16
  /// `EEXIST`: `O_EXCL` was specified, and the name already exists.
  public static let exists: Errno = 17
  /// `ENODEV`: the driver owns the device number, but the device no longer exists.
  public static let noSuchDevice: Errno = 19
  /// `ENOTDIR`: a directory is required, and the object is not one.
  public static let notDirectory: Errno = 20
  /// `EISDIR`: a directory was opened for writing.
  public static let isDirectory: Errno = 21
  /// `EINVAL`: the object does not support the request.
  public static let invalidArgument: Errno = 22
  /// `ENFILE`: the system has reached its limit on open files.
  public static let tooManyFilesInSystem: Errno = 23
  /// `EMFILE`: the process has reached its limit on open descriptors.
  public static let tooManyFiles: Errno = 24
  /// `EFBIG`: the file would exceed the size limit of the process or the filesystem.
  public static let fileTooLarge: Errno = 27
  /// `ENOSPC`: the disk is full, or the USB bus has no bandwidth left for the stream.
  public static let noSpace: Errno = 28
  /// `EROFS`: the mount or the superblock is read-only.
  public static let readOnlyFilesystem: Errno = 30
  /// `EPIPE`: the reading end of the pipe or socket is closed.
  public static let brokenPipe: Errno = 32
  /// `ERANGE`: the result does not fit in the buffer.
  public static let outOfRange: Errno = 34
  /// `ENAMETOOLONG`: a name has more than 255 bytes, or a path has 4096 bytes or more.
  public static let nameTooLong: Errno = 36
  /// `ENOSYS`: the kernel does not have the system call, or a seccomp filter returns this error.
  public static let noSystemCall: Errno = 38
  /// `ELOOP`: the path has more than 40 symbolic links, or a link that must not be followed.
  public static let tooManyLinks: Errno = 40
  /// `ENODATA`: the object does not have the extended attribute.
  public static let noData: Errno = 61
  /// `EPROTO`: the driver does not understand the device's reply.
  public static let protocolError: Errno = 71
  /// `EOVERFLOW`: the filesystem cannot store the IDs of the user who creates a file.
  public static let overflow: Errno = 75
  /// `ELIBACC`: a library that is loaded on demand cannot be loaded.
  public static let noLibrary: Errno = 79
  /// `EOPNOTSUPP`, also named `ENOTSUP`: the filesystem does not support the operation.
  public static let notSupported: Errno = 95
  /// `ENOBUFS`: the kernel dropped messages that were not read in time.
  public static let noBufferSpace: Errno = 105
  /// `ENOTCONN`: the program that serves a FUSE filesystem has ended.
  public static let notConnected: Errno = 107
  /// `ETIMEDOUT`: no reply arrived in time.
  public static let timedOut: Errno = 110
  /// `ECONNREFUSED`: no program is listening on the socket.
  public static let connectionRefused: Errno = 111
  /// `EHOSTUNREACH`: no program on the bus owns the name.
  public static let noHostRoute: Errno = 113
  /// `EREMOTEIO`: the hardware on a bus did not respond.
  public static let remoteInputOutput: Errno = 121
  /// `EDQUOT`: the user's disk quota is exhausted.
  public static let overQuota: Errno = 122
  /// `ENOMEDIUM`: no bus address is set.
  public static let noMedium: Errno = 123
  /// `ENOKEY`: a kernel module is not signed, and the kernel requires a signature.
  public static let noKey: Errno = 126
  /// `EKEYREJECTED`: the kernel does not accept the signature of a kernel module.
  public static let keyRejected: Errno = 129
}
