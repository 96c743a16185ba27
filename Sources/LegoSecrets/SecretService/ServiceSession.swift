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
    _ body: (ServiceSession) throws(SecretFailure) -> Result
  ) throws(SecretFailure) -> Result {
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
    throw SecretFailure(.unavailable, "is not there (the session bus \(problem.reason))")
  }
}

extension ServiceSession {
  /// The newest secret of that name in any collection.
  func read(_ application: String, _ name: String, unlock: Bool) throws(SecretFailure)
    -> SecretBytes?
  {
    let items = try search(application, name, unlock: unlock, loads: true)
    var newest: SecretBytes?
    var time: UInt = 0
    var isLocked = false
    try unsafe items.forEach { item throws(SecretFailure) in
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
    // A service that hides what a locked collection holds cannot say that there is none.
    if isLocked { throw GLibError.locked }
    _ = try defaultCollection(unlock: unlock)
    return nil
  }

  /// Keeps a secret in the default collection, in place of the one of that name there.
  func write(
    _ bytes: SecretBytes, _ mediaType: String, _ application: String, _ name: String, unlock: Bool
  ) throws(SecretFailure) {
    try defaultCollection(unlock: unlock)
      .store(bytes, mediaType, application, name, cancellation)
  }

  /// Removes the secrets of that name from all collections.
  func delete(_ application: String, _ name: String, unlock: Bool) throws(SecretFailure) -> Bool {
    let items = try search(application, name, unlock: unlock, loads: false)
    var isLocked = false
    var count = 0
    try unsafe items.forEach { item throws(SecretFailure) in
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
      throw SecretFailure(.failed, "has found it and does not give it", transient: true)
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    let text = unsafe secret_value_get(value, &count)
    let size = Int(count)
    guard size <= SecretBytes.limit else {
      throw SecretFailure(.badSize, "holds one larger than 1 MiB")
    }
    return try unsafe SecretBytes(capacity: size) { buffer throws(SecretFailure) in
      if let text = unsafe text {
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: text, count: size))
      }
      return size
    }
  }

  /// The default collection, unlocked.
  private func defaultCollection(unlock: Bool) throws(SecretFailure) -> ServiceCollection {
    var error: UnsafeMutablePointer<GError>? = nil
    let raw = unsafe secret_collection_for_alias_sync(
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellation.raw, &error)
    guard let raw = unsafe raw else {
      guard unsafe error == nil else {
        throw unsafe GLibError(adopting: error).secretFailure(
          "does not tell its default collection")
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

/// A collection of the service, which is locked and unlocked as a whole.
@safe struct ServiceCollection: ~Copyable {
  private let raw: UnsafeMutablePointer<SecretCollection>

  /// Takes over a collection.
  init(adopting raw: UnsafeMutablePointer<SecretCollection>) {
    unsafe self.raw = raw
  }

  deinit { unsafe g_object_unref(raw) }

  var isLocked: Bool { unsafe secret_collection_get_locked(raw) != 0 }

  /// Asks the service to unlock it, which may show a prompt.
  ///
  /// - Returns: Whether it is unlocked.
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

  /// Keeps a secret in place of the one of that name.
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
      throw unsafe GLibError(adopting: error).secretFailure("cannot keep it")
    }
    unsafe g_object_unref(item)
  }
}

/// The items that a search has found.
@safe struct ServiceItems: ~Copyable {
  private let list: UnsafeMutablePointer<GList>?

  /// Takes over a list of items.
  init(adopting list: UnsafeMutablePointer<GList>?) {
    unsafe self.list = list
  }

  deinit { unsafe g_list_free_full(list, { unsafe g_object_unref($0) }) }

  /// Calls a closure for each item.
  borrowing func forEach(
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
