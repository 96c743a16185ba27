public import AccessModel

/// The identifier under which the camera portal stores answers for a program.
public enum PortalApplication {
  /// Returns the identifier of a program, given its confinement.
  ///
  /// The portal identifies an application by its sandbox. All programs outside a sandbox share the
  /// empty identifier and its stored answer, even if they register a different one.
  ///
  /// - Returns: The identifier; `nil` for a sandbox that does not reveal it.
  public static func identifier(of confinement: ConfinementFacts) -> String? {
    switch confinement.container {
    case "flatpak": confinement.application?.name
    case nil: ""
    default: nil
    }
  }
}
