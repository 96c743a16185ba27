public import AccessModel
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
    try machine.facts(for: question).explain()
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
