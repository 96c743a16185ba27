public import AccessModel
public import LegoKit
public import LinuxDevices

/// Lists devices and explains who may use them.
///
/// No privilege is needed, and nothing is opened but by ``open(_:for:)``. The work is done off
/// the caller's executor.
public struct DeviceService: Service {
  public static let contractor = DeviceService()

  /// What is observed.
  public var machine: any Machine

  /// A service that observes a machine; the running system unless a test names another.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// Every device of a kind, and for cameras and microphones those of other roles too, with the
  /// access that the asking thread has.
  ///
  /// - Throws: `unavailable` when the device database cannot be read.
  @concurrent
  public func list(_ kind: DeviceKind) async throws(DeviceError) -> [DeviceListing] {
    try machine.facts(for: Self.question(kind)).listings(of: kind)
  }

  /// Every device of a kind with the access that another subject has.
  ///
  /// - Throws: `unavailable` when the device database cannot be read, `noSubject` when the subject
  ///   or a group of the variation does not exist.
  @concurrent
  public func list(
    _ kind: DeviceKind, for subject: SubjectSelector,
    variation: SubjectVariation = SubjectVariation()
  ) async throws(DeviceError) -> [DeviceListing] {
    try machine.facts(for: Self.question(kind, subject, variation)).listings(of: kind)
  }

  /// What a list answers, which names nobody.
  static func question(
    _ kind: DeviceKind, _ subject: SubjectSelector = .ownProcess,
    _ variation: SubjectVariation = SubjectVariation()
  ) -> Question {
    var question = Question(.kind(kind), subject: subject, variation: variation)
    question.names = .none
    return question
  }

  /// All that is needed to answer a question: a snapshot.
  ///
  /// - Throws: `invalidPath` for a path that no system call would take, `noSubject` when the
  ///   question's subject does not exist.
  @concurrent
  public func facts(for question: Question) async throws(DeviceError) -> AccessFacts {
    try machine.facts(for: question)
  }

  /// Whether access is granted, the rule that decided, the cause and the fixes.
  ///
  /// A refusal is a result, not an error.
  ///
  /// - Throws: `invalidPath` for a path that no system call would take, `noSubject` when the
  ///   question's subject does not exist.
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

  /// What happens to devices from now on, each event in its order.
  ///
  /// Events that were lost are told as one `change` without a kernel name, of all subsystems: then list
  /// the devices again, or have ``listings(of:as:every:for:)`` do so. A process in a network namespace of
  /// its own receives no events.
  ///
  /// - Throws: `unavailable` when no events can be received.
  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    try machine.events()
  }
}
