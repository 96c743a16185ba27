/// A process that holds a device open, and how.
public struct DeviceHolder: Hashable, Sendable, Codable {
  /// The process.
  public var process: HoldingProcess
  /// How it holds the device.
  public var hold: DeviceHold

  /// Creates a holder.
  public init(_ process: HoldingProcess, _ hold: DeviceHold) {
    self.process = process
    self.hold = hold
  }

  /// Since when it has used the device at the latest, in seconds since the epoch: only a driver
  /// that reports the start of a stream tells.
  public var usedSince: Int64? { hold.streamingSince }

  /// Before when it cannot have opened the device, in seconds since the epoch: the start of the
  /// process.
  public var notBefore: Int64? { process.started }
}
