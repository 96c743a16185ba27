/// A process that holds a device open, with the details of its hold.
public struct DeviceHolder: Hashable, Sendable {
  /// The process.
  public var process: HoldingProcess
  /// The details of the hold.
  public var hold: DeviceHold
  /// The programs that use the device through this process, if it is a media server.
  ///
  /// It is `nil` if the process is not a media server, or if the media server was not asked.
  public var clients: [MediaClient]?

  /// Creates a holder.
  public init(
    _ process: HoldingProcess, _ hold: DeviceHold, clients: [MediaClient]? = nil
  ) {
    self.process = process
    self.hold = hold
    self.clients = clients
  }

  /// The time since which the process is known to have used the device, in seconds since the epoch.
  ///
  /// It is `nil` unless the driver reports when the stream began.
  public var usedSince: Int64? { hold.streamingSince }

  /// Returns whether two holders share an open file of the device.
  ///
  /// It also returns `true` if both are the same process. A statement about a shared file, such as
  /// its direction, applies to all processes that share it.
  func sharesFile(with other: DeviceHolder) -> Bool {
    (hold.sharesWith ?? process.id) == (other.hold.sharesWith ?? other.process.id)
  }

  /// The earliest time at which the process can have opened the device, in seconds since the epoch.
  ///
  /// It is the start time of the process, or `nil` if that is unknown.
  public var notBefore: Int64? { process.started }
}

extension DeviceHolder: Codable {
  private enum CodingKeys: String, CodingKey {
    case process, hold, clients
  }

  /// A limit that exceeds the number of clients of any media server.
  package static let mostClients = 4096

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    process = try values.decode(HoldingProcess.self, forKey: .process)
    hold = try values.decode(DeviceHold.self, forKey: .hold)
    clients = try values.boundedIfPresent(.clients, limit: Self.mostClients)
  }
}
