internal import Glibc

/// Why a bus could not be asked, or did not answer as hoped.
package struct BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the system's error; for an error of D-Bus, the one that stands for it.
  package var errno: Int32
  /// The name of the error of D-Bus; empty where the bus had no part in it.
  package var name: String
  private var text: String

  package init(errno: Int32, name: String = "", text: String = "") {
    self.errno = errno
    self.name = name
    self.text = text
  }

  /// The error number in a result that is `-errno`.
  init(negated result: Int32) {
    self.init(errno: 0 &- result)
  }

  /// No answer came in time.
  package static let timedOut = BusFailure(errno: ETIMEDOUT, text: "no answer in time")
  /// The connection was closed by this side.
  package static let closed = BusFailure(errno: ESHUTDOWN, text: "the connection was closed")
  /// The caller's task was cancelled.
  package static let cancelled = BusFailure(errno: ECANCELED, text: "cancelled")
  static let noLibrary = BusFailure(errno: ELIBACC, text: "libsystemd cannot be loaded")
  /// The message is larger than is read.
  static let tooBig = BusFailure(errno: E2BIG, text: "the message is too large")

  /// One line; a text of D-Bus in it was chosen by somebody else.
  package var description: String {
    if !text.isEmpty { return text }
    // What sd-bus says where the environment leads to no bus; the system calls it a medium.
    if errno == ENOMEDIUM {
      return "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR names a bus"
    }
    return unsafe String(cString: strerror(errno))
  }

  /// The convention of libsystemd: `-errno`.
  @discardableResult
  static func check(_ result: Int32) throws(BusFailure) -> Int32 {
    guard result >= 0 else { throw BusFailure(negated: result) }
    return result
  }
}
