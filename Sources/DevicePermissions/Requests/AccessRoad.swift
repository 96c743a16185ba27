/// A way that leads to access.
///
/// A request tries them in the order of `allCases`, from the one that asks nobody to the one that
/// asks for most.
public enum AccessRoad: String, Hashable, Sendable, Codable, CaseIterable {
  /// The device may be opened as it is: nobody is asked, and nothing is raised.
  case authorized
  /// The missing pictures directory is created in the person's own home directory; only for the album.
  case creation
  /// The desktop's camera portal, which asks the person and remembers the answer.
  case portal
  /// A capability of this process that is permitted and not in force, raised for one system call.
  case capability
  /// The privileged helper `devaccess-broker`, which opens the device once an administrator has
  /// authenticated with polkit.
  case broker
}
