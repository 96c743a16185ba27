internal import AccessModel

/// The identity of a file, as in `/proc/PID/maps`.
struct FileIdentity: Hashable, Sendable {
  /// The device number of the filesystem.
  var filesystem: DeviceNumber
  var inode: UInt64
}
