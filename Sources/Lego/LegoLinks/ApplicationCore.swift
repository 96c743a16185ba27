internal import Glibc
internal import JSONText
internal import LegoKit
internal import MessageBus
internal import Synchronization

/// The state that an application shares with the task that maintains its connection.
final class ApplicationCore: Sendable {
  private struct State {
    var isStarted = false
    var isClosed = false
    /// The connection that owns the name, or `nil` if there is none.
    var client: BusClient?
    /// `true` if the connection has subscribed to the signals of the notification service, or is
    /// about to.
    var isListening = false
    var connectionTask: Task<Void, Never>?
  }

  /// The result of requesting the name.
  enum NameRequestResult: Sendable {
    case owned(BusClient)
    /// Another connection owns the name, and the client can call it.
    case taken(BusClient)
    case failed(BusFailure)
  }

  let name: BusName
  let times: ApplicationTimes
  let shownNotifications = ShownNotifications()
  private let schemes: [LinkScheme]
  private let actions: [String: String]
  private let address: BusAddress
  private let arrivals: LinkInbox
  private let state = Mutex(State())

  init(
    _ name: BusName, _ schemes: [LinkScheme], _ actions: [String: String], _ address: BusAddress,
    _ times: ApplicationTimes, _ arrivals: LinkInbox
  ) {
    self.name = name
    self.schemes = schemes
    self.actions = actions
    self.address = address
    self.times = times
    self.arrivals = arrivals
  }

  /// The connection that owns the name, or `nil` if there is none.
  var client: BusClient? { state.withLock { $0.client } }

  /// Returns a Boolean value that indicates whether the caller must subscribe to the signals of the
  /// notification service.
  ///
  /// Each connection must subscribe once.
  func beginListening() -> Bool {
    state.withLock { state in
      defer { state.isListening = true }
      return !state.isListening
    }
  }

  // MARK: Start

  func start(
    _ arguments: [String], problems: LogSink
  ) async throws(DesktopApplicationError) -> DesktopApplication.Instance {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted && !state.isClosed
    }
    guard isFirst else {
      throw DesktopApplicationError(
        .alreadyStarted, name.text, "it was already started, or is closed")
    }
    let found = LinkArguments(arguments, schemes: schemes)
    if found.tooLong > 0 {
      problems.write(
        "\(name.text): links of more than \(LinkLimits.linkBytes) bytes among the arguments are ignored"
      )
    }
    let token =
      Environment.text("XDG_ACTIVATION_TOKEN") ?? Environment.text("DESKTOP_STARTUP_ID")
    var failure = BusFailure.timedOut
    let end = ContinuousClock.now + times.handOver
    while ContinuousClock.now < end {
      let result = await requestName(problems) { self.deliver(found.links, token, problems) }
      if case .taken(let client) = result {
        do throws(BusFailure) {
          try await handOver(found, token, to: client)
          state.withLock { $0.isClosed = true }
          arrivals.finish()
          return .handedOver
        } catch {
          failure = error
          guard Self.saysNoOwner(error) else { break }
          // The other instance is exiting, and is about to release the name.
          try? await Task.sleep(for: .milliseconds(10))
          continue
        }
      }
      if case .failed(.cancelled) = result {
        throw DesktopApplicationError(.cancelled, name.text, BusFailure.cancelled)
      }
      if case .failed = result { deliver(found.links, token, problems) }
      keepConnection(result, problems)
      return found.isService ? .service : .first
    }
    throw DesktopApplicationError(.notHandedOver, name.text, failure)
  }

  /// Connects to the bus and requests the name.
  ///
  /// - Parameters:
  ///   - problems: The sink for error reports.
  ///   - owned: Called as soon as this connection owns the name, before the first message to that
  ///     name is handled.
  /// - Returns: The result of the request.
  private func requestName(
    _ problems: LogSink, owned: @escaping @Sendable () -> Void = {}
  ) async -> NameRequestResult {
    do throws(BusFailure) {
      let limits = BusLimits(text: LinkLimits.linkBytes, values: 1_024, depth: 8)
      let client = try BusClient(address, limits: limits) {
        [name, actions, arrivals, shownNotifications] in
        ApplicationCallHandler(
          name: name, actions: actions, arrivals: arrivals, shownNotifications: shownNotifications,
          problems: problems
        ).answer($0)
      }
      // The value 4 is DBUS_NAME_FLAG_DO_NOT_QUEUE.
      let call = BusCall.bus("RequestName", [.text(name.text), .unsigned(4)])
      let reply = try await client.call(call, within: times.answer) { reply in
        if Self.isOwner(reply) { owned() }
      }
      if Self.isOwner(reply) { return .owned(client) }
      switch reply.values.first?.unsigned {
      case 3: return .taken(client)
      default: return .failed(BusFailure(errno: 0, text: "the bus refused the name"))
      }
    } catch {
      return .failed(error)
    }
  }

  /// Returns a Boolean value that indicates whether a reply grants the name to this connection.
  private static func isOwner(_ reply: BusReply) -> Bool {
    [1, 4].contains(reply.values.first?.unsigned)
  }

  private func handOver(
    _ found: LinkArguments, _ token: String?, to client: BusClient
  ) async throws(BusFailure) {
    // An instance that the bus has started has no links to hand over. If the owner of the name has
    // just exited, a call would make the bus start this program again.
    if found.isService { return }
    var rest = found.links[...]
    repeat {
      let call = ApplicationRequest.handOver(
        Array(rest.prefix(LinkLimits.linksInCall)), to: name, token: token)
      _ = try await client.call(call, within: times.handOver)
      rest = rest.dropFirst(LinkLimits.linksInCall)
    } while !rest.isEmpty
  }

  /// Returns a Boolean value that indicates whether a call failed because the name has no owner, or
  /// because its owner exited without replying.
  private static func saysNoOwner(_ failure: BusFailure) -> Bool {
    ["ServiceUnknown", "NameHasNoOwner", "NoReply"].contains {
      failure.name == "org.freedesktop.DBus.Error.\($0)"
    }
  }

  private func deliver(_ links: [String], _ token: String?, _ problems: LogSink) {
    let arrivals = links.map { LinkArrival($0, origin: .arguments, activationToken: token) }
    for arrival in arrivals where !self.arrivals.send(arrival) {
      return problems.write("\(name.text): too many links among the arguments; some are ignored")
    }
  }

  // MARK: The connection

  /// Maintains the connection, and reconnects when it is lost.
  private func keepConnection(_ result: NameRequestResult, _ problems: LogSink) {
    if case .owned(let client) = result { adopt(client) }
    let connectionTask = Task.detached(name: "connection of \(name.text)") { [weak self] in
      var result = result
      var pause: Duration?
      while !Task.isCancelled {
        let problem: String
        switch result {
        case .owned(let client):
          (problem, pause) = ((await client.ended()).description, nil)
        case .taken: problem = "another program owns the name"
        case .failed(let failure): problem = failure.description
        }
        // The client is released here, which closes its connection.
        result = .failed(.closed)
        guard !Task.isCancelled, let times = self?.times else { return }
        self?.report(problem, isNew: pause == nil, problems)
        let time = min(pause.map { $0 * 2 } ?? times.firstRetry, times.longestRetry)
        pause = time
        try? await Task.sleep(for: time)
        guard !Task.isCancelled, let next = await self?.requestName(problems) else { return }
        result = next
        if case .owned(let client) = result { self?.adopt(client) }
      }
    }
    let isClosed = state.withLock { state in
      state.connectionTask = connectionTask
      return state.isClosed
    }
    if isClosed { connectionTask.cancel() }
  }

  private func report(_ problem: String, isNew: Bool, _ problems: LogSink) {
    state.withLock { ($0.client, $0.isListening) = (nil, false) }
    guard isNew else { return }
    problems.write(
      "\(name.text) cannot receive links from the bus, will try again: \(JSONQuotes.escaped(problem))"
    )
  }

  /// Stores a connection that owns the name, unless the application has been closed.
  private func adopt(_ client: BusClient) {
    state.withLock { if !$0.isClosed { $0.client = client } }
  }

  // MARK: End

  /// Ends the connection and the sequence of arrivals, without waiting.
  ///
  /// - Returns: The connection, which the caller can close, or `nil` if there is none.
  @discardableResult
  func stop() -> BusClient? {
    let (client, connectionTask) = state.withLock { state in
      defer { (state.isClosed, state.client, state.connectionTask) = (true, nil, nil) }
      return (state.client, state.connectionTask)
    }
    connectionTask?.cancel()
    arrivals.finish()
    return client
  }

  func close() async { await stop()?.close() }
}

/// Timeouts and delays for calls over the bus.
struct ApplicationTimes: Hashable, Sendable {
  /// The timeout for answers from the bus itself and from the notification service.
  var answer = Duration.seconds(5)
  /// The timeout for handing over links to a running instance, and for each of its answers.
  var handOver = Duration.seconds(10)
  /// The delay before the first attempt to reconnect.
  ///
  /// The delay doubles with each further attempt.
  var firstRetry = Duration.milliseconds(250)
  /// The maximum delay before an attempt to reconnect.
  var longestRetry = Duration.seconds(60)
}

/// The links in the command-line arguments of a program.
struct LinkArguments {
  /// The argument that the bus passes when it starts the program.
  ///
  /// The program then waits for calls.
  static let service = "--gapplication-service"

  /// The links, in order.
  let links: [String]
  /// The number of links that are omitted because they exceed the maximum length.
  let tooLong: Int
  /// `true` if the bus has started the program.
  let isService: Bool

  /// Finds the arguments that are links with one of the schemes.
  ///
  /// Other arguments are ignored, except the argument that the bus passes.
  init(_ arguments: some Sequence<String>, schemes: [LinkScheme]) {
    let options = Array(arguments)
    let all = options.filter { argument in schemes.contains { $0.matches(argument) } }
    links = all.filter { $0.utf8.count <= LinkLimits.linkBytes }
    tooLong = all.count - links.count
    isService = options.contains(Self.service)
  }
}

/// The environment of the process.
enum Environment {
  /// Returns the value of an environment variable, or `nil` if it is unset or empty.
  static func text(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
