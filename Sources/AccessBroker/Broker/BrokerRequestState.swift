internal import AccessModel
internal import LinuxDevices
internal import MessageBus

/// A request on its way.
struct BrokerRequestState {
  /// Who or what it waits for.
  enum Stage {
    /// The bus, to say which process asks.
    case process
    /// The bus, to say which user asks.
    case user
    /// polkit.
    case authority(HeldDevice)
    /// The driver.
    case opening(HeldDevice)
    /// The bus once more, before the descriptor leaves.
    case handOver(HeldDevice, BusDescriptor)
  }

  /// A process that many copies of a request hold.
  final class Process: Sendable {
    private let held: HeldProcess

    init?(_ number: UInt32) {
      guard let held = HeldProcess(number) else { return nil }
      self.held = held
    }

    var hasEnded: Bool { held.hasEnded }
  }

  /// The unique name of the caller's connection.
  let caller: String
  let query: BrokerQuery
  /// When it is given up.
  var deadline: ContinuousClock.Instant
  var stage = Stage.process
  /// The process that made the connection; `nil` where the bus does not know it.
  var process: Process?
  /// Who asks, once the bus has said so.
  var user: UInt32?

  /// Whether polkit was asked.
  var isBeforeAuthority: Bool {
    switch stage {
    case .process, .user: true
    case .authority, .opening, .handOver: false
    }
  }
}
