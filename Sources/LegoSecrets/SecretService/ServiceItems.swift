internal import CSecret

/// The items that a search has found.
@safe struct ServiceItems: ~Copyable {
  private let list: UnsafeMutablePointer<GList>?

  /// Takes over a list of items.
  init(adopting list: UnsafeMutablePointer<GList>?) {
    unsafe self.list = list
  }

  deinit { unsafe g_list_free_full(list, { unsafe g_object_unref($0) }) }

  /// Calls a closure for each item.
  borrowing func visit(
    _ body: (UnsafeMutablePointer<SecretItem>) throws(SecretProblem) -> Void
  ) throws(SecretProblem) {
    var link = unsafe list
    while let here = unsafe link {
      if let item = unsafe here.pointee.data {
        try unsafe body(item.assumingMemoryBound(to: SecretItem.self))
      }
      unsafe link = here.pointee.next
    }
  }
}
