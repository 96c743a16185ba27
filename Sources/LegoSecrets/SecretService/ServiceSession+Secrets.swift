internal import CSecret

extension ServiceSession {
  /// The newest secret of that name in any collection.
  func read(_ application: String, _ name: String, unlock: Bool) throws(SecretProblem)
    -> SecretBytes?
  {
    let items = try search(application, name, unlock: unlock, loads: true)
    var newest: SecretBytes?
    var time: UInt = 0
    var isLocked = false
    try unsafe items.visit { item throws(SecretProblem) in
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
    if isLocked { throw ServiceFailure.locked }
    _ = try defaultCollection(unlock: unlock)
    return nil
  }

  /// Keeps a secret in the default collection, in place of the one of that name there.
  func write(
    _ bytes: SecretBytes, _ mediaType: String, _ application: String, _ name: String, unlock: Bool
  ) throws(SecretProblem) {
    try defaultCollection(unlock: unlock)
      .keep(bytes, mediaType, application, name, cancellation)
  }

  /// Removes the secrets of that name from all collections.
  func delete(_ application: String, _ name: String, unlock: Bool) throws(SecretProblem) -> Bool {
    let items = try search(application, name, unlock: unlock, loads: false)
    var isLocked = false
    var count = 0
    try unsafe items.visit { item throws(SecretProblem) in
      guard unsafe secret_item_get_locked(item) == 0 else {
        isLocked = true
        return
      }
      var error: UnsafeMutablePointer<GError>? = nil
      guard unsafe secret_item_delete_sync(item, cancellation.raw, &error) != 0 else {
        throw unsafe ServiceFailure(adopting: error).problem("cannot remove it")
      }
      count += 1
    }
    if isLocked { throw ServiceFailure.locked }
    if count == 0 { _ = try defaultCollection(unlock: unlock) }
    return count > 0
  }

  private func search(
    _ application: String, _ name: String, unlock: Bool, loads: Bool
  ) throws(SecretProblem) -> ServiceItems {
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
      throw unsafe ServiceFailure(adopting: error).problem("cannot be searched")
    }
    return items
  }

  private func content(
    of item: UnsafeMutablePointer<SecretItem>
  ) throws(SecretProblem) -> SecretBytes {
    guard let value = unsafe secret_item_get_secret(item) else {
      throw SecretProblem(.failed, "has found it and does not give it", passing: true)
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    let text = unsafe secret_value_get(value, &count)
    let size = Int(count)
    guard size <= SecretBytes.limit else {
      throw SecretProblem(.badSize, "holds one larger than 1 MiB")
    }
    return try unsafe SecretBytes(capacity: size) { room throws(SecretProblem) in
      if let text = unsafe text {
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(start: text, count: size))
      }
      return size
    }
  }

  /// The default collection, unlocked.
  private func defaultCollection(unlock: Bool) throws(SecretProblem) -> ServiceCollection {
    var error: UnsafeMutablePointer<GError>? = nil
    let raw = unsafe secret_collection_for_alias_sync(
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellation.raw, &error)
    guard let raw = unsafe raw else {
      guard unsafe error == nil else {
        throw unsafe ServiceFailure(adopting: error).problem("does not tell its default collection")
      }
      throw SecretProblem(.unavailable, "has no default collection")
    }
    let collection = unsafe ServiceCollection(adopting: raw)
    if collection.isLocked {
      guard unlock, try collection.unlock(in: self) else { throw ServiceFailure.locked }
    }
    return collection
  }
}
