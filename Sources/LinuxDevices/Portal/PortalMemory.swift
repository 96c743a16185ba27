/// What the permission store holds about an application and the camera.
public enum PortalMemory: Hashable, Sendable {
  /// An answer that was given before.
  case answer(PortalStoredAnswer)
  /// No answer: nobody was asked yet, or the answer was forgotten.
  case nothing
  /// It could not be read, because of this.
  case unread(String)
}
