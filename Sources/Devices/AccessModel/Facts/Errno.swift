/// The error number of a Linux system call, with its name and text.
///
/// Any number is valid, because the kernel and its drivers can return any number. Where a call may
/// have succeeded, zero indicates success.
public struct Errno: RawRepresentable, Hashable, Sendable, Codable, Error {
  /// The number, as in errno(3).
  public let rawValue: Int32

  /// Creates an error from any number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

extension Errno: ExpressibleByIntegerLiteral {
  /// Creates an error from an integer literal.
  public init(integerLiteral value: Int32) {
    self.init(rawValue: value)
  }
}

extension Errno: CustomStringConvertible {
  /// The same as ``name``.
  public var description: String { name }
}

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

extension Errno {
  /// The name of the C constant, such as `EACCES`, or the digits if Linux does not define the
  /// error.
  public var name: String { words.map { String($0.name) } ?? String(rawValue) }

  /// The English text that strerror(3) returns, such as `Permission denied`.
  public var text: String { words.map { String($0.text) } ?? "Unknown error \(rawValue)" }

  /// The ``text`` with a lowercase first letter, such as `permission denied`, for use after a
  /// colon.
  public var clause: String { "\(text.prefix(1).lowercased())\(text.dropFirst())" }

  /// The name and text from the table.
  ///
  /// The table is scanned line by line, because splitting it would take a short program longer than
  /// its actual work.
  private var words: (name: Substring, text: Substring)? {
    guard let number = Int(exactly: rawValue), number >= 0 else { return nil }
    var line = Self.table[...]
    for _ in 0..<number {
      guard let end = line.utf8.firstIndex(of: Self.newline) else { return nil }
      line = line[line.utf8.index(after: end)...]
    }
    line = line[..<(line.utf8.firstIndex(of: Self.newline) ?? line.endIndex)]
    guard let space = line.utf8.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    return (line[..<space], line[line.utf8.index(after: space)...])
  }

  private static let newline = UInt8(ascii: "\n")

  /// The errors in `asm-generic/errno.h`, each on the line of its number; 41 and 58 are not used.
  ///
  /// The table is a single literal, because an array of strings would need a relocation per string
  /// at every start of the program.
  private static let table = """
    0 Success
    EPERM Operation not permitted
    ENOENT No such file or directory
    ESRCH No such process
    EINTR Interrupted system call
    EIO Input/output error
    ENXIO No such device or address
    E2BIG Argument list too long
    ENOEXEC Exec format error
    EBADF Bad file descriptor
    ECHILD No child processes
    EAGAIN Resource temporarily unavailable
    ENOMEM Cannot allocate memory
    EACCES Permission denied
    EFAULT Bad address
    ENOTBLK Block device required
    EBUSY Device or resource busy
    EEXIST File exists
    EXDEV Invalid cross-device link
    ENODEV No such device
    ENOTDIR Not a directory
    EISDIR Is a directory
    EINVAL Invalid argument
    ENFILE Too many open files in system
    EMFILE Too many open files
    ENOTTY Inappropriate ioctl for device
    ETXTBSY Text file busy
    EFBIG File too large
    ENOSPC No space left on device
    ESPIPE Illegal seek
    EROFS Read-only file system
    EMLINK Too many links
    EPIPE Broken pipe
    EDOM Numerical argument out of domain
    ERANGE Numerical result out of range
    EDEADLK Resource deadlock avoided
    ENAMETOOLONG File name too long
    ENOLCK No locks available
    ENOSYS Function not implemented
    ENOTEMPTY Directory not empty
    ELOOP Too many levels of symbolic links

    ENOMSG No message of desired type
    EIDRM Identifier removed
    ECHRNG Channel number out of range
    EL2NSYNC Level 2 not synchronized
    EL3HLT Level 3 halted
    EL3RST Level 3 reset
    ELNRNG Link number out of range
    EUNATCH Protocol driver not attached
    ENOCSI No CSI structure available
    EL2HLT Level 2 halted
    EBADE Invalid exchange
    EBADR Invalid request descriptor
    EXFULL Exchange full
    ENOANO No anode
    EBADRQC Invalid request code
    EBADSLT Invalid slot

    EBFONT Bad font file format
    ENOSTR Device not a stream
    ENODATA No data available
    ETIME Timer expired
    ENOSR Out of streams resources
    ENONET Machine is not on the network
    ENOPKG Package not installed
    EREMOTE Object is remote
    ENOLINK Link has been severed
    EADV Advertise error
    ESRMNT Srmount error
    ECOMM Communication error on send
    EPROTO Protocol error
    EMULTIHOP Multihop attempted
    EDOTDOT RFS specific error
    EBADMSG Bad message
    EOVERFLOW Value too large for defined data type
    ENOTUNIQ Name not unique on network
    EBADFD File descriptor in bad state
    EREMCHG Remote address changed
    ELIBACC Can not access a needed shared library
    ELIBBAD Accessing a corrupted shared library
    ELIBSCN .lib section in a.out corrupted
    ELIBMAX Attempting to link in too many shared libraries
    ELIBEXEC Cannot exec a shared library directly
    EILSEQ Invalid or incomplete multibyte or wide character
    ERESTART Interrupted system call should be restarted
    ESTRPIPE Streams pipe error
    EUSERS Too many users
    ENOTSOCK Socket operation on non-socket
    EDESTADDRREQ Destination address required
    EMSGSIZE Message too long
    EPROTOTYPE Protocol wrong type for socket
    ENOPROTOOPT Protocol not available
    EPROTONOSUPPORT Protocol not supported
    ESOCKTNOSUPPORT Socket type not supported
    EOPNOTSUPP Operation not supported
    EPFNOSUPPORT Protocol family not supported
    EAFNOSUPPORT Address family not supported by protocol
    EADDRINUSE Address already in use
    EADDRNOTAVAIL Cannot assign requested address
    ENETDOWN Network is down
    ENETUNREACH Network is unreachable
    ENETRESET Network dropped connection on reset
    ECONNABORTED Software caused connection abort
    ECONNRESET Connection reset by peer
    ENOBUFS No buffer space available
    EISCONN Transport endpoint is already connected
    ENOTCONN Transport endpoint is not connected
    ESHUTDOWN Cannot send after transport endpoint shutdown
    ETOOMANYREFS Too many references: cannot splice
    ETIMEDOUT Connection timed out
    ECONNREFUSED Connection refused
    EHOSTDOWN Host is down
    EHOSTUNREACH No route to host
    EALREADY Operation already in progress
    EINPROGRESS Operation now in progress
    ESTALE Stale file handle
    EUCLEAN Structure needs cleaning
    ENOTNAM Not a XENIX named type file
    ENAVAIL No XENIX semaphores available
    EISNAM Is a named type file
    EREMOTEIO Remote I/O error
    EDQUOT Disk quota exceeded
    ENOMEDIUM No medium found
    EMEDIUMTYPE Wrong medium type
    ECANCELED Operation canceled
    ENOKEY Required key not available
    EKEYEXPIRED Key has expired
    EKEYREVOKED Key has been revoked
    EKEYREJECTED Key was rejected by service
    EOWNERDEAD Owner died
    ENOTRECOVERABLE State not recoverable
    ERFKILL Operation not possible due to RF-kill
    EHWPOISON Memory page has hardware error
    """
}
