internal import Glibc

/// An error of a bus connection, or in the reply to a call.
package struct BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number of the system; for a D-Bus error, the corresponding number.
  package var errno: Int32
  /// The name of the D-Bus error; empty for any other error.
  package var name: String
  private var text: String

  package init(errno: Int32, name: String = "", text: String = "") {
    self.errno = errno
    self.name = name
    self.text = text
  }

  /// Creates a failure from a result that is `-errno`.
  init(negated result: Int32) {
    self.init(errno: 0 &- result)
  }

  /// No reply arrived in time.
  package static let timedOut = BusFailure(errno: ETIMEDOUT, text: "no answer in time")
  /// The connection was closed by this side.
  package static let closed = BusFailure(errno: ESHUTDOWN, text: "the connection was closed")
  /// The caller's task was cancelled.
  package static let cancelled = BusFailure(errno: ECANCELED, text: "cancelled")
  static let noLibrary = BusFailure(errno: ELIBACC, text: "libsystemd cannot be loaded")
  /// The message exceeds the limits.
  static let tooBig = BusFailure(errno: E2BIG, text: "the message is too large")

  /// The error on one line, which may contain untrusted text from a D-Bus error.
  package var description: String {
    if !text.isEmpty { return text }
    // sd-bus returns this if the environment names no bus, but the system describes it as a missing
    // medium.
    if errno == ENOMEDIUM {
      return "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR names a bus"
    }
    return unsafe String(cString: strerror(errno))
  }

  /// Throws an error if a result of libsystemd is negative, which means `-errno`.
  @discardableResult
  static func check(_ result: Int32) throws(BusFailure) -> Int32 {
    guard result >= 0 else { throw BusFailure(negated: result) }
    return result
  }
}
