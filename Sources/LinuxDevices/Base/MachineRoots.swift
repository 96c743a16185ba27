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
}
