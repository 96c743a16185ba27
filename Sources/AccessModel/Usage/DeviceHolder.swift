/// A process that holds a device open, and how.
public struct DeviceHolder: Hashable, Sendable {
  /// The process.
  public var process: HoldingProcess
  /// How it holds the device.
  public var hold: DeviceHold
  /// Of a media server the programs that use the device through it; `nil` where it was not asked.
  public var clients: [MediaClient]?

  /// Creates a holder.
  public init(
    _ process: HoldingProcess, _ hold: DeviceHold, clients: [MediaClient]? = nil
  ) {
    self.process = process
    self.hold = hold
    self.clients = clients
  }

  /// Since when it has used the device at the latest, in seconds since the epoch: only a driver
  /// that reports the start of a stream tells.
  public var usedSince: Int64? { hold.streamingSince }

  /// Whether another holder, or this one itself, has an open file of the device in common with it: what
  /// becomes of that file is said of both.
  func sharesFile(with other: DeviceHolder) -> Bool {
    (hold.sharesWith ?? process.id) == (other.hold.sharesWith ?? other.process.id)
  }

  /// Before when it cannot have opened the device, in seconds since the epoch: the start of the
  /// process.
  public var notBefore: Int64? { process.started }
}

extension DeviceHolder: Codable {
  private enum CodingKeys: String, CodingKey {
    case process, hold, clients
  }

  /// More programs than a media server takes.
  package static let mostClients = 4096

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    process = try values.decode(HoldingProcess.self, forKey: .process)
    hold = try values.decode(DeviceHold.self, forKey: .hold)
    clients = try values.boundedIfPresent(.clients, limit: Self.mostClients)
  }
}
