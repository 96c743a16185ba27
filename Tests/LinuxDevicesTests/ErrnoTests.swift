import AccessModel
import Glibc
import Testing

@testable import LinuxDevices

@Suite("Error numbers against the C library")
struct ErrnoTests {
  /// The type of `strerrorname_np`, which glibc has since version 2.32.
  ///
  /// Swift does not import the GNU functions.
  private typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?

  @Test
  func `every number has the name that the C library gives it`() throws {
    guard let symbol = unsafe dlsym(nil, "strerrorname_np") else {
      try Test.cancel("this C library has no names of errors")
    }
    let lookUp = unsafe unsafeBitCast(symbol, to: Name.self)
    for number in Int32(0)...200 {
      let name = unsafe lookUp(number).map { unsafe String(cString: $0) }
      #expect(Errno(rawValue: number).name == name ?? "\(number)")
    }
  }

  @Test
  func `every number has the text that the C library gives it`() {
    for number in Int32(-1)...200 {
      let text = unsafe strerror(number).map { unsafe String(cString: $0) }
      #expect(Errno(rawValue: number).text == text)
    }
  }

  @Test(arguments: [-1, 41, 58, 134, 4095, .min, .max] as [Int32])
  func `what is no error has its digits`(number: Int32) {
    #expect(Errno(rawValue: number).name == "\(number)")
    #expect(Errno(rawValue: number).text == "Unknown error \(number)")
  }

  @Test(
    arguments: [
      (.notPermitted, EPERM), (.noSuchFile, ENOENT), (.noSuchProcess, ESRCH), (.interrupted, EINTR),
      (.inputOutput, EIO), (.noSuchAddress, ENXIO), (.tooBig, E2BIG), (.badDescriptor, EBADF),
      (.tryAgain, EAGAIN), (.noMemory, ENOMEM), (.permissionDenied, EACCES), (.busy, EBUSY),
      (.exists, EEXIST), (.noSuchDevice, ENODEV), (.notDirectory, ENOTDIR), (.isDirectory, EISDIR),
      (.invalidArgument, EINVAL), (.tooManyFilesInSystem, ENFILE), (.tooManyFiles, EMFILE),
      (.noSpace, ENOSPC), (.readOnlyFilesystem, EROFS), (.brokenPipe, EPIPE), (.outOfRange, ERANGE),
      (.nameTooLong, ENAMETOOLONG), (.noSystemCall, ENOSYS), (.tooManyLinks, ELOOP),
      (.noData, ENODATA), (.protocolError, EPROTO), (.overflow, EOVERFLOW), (.noLibrary, ELIBACC),
      (.notSupported, ENOTSUP), (.noBufferSpace, ENOBUFS), (.timedOut, ETIMEDOUT),
      (.connectionRefused, ECONNREFUSED), (.remoteInputOutput, EREMOTEIO), (.noKey, ENOKEY),
      (.keyRejected, EKEYREJECTED), (.success, 0),
    ] as [(Errno, Int32)])
  func `a word is the number that the C library means`(word: Errno, number: Int32) {
    #expect(word.rawValue == number)
  }

  @Test
  func `a clause begins in lower case`() {
    #expect(Errno.permissionDenied.clause == "permission denied")
    #expect("\(Errno.permissionDenied)" == "EACCES")
  }

  @Test
  func `the last error of the thread is read`() {
    #expect(throws: Errno.badDescriptor) { try Errno.check(close(-1)) }
    #expect(throws: Errno.noData) { try Errno.check(negated: -ENODATA) }
    #expect(throws: Errno.tryAgain) { try Errno.check(returned: EAGAIN) }
  }
}
