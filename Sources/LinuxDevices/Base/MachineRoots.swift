internal import AccessModel

/// Where a machine's facts are read from; other roots show another machine.
public struct MachineRoots: Hashable, Sendable {
  /// Where sysfs is mounted.
  public var sysfs = "/sys"
  /// Where procfs is mounted.
  public var proc = "/proc"
  /// Where the administrator's configuration is.
  public var etc = "/etc"
  /// Where the state of running services is, such as udev's database.
  public var run = "/run"
  /// The modules of each installed kernel.
  public var modules = "/lib/modules"
  /// Where packages put their configuration, such as `modprobe.d`.
  public var lib = "/usr/lib"

  /// Creates the roots of this machine.
  public init() {}

  /// Whether systemd is the service manager (sd_booted(3)).
  ///
  /// - Parameter root: What the subject sees as `/`, without a slash at its end.
  /// - Returns: The answer; `nil` when it cannot be told.
  func hasSystemd(below root: String = "") -> Bool? {
    do throws(Errno) {
      return try Directory.names(in: "\(root)\(run)/systemd/system") != nil
    } catch {
      return nil
    }
  }
}
