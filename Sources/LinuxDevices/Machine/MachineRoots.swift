/// Where a machine's facts are read from; other roots show another machine.
public struct MachineRoots: Hashable, Sendable {
  public var sysfs = "/sys"
  public var proc = "/proc"
  public var etc = "/etc"
  public var run = "/run"
  /// The modules of each installed kernel.
  public var modules = "/lib/modules"
  /// Where packages put their configuration, such as `modprobe.d`.
  public var lib = "/usr/lib"

  public init() {}
}
