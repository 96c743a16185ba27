extension Errno {
  /// The call worked.
  public static let success: Errno = 0
  /// `EPERM`: an immutable inode, a device control group or a seccomp filter.
  public static let notPermitted: Errno = 1
  /// `ENOENT`: a name is not in its directory.
  public static let noSuchFile: Errno = 2
  /// `ESRCH`: a process has ended.
  public static let noSuchProcess: Errno = 3
  /// `EINTR`: a signal came before the call was finished.
  public static let interrupted: Errno = 4
  /// `EIO`: a broken access control list, or hardware that fails.
  public static let inputOutput: Errno = 5
  /// `ENXIO`: no driver has registered the number of the node.
  public static let noSuchAddress: Errno = 6
  /// `E2BIG`: more was found than is read.
  public static let tooBig: Errno = 7
  /// `EBADF`: a descriptor is not open, or leads to something else than it should.
  public static let badDescriptor: Errno = 9
  /// `EAGAIN`: nothing is there yet, or a limit of processes is reached.
  public static let tryAgain: Errno = 11
  /// `ENOMEM`: the kernel has no memory left.
  public static let noMemory: Errno = 12
  /// `EACCES`: a mode, a list, a mount or a security module.
  public static let permissionDenied: Errno = 13
  /// `EBUSY`: another program uses what only one may use.
  public static let busy: Errno = 16
  /// `EEXIST`: `O_EXCL`, and the name exists.
  public static let exists: Errno = 17
  /// `ENODEV`: the driver knows the number, and the device is gone.
  public static let noSuchDevice: Errno = 19
  /// `ENOTDIR`: what must be a directory is none.
  public static let notDirectory: Errno = 20
  /// `EISDIR`: a directory was opened to write.
  public static let isDirectory: Errno = 21
  /// `EINVAL`: the object does not know such a request.
  public static let invalidArgument: Errno = 22
  /// `ENFILE`: the system has no descriptors left.
  public static let tooManyFilesInSystem: Errno = 23
  /// `EMFILE`: the process has no descriptors left.
  public static let tooManyFiles: Errno = 24
  /// `EFBIG`: a file would be longer than the limit of the process or the filesystem.
  public static let fileTooLarge: Errno = 27
  /// `ENOSPC`: a disk is full, or the USB bus has no bandwidth left for a stream.
  public static let noSpace: Errno = 28
  /// `EROFS`: the mount or the superblock is read-only.
  public static let readOnlyFilesystem: Errno = 30
  /// `EPIPE`: nobody reads what is written.
  public static let brokenPipe: Errno = 32
  /// `ERANGE`: the answer is longer than the room for it.
  public static let outOfRange: Errno = 34
  /// `ENAMETOOLONG`: a name of more than 255 bytes, or a path of 4096 or more.
  public static let nameTooLong: Errno = 36
  /// `ENOSYS`: the kernel has no such system call, or a filter says so.
  public static let noSystemCall: Errno = 38
  /// `ELOOP`: more than 40 symbolic links, or one that must not be followed.
  public static let tooManyLinks: Errno = 40
  /// `ENODATA`: the object has no such attribute.
  public static let noData: Errno = 61
  /// `EPROTO`: the device answered what the driver does not understand.
  public static let protocolError: Errno = 71
  /// `EOVERFLOW`: the filesystem cannot hold the ids of who creates a file.
  public static let overflow: Errno = 75
  /// `ELIBACC`: a library that is loaded on demand cannot be.
  public static let noLibrary: Errno = 79
  /// `EOPNOTSUPP`, which is `ENOTSUP` too: the filesystem has no such feature.
  public static let notSupported: Errno = 95
  /// `ENOBUFS`: the kernel dropped messages that nobody took in time.
  public static let noBufferSpace: Errno = 105
  /// `ENOTCONN`: the program that serves a FUSE filesystem has ended.
  public static let notConnected: Errno = 107
  /// `ETIMEDOUT`: no answer came in time.
  public static let timedOut: Errno = 110
  /// `ECONNREFUSED`: nobody listens at a socket.
  public static let connectionRefused: Errno = 111
  /// `EHOSTUNREACH`: nobody on a bus has a name.
  public static let noHostRoute: Errno = 113
  /// `EREMOTEIO`: hardware on a bus did not answer.
  public static let remoteInputOutput: Errno = 121
  /// `EDQUOT`: the quota of the user leaves no room.
  public static let overQuota: Errno = 122
  /// `ENOMEDIUM`: no bus is named.
  public static let noMedium: Errno = 123
  /// `ENOKEY`: a module has no signature, and the kernel requires one.
  public static let noKey: Errno = 126
  /// `EKEYREJECTED`: the kernel does not accept the signature of a module.
  public static let keyRejected: Errno = 129
}
