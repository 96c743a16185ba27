/// An answer that the desktop's permission store keeps for an application.
public enum PortalStoredAnswer: String, Hashable, Sendable, Codable, CaseIterable {
  /// The portal opens the camera without asking.
  case yes
  /// The portal refuses without asking.
  case no
  /// The portal asks each time, and opens the camera for none of the answers.
  case ask
}
