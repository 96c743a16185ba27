package import AccessModel
internal import MessageBus

/// Why a notification is not shown.
package struct NotificationFailure: Error, Hashable, Sendable {
  /// `ENXIO` or `EHOSTUNREACH` where no service runs, `ETIMEDOUT` where it does not answer, `ELIBACC`
  /// without libsystemd, and what keeps the bus from being reached.
  package var errno: Errno
  /// What the service says of it, where it refused: untrusted.
  package var answer: String?

  /// Whether nobody is there who could show it, rather than that it is refused or takes too long.
  package var isOfAbsence: Bool { answer == nil && errno != .timedOut }

  init(_ failure: BusFailure) {
    errno = Errno(rawValue: failure.errno)
  }

  /// Why a call of the service itself failed.
  init(ofService failure: BusFailure) {
    self.init(failure)
    // The bus says these itself, where there is nobody to answer.
    let isOfBus = ["NameHasNoOwner", "ServiceUnknown", "NoReply", "Timeout", "Disconnected"]
      .contains { failure.name == "org.freedesktop.DBus.Error.\($0)" }
    if !failure.name.isEmpty, !isOfBus { answer = failure.description }
  }
}
