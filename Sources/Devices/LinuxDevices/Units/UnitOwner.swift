/// The owner of objects that systemd creates for a unit, such as its `StateDirectory=`.
///
/// The IDs are translated to the numbering that the facts use.
struct UnitOwner: Hashable, Sendable {
  /// The user in `User=`, or root.
  var user: UInt32
  /// The group in `Group=`, the user's primary group, or root's group.
  var group: UInt32
  /// The ID of root, which owns the parent directories.
  var root: UInt32
  /// The ID of root's group.
  var rootGroup: UInt32
}
