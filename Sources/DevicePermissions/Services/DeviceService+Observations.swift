public import AccessModel
internal import LinuxDevices

extension DeviceService {
  /// The facts behind an answer: at once, and again when they have become others.
  ///
  /// Events of devices, files, sessions, mounts and accounts say when to look, so that a change is
  /// seen within milliseconds, and nothing is done between them. Where something is not told by
  /// events, such as on a network filesystem, it is looked at after an interval. While the consumer
  /// works on one element, any number of events make one further look.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - interval: How long to wait before looking again at what is not told by events, at least a
  ///     millisecond.
  ///   - limit: After how long to look a last time and end; `nil` to go on until cancelled. Time
  ///     that the system sleeps counts.
  /// - Returns: The facts; it fails when nothing can be observed.
  public func observations(
    of question: Question, every interval: Duration = .seconds(1), for limit: Duration? = nil
  ) -> FactsObservations {
    FactsObservations(
      changes: FactsChanges(
        machine: machine, questions: [question], interval: max(interval, .milliseconds(1)),
        limit: limit))
  }

  /// The answers to some questions: as they are now, and from then on each other answer, with what
  /// became different.
  ///
  /// - Parameters:
  ///   - questions: What is asked.
  ///   - interval: How long to wait before looking again at what is not told by events, at least a
  ///     millisecond.
  ///   - limit: After how long to look a last time and end; `nil` to go on until cancelled. Time
  ///     that the system sleeps counts.
  /// - Returns: The answers; it fails when nothing can be observed. One question that
  ///   ``facts(for:)`` does not answer, such as about a path that no system call would take, ends it
  ///   before the first answer to any: ask about paths that a person has typed one by one.
  public func changes(
    to questions: [Question], every interval: Duration = .seconds(1), for limit: Duration? = nil
  ) -> AnswerChanges {
    AnswerChanges(
      FactsChanges(
        machine: machine, questions: questions, interval: max(interval, .milliseconds(1)),
        limit: limit), inFull: true)
  }

  /// The devices of a kind with the access to each: as they are now, and from then on each other list,
  /// with those that came, went or changed.
  ///
  /// As in ``list(_:)``, lists of cameras and microphones include nodes of other roles, such as
  /// metadata: see `DeviceFacts.role`.
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
  ///   - subject: For whom the access is told.
  ///   - interval: How long to wait before looking again at what is not told by events, at least a
  ///     millisecond.
  ///   - limit: After how long to look a last time and end; `nil` to go on until cancelled. Time
  ///     that the system sleeps counts.
  /// - Returns: The lists; it fails where ``list(_:for:variation:)`` does.
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

  /// The same, where the fixes and what else helps are not shown: a change then costs less.
  package func changesInBrief(to questions: [Question]) -> AnswerChanges {
    AnswerChanges(FactsChanges(machine: machine, questions: questions), inFull: false)
  }

  /// The facts of several questions: at once, and of each again with each reason to look at it.
  ///
  /// Facts are told even where they are those of before.
  package func looks(at questions: [Question]) -> FactsChanges {
    FactsChanges(machine: machine, questions: questions)
  }
}
