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

/// The arguments of a call to the broker's only method.
struct BrokerQuery: Hashable, Sendable {
  let path: String
  let wanted: Permissions
  let number: DeviceNumber

  /// Reads the arguments.
  ///
  /// - Throws: `invalidArguments` if they are not valid.
  init(_ call: BusIncoming) throws(BrokerRefusal) {
    guard call.signature == BrokerCalls.signature, call.arguments.count == 4 else {
      throw Self.refusal("the arguments must be of the types \(BrokerCalls.signature)")
    }
    // The bus reader returns `other` for a text that is too long.
    guard let path = call.arguments[0].text, path.utf8.count < BrokerCalls.longestPath,
      path.hasPrefix("/dev/"), path.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) })
    else { throw Self.refusal("the path must be the node of a device below /dev") }
    guard let wanted = call.arguments[1].text.flatMap(BrokerCalls.permissions) else {
      throw Self.refusal("the access must be read, write or readwrite")
    }
    guard let major = call.arguments[2].unsigned.flatMap(UInt32.init(exactly:)),
      let minor = call.arguments[3].unsigned.flatMap(UInt32.init(exactly:))
    else { throw Self.refusal("the device number is invalid") }
    self.path = path
    self.wanted = wanted
    number = DeviceNumber(major: major, minor: minor)
  }

  private static func refusal(_ text: String) -> BrokerRefusal {
    BrokerRefusal(.invalidArguments, text)
  }
}

/// Limits the rate of requests of each user, with a bucket that refills over time.
struct UserRates {
  private struct Bucket {
    var used: Double
    var time: ContinuousClock.Instant
  }

  private let burst: Double
  private let perSecond: Double
  private var buckets: [UInt32: Bucket] = [:]

  init(_ limits: BrokerLimits) {
    burst = Double(limits.burstOfUser)
    perSecond = Double(limits.rateOfUser)
  }

  /// Counts a request of a user.
  ///
  /// - Returns: `true` if the request is within the limits.
  mutating func take(_ user: UInt32, at now: ContinuousClock.Instant) -> Bool {
    // Remove users whose buckets are full again, so the number of buckets remains small.
    buckets = buckets.filter { self.used($0.value, at: now) > 0 }
    let used = buckets[user].map { self.used($0, at: now) } ?? 0
    guard used + 1 <= burst else { return false }
    buckets[user] = Bucket(used: used + 1, time: now)
    return true
  }

  private func used(_ bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
    let parts = (now - bucket.time).components
    let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    return max(0, bucket.used - max(0, seconds) * perSecond)
  }
}
