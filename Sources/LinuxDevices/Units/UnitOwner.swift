/// Who owns what systemd makes for a unit, such as its `StateDirectory=`, as the facts number users.
struct UnitOwner: Hashable, Sendable {
  /// The user of `User=`, or root.
  var user: UInt32
  /// The group of `Group=`, that of the user, or root's.
  var group: UInt32
  /// Root, who owns the directories on the way.
  var root: UInt32
  /// Root's group.
  var rootGroup: UInt32
}
