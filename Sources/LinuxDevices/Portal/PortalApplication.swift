public import AccessModel

/// The identifier under which the camera portal stores answers for a program.
public enum PortalApplication {
  /// The identifier, from what surrounds the program.
  ///
  /// The portal knows an application by its sandbox. Programs outside of one share the empty
  /// identifier, and so one answer, whatever they register.
  ///
  /// - Returns: The identifier; `nil` in a sandbox that does not tell it.
  public static func identifier(of confinement: ConfinementFacts) -> String? {
    switch confinement.container {
    case "flatpak": confinement.application?.name
    case nil: ""
    default: nil
    }
  }
}
