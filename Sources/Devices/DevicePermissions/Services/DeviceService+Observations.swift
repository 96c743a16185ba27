public import AccessModel
internal import LinuxDevices

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
      changes: FactsChanges(
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
      FactsChanges(
        machine: machine, questions: questions, interval: max(interval, .milliseconds(1)),
        limit: limit), inFull: true)
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
      changes: FactsChanges(
        machine: machine, questions: [Self.question(kind, subject)],
        interval: max(interval, .milliseconds(1)),
        limit: limit))
  }

  /// Returns the same answers as ``changes(to:every:for:)``, but without fixes and other remedies,
  /// which saves time for each change.
  package func changesInBrief(to questions: [Question]) -> AnswerChanges {
    AnswerChanges(FactsChanges(machine: machine, questions: questions), inFull: false)
  }

  /// Returns the facts of several questions, first at once and then whenever they may have changed.
  ///
  /// An element is delivered even if its facts equal the previous ones.
  package func looks(at questions: [Question]) -> FactsChanges {
    FactsChanges(machine: machine, questions: questions)
  }
}
