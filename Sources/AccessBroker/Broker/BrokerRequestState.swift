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
    /// What it is called in dialogs and in the log: what it calls itself, and its number.
    ///
    /// The name is between signs that no name has, so that no name can seem to be more than one.
    let text: String

    init?(_ number: UInt32) {
      guard let held = HeldProcess(number) else { return nil }
      let name = held.name.flatMap(DialogText.plain)
      text = "process \(number)" + (name.map { " '\($0)'" } ?? "")
      self.held = held
    }

    var number: UInt32 { held.number }

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

  /// What dialogs and the log call the process that asks.
  var program: String { process?.text ?? "an unknown process" }

  /// Whether polkit was asked.
  var isBeforeAuthority: Bool {
    switch stage {
    case .process, .user: true
    case .authority, .opening, .handOver: false
    }
  }
}
