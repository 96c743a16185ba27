internal import CSecret

/// An open session with the secret service, on a connection of its own and on one thread.
///
/// libsecret encrypts what goes through the bus with a key that this session agrees on.
@safe struct ServiceSession {
  let service: UnsafeMutablePointer<SecretService>
  let cancellation: Cancellation

  /// Opens a session, calls a closure with it and closes it.
  ///
  /// It blocks the thread until then, or until it is cancelled. The closure must not keep the session.
  ///
  /// - Parameters:
  ///   - address: The address of the bus.
  ///   - prompts: Whether a prompt of the service may be shown.
  ///   - cancellation: Ends everything early.
  ///   - body: Uses the session.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, and what keeps the session from being opened.
  static func with<Result>(
    bus address: String, prompts: Bool, _ cancellation: Cancellation,
    _ body: (ServiceSession) throws(SecretProblem) -> Result
  ) throws(SecretProblem) -> Result {
    // Signals of the bus go to this context. Those that were sent to the one of the process would
    // pile up, because nobody needs to run that.
    let context = unsafe g_main_context_new()
    unsafe g_main_context_push_thread_default(context)
    defer {
      // Bounded, because a source could always have more.
      for _ in 0..<1_000 where unsafe g_main_context_iteration(context, 0) == 0 { break }
      unsafe g_main_context_pop_thread_default(context)
      unsafe g_main_context_unref(context)
    }
    let connection = try unsafe connect(address, cancellation)
    // The last reference closes it, without waiting for a bus that may never answer.
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(connection)) }
    var error: UnsafeMutablePointer<GError>? = nil
    let service = unsafe csecret_service_new(
      connection, prompts ? 1 : 0, cancellation.raw, &error)
    guard let service = unsafe service else {
      throw unsafe ServiceFailure(adopting: error).problem("cannot be opened")
    }
    defer { unsafe g_object_unref(service) }
    return try body(unsafe ServiceSession(service: service, cancellation: cancellation))
  }

  private static func connect(
    _ address: String, _ cancellation: Cancellation
  ) throws(SecretProblem) -> OpaquePointer {
    var error: UnsafeMutablePointer<GError>? = nil
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let connection = unsafe g_dbus_connection_new_for_address_sync(
      address, flags, nil, cancellation.raw, &error)
    if let connection = unsafe connection { return unsafe connection }
    let problem = unsafe ServiceFailure(adopting: error).problem("cannot be reached")
    if problem.code == .cancelled { throw problem }
    throw SecretProblem(.unavailable, "is not there (the session bus \(problem.reason))")
  }
}
