internal import AccessModel
internal import LinuxDevices
internal import MessageBus

/// A request in progress.
struct BrokerRequestState {
  /// The step that a request is waiting for.
  enum Stage {
    /// The bus's reply with the caller's process.
    case process
    /// The bus's reply with the caller's user.
    case user
    /// polkit's reply.
    case authority(HeldDevice)
    /// The driver's open.
    case opening(HeldDevice)
    /// The bus's second reply with the caller's user, which is checked before the descriptor is
    /// sent.
    case handOver(HeldDevice, BusDescriptor)
  }

  /// A process, shared by all copies of a request.
  final class Process: Sendable {
    private let held: HeldProcess
    /// The description of the process in dialogs and in the log: its own name and its process ID.
    ///
    /// The name is in quotation marks, which it cannot contain, so it is clear where the name ends.
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
  /// The time at which the request expires.
  var deadline: ContinuousClock.Instant
  var stage = Stage.process
  /// The process that created the connection; `nil` if the bus does not know it.
  var process: Process?
  /// The user who owns the connection; `nil` until the bus has reported it.
  var user: UInt32?

  /// The description of the requesting process in dialogs and in the log.
  var program: String { process?.text ?? "an unknown process" }

  /// A Boolean value that indicates whether polkit has not been asked yet.
  var isBeforeAuthority: Bool {
    switch stage {
    case .process, .user: true
    case .authority, .opening, .handOver: false
    }
  }
}
