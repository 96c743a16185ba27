/// A program that uses a device, either directly or through a media server that has opened it.
public enum DeviceUser: Hashable, Sendable {
  /// A process that holds the device open.
  case holder(DeviceHolder)
  /// A program that uses the device through a media server.
  case client(MediaClient, server: HoldingProcess)
  /// A program that the driver reports, but whose process was not found.
  case unnamed

  /// The untrusted name of the program; `nil` if the process was not found.
  public var name: String? {
    switch self {
    case .holder(let holder): holder.process.name
    case .client(let client, _): client.name
    case .unnamed: nil
    }
  }

  /// The facts about the process; `nil` if it was not found, or if only the program itself reports
  /// its ID.
  public var process: HoldingProcess? {
    switch self {
    case .holder(let holder): holder.process
    case .client(let client, _): client.process
    case .unnamed: nil
    }
  }

  /// The process ID; `nil` if unknown.
  public var processID: Int32? {
    switch self {
    case .holder(let holder): holder.process.id
    case .client(let client, _): client.processID
    case .unnamed: nil
    }
  }

  /// The ID of the desktop application that the program belongs to; `nil` if unknown.
  public var application: String? {
    switch self {
    case .holder(let holder): holder.process.application
    case .client(let client, _): client.application ?? client.process?.application
    case .unnamed: nil
    }
  }

  /// The identity of the user across observations.
  var identity: Identity {
    switch self {
    case .holder(let holder):
      Identity(process: holder.process.id, startTicks: holder.process.startTicks)
    case .client(let client, let server):
      Identity(
        process: server.id, startTicks: server.startTicks, client: client.name,
        clientProcess: client.processID)
    case .unnamed: Identity()
    }
  }

  struct Identity: Hashable {
    var process: Int32?
    var startTicks: UInt64?
    var client: String?
    var clientProcess: Int32?
  }
}
