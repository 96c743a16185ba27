/// A method of getting access.
///
/// A request tries the methods in the order of `allCases`, from the one that asks no user to the
/// one that needs an administrator.
public enum AccessRoad: String, Hashable, Sendable, Codable, CaseIterable {
  /// The device or directory can be opened as it is, without asking the user or raising a
  /// capability.
  case authorized
  /// The missing pictures directory is created in the user's own home directory; only for the
  /// album.
  case creation
  /// The desktop's camera portal asks the user and remembers the answer.
  case portal
  /// A capability of this process that is permitted but not effective is raised for one system
  /// call.
  case capability
  /// The privileged helper `devaccess-broker` opens the device after an administrator has
  /// authenticated with polkit.
  case broker
}
