internal import CSecret

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
  borrowing func unlock(in session: ServiceSession) throws(SecretProblem) -> Bool {
    let list = unsafe g_list_append(nil, raw)
    defer { unsafe g_list_free(list) }
    var error: UnsafeMutablePointer<GError>? = nil
    let count = unsafe secret_service_unlock_sync(
      session.service, list, session.cancellation.raw, nil, &error)
    if unsafe error != nil {
      throw unsafe ServiceFailure(adopting: error).problem("cannot be unlocked")
    }
    return count > 0
  }

  /// Keeps a secret in place of the one of that name.
  borrowing func keep(
    _ bytes: SecretBytes, _ mediaType: String, _ application: String, _ name: String,
    _ cancellation: Cancellation
  ) throws(SecretProblem) {
    let value = unsafe bytes.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { room in
        unsafe secret_value_new(
          room.baseAddress?.assumingMemoryBound(to: CChar.self), room.count, mediaType)
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
      throw unsafe ServiceFailure(adopting: error).problem("cannot keep it")
    }
    unsafe g_object_unref(item)
  }
}
