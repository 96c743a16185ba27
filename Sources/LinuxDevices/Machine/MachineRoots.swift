/// Where a machine's facts are read from; other roots show another machine.
public struct MachineRoots: Hashable, Sendable {
  public var sysfs = "/sys"
  public var proc = "/proc"
  public var etc = "/etc"
  public var run = "/run"

  public init() {}
}
