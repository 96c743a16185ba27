internal import CSecret

/// An open session with the Secret Service.
///
/// A session has its own connection and is used on a single thread. libsecret uses the key of the
/// session to encrypt secrets on the bus.
@safe struct ServiceSession {
  let service: UnsafeMutablePointer<SecretService>
  let cancellation: Cancellation

  /// Opens a session, calls a closure with it, and closes it.
  ///
  /// The calling thread is blocked until the session is closed. The closure must not keep the
  /// session.
  ///
  /// - Parameters:
  ///   - address: The address of the bus.
  ///   - prompts: Pass `true` to allow the service to prompt the user.
  ///   - cancellation: Ends the call early when it is cancelled.
  ///   - body: A closure that receives the session.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws, or an error that occurs while the session is
  ///   opened.
  static func with<Result>(
    bus address: String, prompts: Bool, _ cancellation: Cancellation,
    _ body: (ServiceSession) throws(SecretFailure) -> Result
  ) throws(SecretFailure) -> Result {
    // This context receives the signals from the bus. In the default context of the process, they
    // would accumulate, because the process may never run that context.
    let context = unsafe g_main_context_new()
    unsafe g_main_context_push_thread_default(context)
    defer {
      // The number of iterations is limited, because a source may always have another event.
      for _ in 0..<1_000 where unsafe g_main_context_iteration(context, 0) == 0 { break }
      unsafe g_main_context_pop_thread_default(context)
      unsafe g_main_context_unref(context)
    }
    let connection = try unsafe connect(address, cancellation)
    // Releasing the last reference closes the connection, without waiting for the bus.
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(connection)) }
    var error: UnsafeMutablePointer<GError>? = nil
    let service = unsafe csecret_service_new(
      connection, prompts ? 1 : 0, cancellation.raw, &error)
    guard let service = unsafe service else {
      throw unsafe GLibError(adopting: error).secretFailure("cannot be opened")
    }
    defer { unsafe g_object_unref(service) }
    return try body(unsafe ServiceSession(service: service, cancellation: cancellation))
  }

  private static func connect(
    _ address: String, _ cancellation: Cancellation
  ) throws(SecretFailure) -> OpaquePointer {
    var error: UnsafeMutablePointer<GError>? = nil
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let connection = unsafe g_dbus_connection_new_for_address_sync(
      address, flags, nil, cancellation.raw, &error)
    if let connection = unsafe connection { return unsafe connection }
    let problem = unsafe GLibError(adopting: error).secretFailure("cannot be reached")
    if problem.code == .cancelled { throw problem }
    throw SecretFailure(.unavailable, "is not available (the session bus \(problem.reason))")
  }
}

extension ServiceSession {
  /// Returns the newest unlocked secret with the given name from all collections, or `nil` if there
  /// is none.
  ///
  /// - Throws: `locked` if there is no unlocked secret, and a secret with that name or the default
  ///   collection is locked; or another error if the service fails.
  func read(_ application: String, _ name: String, unlock: Bool) throws(SecretFailure)
    -> SecretBytes?
  {
    let items = try search(application, name, unlock: unlock, loads: true)
    var newest: SecretBytes?
    var time: UInt = 0
    var isLocked = false
    try unsafe items.visit { item throws(SecretFailure) in
      guard unsafe secret_item_get_locked(item) == 0 else {
        isLocked = true
        return
      }
      let modified = unsafe UInt(secret_item_get_modified(item))
      guard newest == nil || modified > time else { return }
      newest = try unsafe content(of: item)
      time = modified
    }
    if let newest { return newest }
    if isLocked { throw GLibError.locked }
    // Some services hide the items of a locked collection, so the secret may exist even though it
    // was not found.
    _ = try defaultCollection(unlock: unlock)
    return nil
  }

  /// Writes a secret to the default collection, replacing any secret with the same name there.
  func write(
    _ bytes: SecretBytes, _ mediaType: String, _ application: String, _ name: String, unlock: Bool
  ) throws(SecretFailure) {
    try defaultCollection(unlock: unlock)
      .store(bytes, mediaType, application, name, cancellation)
  }

  /// Deletes the secrets with the given name from all collections.
  ///
  /// - Returns: `true` if at least one secret was deleted; otherwise, `false`.
  func delete(_ application: String, _ name: String, unlock: Bool) throws(SecretFailure) -> Bool {
    let items = try search(application, name, unlock: unlock, loads: false)
    var isLocked = false
    var count = 0
    try unsafe items.visit { item throws(SecretFailure) in
      guard unsafe secret_item_get_locked(item) == 0 else {
        isLocked = true
        return
      }
      var error: UnsafeMutablePointer<GError>? = nil
      guard unsafe secret_item_delete_sync(item, cancellation.raw, &error) != 0 else {
        throw unsafe GLibError(adopting: error).secretFailure("cannot remove it")
      }
      count += 1
    }
    if isLocked { throw GLibError.locked }
    if count == 0 { _ = try defaultCollection(unlock: unlock) }
    return count > 0
  }

  private func search(
    _ application: String, _ name: String, unlock: Bool, loads: Bool
  ) throws(SecretFailure) -> ServiceItems {
    let attributes = unsafe csecret_attributes(application, name)
    defer { unsafe g_hash_table_unref(attributes) }
    var flags = SECRET_SEARCH_ALL.rawValue
    if unlock { flags |= SECRET_SEARCH_UNLOCK.rawValue }
    if loads { flags |= SECRET_SEARCH_LOAD_SECRETS.rawValue }
    var error: UnsafeMutablePointer<GError>? = nil
    let list = unsafe secret_service_search_sync(
      service, csecret_schema(), attributes, SecretSearchFlags(rawValue: flags), cancellation.raw,
      &error)
    let items = unsafe ServiceItems(adopting: list)
    if unsafe error != nil {
      throw unsafe GLibError(adopting: error).secretFailure("cannot be searched")
    }
    return items
  }

  private func content(
    of item: UnsafeMutablePointer<SecretItem>
  ) throws(SecretFailure) -> SecretBytes {
    guard let value = unsafe secret_item_get_secret(item) else {
      throw SecretFailure(.failed, "found the secret but did not return it", transient: true)
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    let text = unsafe secret_value_get(value, &count)
    let size = Int(count)
    guard size <= SecretBytes.limit else {
      throw SecretFailure(.badSize, "has a secret larger than 1 MiB")
    }
    return try unsafe SecretBytes(capacity: size) { buffer throws(SecretFailure) in
      if let text = unsafe text {
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: text, count: size))
      }
      return size
    }
  }

  /// Returns the default collection in its unlocked state.
  ///
  /// A locked collection is unlocked only if `unlock` is `true`.
  ///
  /// - Throws: `locked` if the collection remains locked, `unavailable` if there is no default
  ///   collection, or another error if the service fails.
  private func defaultCollection(unlock: Bool) throws(SecretFailure) -> ServiceCollection {
    var error: UnsafeMutablePointer<GError>? = nil
    let raw = unsafe secret_collection_for_alias_sync(
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellation.raw, &error)
    guard let raw = unsafe raw else {
      guard unsafe error == nil else {
        throw unsafe GLibError(adopting: error).secretFailure(
          "did not return its default collection")
      }
      throw SecretFailure(.unavailable, "has no default collection")
    }
    let collection = unsafe ServiceCollection(adopting: raw)
    if collection.isLocked {
      guard unlock, try collection.unlock(in: self) else { throw GLibError.locked }
    }
    return collection
  }
}

/// A collection of secrets, which the service locks and unlocks as a whole.
@safe struct ServiceCollection: ~Copyable {
  private let raw: UnsafeMutablePointer<SecretCollection>

  /// Takes ownership of a collection.
  init(adopting raw: UnsafeMutablePointer<SecretCollection>) {
    unsafe self.raw = raw
  }

  deinit { unsafe g_object_unref(raw) }

  var isLocked: Bool { unsafe secret_collection_get_locked(raw) != 0 }

  /// Asks the service to unlock the collection.
  ///
  /// The service may prompt the user.
  ///
  /// - Returns: `true` if the collection was unlocked; otherwise, `false`.
  borrowing func unlock(in session: ServiceSession) throws(SecretFailure) -> Bool {
    let list = unsafe g_list_append(nil, raw)
    defer { unsafe g_list_free(list) }
    var error: UnsafeMutablePointer<GError>? = nil
    let count = unsafe secret_service_unlock_sync(
      session.service, list, session.cancellation.raw, nil, &error)
    if unsafe error != nil {
      throw unsafe GLibError(adopting: error).secretFailure("cannot be unlocked")
    }
    return count > 0
  }

  /// Writes a secret, replacing any secret with the same name.
  borrowing func store(
    _ bytes: SecretBytes, _ mediaType: String, _ application: String, _ name: String,
    _ cancellation: Cancellation
  ) throws(SecretFailure) {
    let value = unsafe bytes.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe secret_value_new(
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, mediaType)
      }
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    let attributes = unsafe csecret_attributes(application, name)
    defer { unsafe g_hash_table_unref(attributes) }
    var error: UnsafeMutablePointer<GError>? = nil
    let item = unsafe secret_item_create_sync(
      raw, csecret_schema(), attributes, "\(application): \(name)", value,
      SECRET_ITEM_CREATE_REPLACE, cancellation.raw, &error)
    guard let item = unsafe item else {
      throw unsafe GLibError(adopting: error).secretFailure("cannot store it")
    }
    unsafe g_object_unref(item)
  }
}

/// The items that a search has found in the service.
@safe struct ServiceItems: ~Copyable {
  private let list: UnsafeMutablePointer<GList>?

  /// Takes ownership of a list of items.
  init(adopting list: UnsafeMutablePointer<GList>?) {
    unsafe self.list = list
  }

  deinit { unsafe g_list_free_full(list, { unsafe g_object_unref($0) }) }

  /// Calls a closure for each item.
  borrowing func visit(
    _ body: (UnsafeMutablePointer<SecretItem>) throws(SecretFailure) -> Void
  ) throws(SecretFailure) {
    var link = unsafe list
    while let here = unsafe link {
      if let item = unsafe here.pointee.data {
        try unsafe body(item.assumingMemoryBound(to: SecretItem.self))
      }
      unsafe link = here.pointee.next
    }
  }
}
