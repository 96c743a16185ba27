/// What lies where the file is kept.
final class FoundFile: Sendable {
  /// What is in it.
  enum Content: Sendable {
    case bytes([UInt8])
    /// Nothing that was written there, and why.
    case unreadable(String)
  }

  let content: Content
  let identity: FileIdentity
  /// Holds the file, so that its number stays its own; there is none where it cannot be opened.
  let descriptor: Descriptor?

  init(content: Content, identity: FileIdentity, descriptor: consuming Descriptor?) {
    self.content = content
    self.identity = identity
    self.descriptor = descriptor
  }
}
