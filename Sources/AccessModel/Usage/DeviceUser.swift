/// A program that uses a device: by itself, or through a media server that has opened it.
public enum DeviceUser: Hashable, Sendable {
  /// A process that holds the device open.
  case holder(DeviceHolder)
  /// A program that uses it through a media server.
  case client(MediaClient, server: HoldingProcess)
  /// A program that the driver reports, and that could not be found.
  case unnamed

  /// What the program calls itself, which is untrusted; `nil` for one that could not be found.
  public var name: String? {
    switch self {
    case .holder(let holder): holder.process.name
    case .client(let client, _): client.name
    case .unnamed: nil
    }
  }

  /// What is known of its process; `nil` for one that nobody but itself vouches for.
  public var process: HoldingProcess? {
    switch self {
    case .holder(let holder): holder.process
    case .client(let client, _): client.process
    case .unnamed: nil
    }
  }

  /// Its process ID; `nil` where that is not known.
  public var processID: Int32? {
    switch self {
    case .holder(let holder): holder.process.id
    case .client(let client, _): client.processID
    case .unnamed: nil
    }
  }

  /// The ID of the desktop application that it belongs to.
  public var application: String? {
    switch self {
    case .holder(let holder): holder.process.application
    case .client(let client, _): client.application ?? client.process?.application
    case .unnamed: nil
    }
  }

  /// What makes two looks at it one user.
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
