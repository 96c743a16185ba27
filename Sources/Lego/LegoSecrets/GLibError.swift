internal import CSecret
internal import JSONText

/// An error that a GLib call has returned.
@safe struct GLibError: ~Copyable {
  private let raw: UnsafeMutablePointer<GError>?

  /// Takes ownership of an error that a call has returned.
  init(adopting raw: UnsafeMutablePointer<GError>?) {
    unsafe self.raw = raw
  }

  deinit {
    if let raw = unsafe raw { unsafe g_error_free(raw) }
  }

  /// Converts the error to a failure of the store.
  ///
  /// - Parameter what: A description of the failed operation, for errors without a specific code.
  /// - Returns: The failure.
  consuming func secretFailure(_ what: String) -> SecretFailure {
    guard let raw = unsafe raw else { return SecretFailure(.failed, what) }
    let code = unsafe raw.pointee.code
    switch unsafe raw.pointee.domain {
    case secret_error_get_quark(): return serviceFailure(code, what)
    case g_io_error_quark(): return ioFailure(code, what)
    case g_dbus_error_quark(): return busFailure(code, what)
    default: return SecretFailure(.failed, what)
    }
  }

  /// The failure for a secret or a collection that is still locked.
  static var locked: SecretFailure {
    SecretFailure(.locked, "is locked, and a prompt was not allowed or not answered")
  }

  private func serviceFailure(_ code: Int32, _ what: String) -> SecretFailure {
    if code == Int32(SECRET_ERROR_IS_LOCKED.rawValue) { return Self.locked }
    return SecretFailure(
      .failed, what, transient: code == Int32(SECRET_ERROR_NO_SUCH_OBJECT.rawValue))
  }

  private func ioFailure(_ code: Int32, _ what: String) -> SecretFailure {
    switch GIOErrorEnum(rawValue: GIOErrorEnum.RawValue(code)) {
    case G_IO_ERROR_CANCELLED: return SecretFailure(.cancelled, "was cancelled")
    case G_IO_ERROR_TIMED_OUT: return SecretFailure(.timedOut, "did not answer")
    case G_IO_ERROR_CLOSED:
      return SecretFailure(.failed, "\(what): the session bus has closed the connection")
    case G_IO_ERROR_DBUS_ERROR:
      // Only the name of the service's own error is used, because its message is untrusted text.
      let name = remoteName
      return name == "org.freedesktop.Secret.Error.IsLocked"
        ? Self.locked : SecretFailure(.failed, "\(what) (\(name))")
    default: return SecretFailure(.failed, "\(what): \(message)")
    }
  }

  private func busFailure(_ code: Int32, _ what: String) -> SecretFailure {
    switch GDBusError(rawValue: GDBusError.RawValue(code)) {
    case G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER,
      G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, G_DBUS_ERROR_SPAWN_EXEC_FAILED,
      G_DBUS_ERROR_SPAWN_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED:
      return SecretFailure(
        .unavailable, "is not available (no program on the session bus provides it)")
    case G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT:
      return SecretFailure(.timedOut, "did not answer")
    case G_DBUS_ERROR_NO_REPLY:
      return SecretFailure(.failed, "exited without an answer")
    // Services return these errors for an object that has been removed.
    case G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_OBJECT, G_DBUS_ERROR_UNKNOWN_INTERFACE:
      return SecretFailure(.failed, "\(what) (\(remoteName))", transient: true)
    default: return SecretFailure(.failed, "\(what) (\(remoteName))")
    }
  }

  /// The name of an error that was received over the bus.
  private var remoteName: String {
    guard let raw = unsafe raw, let name = unsafe g_dbus_error_get_remote_error(raw) else {
      return "an unnamed error"
    }
    defer { unsafe g_free(name) }
    return JSONQuotes.escaped(unsafe String(cString: name))
  }

  /// The message of an error that was created in this process.
  private var message: String {
    guard let raw = unsafe raw, let text = unsafe raw.pointee.message else { return "no reason" }
    return JSONQuotes.escaped(unsafe String(cString: text))
  }
}
