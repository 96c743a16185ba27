/// An answer for an application in the desktop's permission store.
public enum PortalStoredAnswer: String, Hashable, Sendable, Codable, CaseIterable {
  /// The portal opens the camera without prompting the user.
  case yes
  /// The portal refuses access without prompting the user.
  case no
  /// The portal prompts each time, and does not open the camera even if the user agrees.
  case ask
}
