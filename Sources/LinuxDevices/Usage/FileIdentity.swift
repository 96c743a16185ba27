internal import AccessModel

/// A file as `/proc/PID/maps` names it.
struct FileIdentity: Hashable, Sendable {
  /// The number of the filesystem.
  var filesystem: DeviceNumber
  var inode: UInt64
}
