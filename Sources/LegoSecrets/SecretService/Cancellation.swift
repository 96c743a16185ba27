internal import CSecret

/// Ends calls of GIO, from any thread (GCancellable).
final class Cancellation: Sendable {
  /// Where the object is: GIO lets every thread use it, which Swift cannot know of a pointer.
  private let address: UInt

  init() {
    address = unsafe UInt(bitPattern: g_cancellable_new())
  }

  deinit { unsafe g_object_unref(raw) }

  /// The object, which lives as long as this one.
  var raw: UnsafeMutablePointer<GCancellable>? { unsafe UnsafeMutablePointer(bitPattern: address) }

  /// Makes calls that run, and those that begin later, fail.
  func cancel() { unsafe g_cancellable_cancel(raw) }
}
