/// The permission store's answer about an application's use of the camera.
public enum PortalMemory: Hashable, Sendable {
  /// The store contains an answer.
  case answer(PortalStoredAnswer)
  /// The store contains no answer, because the user was never asked or the answer was deleted.
  case nothing
  /// The store could not be read, for the given reason.
  case unread(String)
}
