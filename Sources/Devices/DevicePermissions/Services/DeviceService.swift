public import AccessModel
public import DeviceWatching
public import LegoKit
public import LinuxDevices

/// Lists devices and explains who may use them.
///
/// No privilege is needed, and only ``open(_:for:)`` opens a device. The asynchronous calls do not
/// run on the caller's executor.
public struct DeviceService: Service {
  public static let contractor = DeviceService()

  /// The machine to observe.
  public var machine: any Machine

  /// Creates a service that observes a machine, by default the running system.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// Returns every device of a kind, with the access of the calling thread.
  ///
  /// Lists of cameras and microphones include devices with other roles.
  ///
  /// - Throws: `unavailable` if the device database cannot be read.
  @concurrent
  public func list(_ kind: DeviceKind) async throws(DeviceError) -> [DeviceListing] {
    try machine.facts(for: Self.question(kind)).listings(of: kind)
  }

  /// Returns every device of a kind, with the access of another subject.
  ///
  /// - Throws: `unavailable` if the device database cannot be read, `noSubject` if the subject or a
  ///   group of the variation does not exist.
  @concurrent
  public func list(
    _ kind: DeviceKind, for subject: SubjectSelector,
    variation: SubjectVariation = SubjectVariation()
  ) async throws(DeviceError) -> [DeviceListing] {
    try machine.facts(for: Self.question(kind, subject, variation)).listings(of: kind)
  }

  /// Returns the question that a list answers, for which the names of users are not needed.
  static func question(
    _ kind: DeviceKind, _ subject: SubjectSelector = .ownProcess,
    _ variation: SubjectVariation = SubjectVariation()
  ) -> Question {
    var question = Question(.kind(kind), subject: subject, variation: variation)
    question.names = .none
    return question
  }

  /// Returns a snapshot of the facts that are needed to answer a question.
  ///
  /// - Throws: `invalidPath` if no system call accepts the path, `noSubject` if the subject of the
  ///   question does not exist.
  @concurrent
  public func facts(for question: Question) async throws(DeviceError) -> AccessFacts {
    try machine.facts(for: question)
  }

  /// Returns whether access is allowed, the deciding rule, the cause and the fixes.
  ///
  /// A refusal is a result, not an error.
  ///
  /// - Throws: `invalidPath` if no system call accepts the path, `noSubject` if the subject of the
  ///   question does not exist.
  @concurrent
  public func explain(_ question: Question) async throws(DeviceError) -> Explanation {
    try await answer(question).explanation
  }

  /// Returns the answer to a question, together with the facts that it is based on.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - withUse: `true` to find the users of the device if access to it is allowed. The users of a
  ///     device that may not be opened do not affect the answer.
  /// - Throws: The errors of ``explain(_:)``.
  /// - Returns: The answer.
  @concurrent
  package func answer(
    _ question: Question, withUse: Bool = false
  ) async throws(DeviceError) -> AnsweredFacts {
    let facts = try machine.facts(for: question)
    guard withUse, !facts.targetsOfUse.isEmpty, facts.answer == .allowed else {
      return AnsweredFacts(facts)
    }
    return AnsweredFacts(machine.observingUse(in: facts))
  }

  /// Opens a device, raising a permitted but not effective capability for that one call.
  ///
  /// - Throws: `refused` with the error number of open(2).
  public func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    try await machine.open(path, for: permissions)
  }

  /// Returns the device events from now on, in order.
  ///
  /// If events were lost, a single `change` event without a kernel name stands for all subsystems.
  /// In that case, list the devices again, or use ``listings(of:as:every:for:)``, which does that.
  /// A process in its own network namespace receives no events.
  ///
  /// - Throws: `unavailable` if no events can be received.
  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    try machine.events()
  }
}

extension DeviceService {
  /// Returns the facts behind an answer, first at once and then each time that they change.
  ///
  /// Events of devices, files, sessions, mounts and accounts trigger observations, so a change is
  /// noticed within milliseconds, and nothing is done between events. Objects that send no events,
  /// such as files on a network filesystem, are polled. While the consumer is busy, any number of
  /// events cause one further observation.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - interval: The time between observations of objects that send no events, at least a
  ///     millisecond.
  ///   - limit: The time until the last observation, including time during which the system is
  ///     suspended; `nil` to continue until the task is cancelled.
  /// - Returns: A sequence of facts, which throws an error if nothing can be observed.
  public func observations(
    of question: Question, every interval: Duration = .seconds(1), for limit: Duration? = nil
  ) -> FactsObservations {
    FactsObservations(
      changes: FactsScans(
        machine: machine, questions: [question], interval: max(interval, .milliseconds(1)),
        limit: limit))
  }

  /// Returns the current answers to some questions, and then each changed answer with its
  /// differences.
  ///
  /// - Parameters:
  ///   - questions: The questions.
  ///   - interval: The time between observations of objects that send no events, at least a
  ///     millisecond.
  ///   - limit: The time until the last observation, including time during which the system is
  ///     suspended; `nil` to continue until the task is cancelled.
  /// - Returns: A sequence of answers, which throws an error if nothing can be observed. If
  ///   ``facts(for:)`` throws an error for one question, for example because no system call accepts
  ///   its path, the sequence ends before the first answer to any question. Use one sequence for
  ///   each path that a user has typed.
  public func changes(
    to questions: [Question], every interval: Duration = .seconds(1), for limit: Duration? = nil
  ) -> AnswerChanges {
    AnswerChanges(
      FactsScans(
        machine: machine, questions: questions, interval: max(interval, .milliseconds(1)),
        limit: limit), .full)
  }

  /// Returns the current devices of a kind with the access to each, and then each changed list with
  /// the devices that were added, removed or changed.
  ///
  /// As in ``list(_:)``, lists of cameras and microphones include nodes with other roles, such as
  /// metadata; see `DeviceFacts.role`.
  ///
  /// ```swift
  /// for try await change in Contractors().devices.listings(of: .camera) {
  ///   for listing in change.added { print("new:", listing.device.name ?? "unnamed") }
  ///   for listing in change.removed { print("gone:", listing.device.name ?? "unnamed") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of device.
  ///   - subject: The subject whose access is reported.
  ///   - interval: The time between observations of objects that send no events, at least a
  ///     millisecond.
  ///   - limit: The time until the last observation, including time during which the system is
  ///     suspended; `nil` to continue until the task is cancelled.
  /// - Returns: A sequence of lists, which throws the errors of ``list(_:for:variation:)``.
  public func listings(
    of kind: DeviceKind, as subject: SubjectSelector = .ownProcess,
    every interval: Duration = .seconds(1), for limit: Duration? = nil
  ) -> ListingChanges {
    ListingChanges(
      kind: kind,
      changes: FactsScans(
        machine: machine, questions: [Self.question(kind, subject)],
        interval: max(interval, .milliseconds(1)),
        limit: limit))
  }

  /// Returns the same answers as ``changes(to:every:for:)``, in the given detail.
  ///
  /// Brief answers save time for each change.
  package func changes(to questions: [Question], in detail: ExplanationDetail) -> AnswerChanges {
    AnswerChanges(FactsScans(machine: machine, questions: questions), detail)
  }

  /// Returns the facts of several questions, first at once and then whenever they may have changed.
  ///
  /// An element is delivered even if its facts equal the previous ones.
  package func scans(at questions: [Question]) -> FactsScans {
    FactsScans(machine: machine, questions: questions)
  }
}

extension Contractors {
  /// The service that reports whether this program may use the camera, the microphone and the
  /// album, and requests access to them.
  public var permissions: PermissionsService {
    get { Self[PermissionsService.Value.self] }
    set { Self[PermissionsService.Value.self] = newValue }
  }

  /// The service that lists devices and explains who may use them.
  public var devices: DeviceService {
    get { Self[DeviceService.Value.self] }
    set { Self[DeviceService.Value.self] = newValue }
  }

  /// The service that finds the processes that use devices.
  public var deviceUsage: DeviceUsageService {
    get { Self[DeviceUsageService.Value.self] }
    set { Self[DeviceUsageService.Value.self] = newValue }
  }
}
