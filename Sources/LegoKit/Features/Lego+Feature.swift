extension Lego {
  /// Creates a store of a feature, with adaptors of its own.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - feature: What changes do to it, and what happens beside them.
  ///   - enableLogs: Whether every change is written to the sink.
  ///   - logSink: Where the log goes; the ``Contractors/logSink`` in force when left out.
  ///   - tracer: A hook that is told what the store does.
  ///   - runawayLimit: How many changes may follow from one another without a pause before it is
  ///     looked whether they go round; the tracer and the ``Contractors/problemSink`` are told.
  ///   - backlog: How many changes may wait to be told, and what happens when there are more.
  @inlinable public convenience init(
    _ design: B.Design, feature: Feature<B>, enableLogs: Bool = false, logSink: LogSink? = nil,
    tracer: LegoTracer? = nil, runawayLimit: Int = 2_000_000, backlog: Backlog = Backlog()
  ) {
    self.init(
      design, feature, enableLogs ? logSink ?? Contractors().logSink : nil, tracer, runawayLimit,
      backlog
    ) { $0.taker($1, $2) }
  }

  @usableFromInline convenience init(
    _ design: B.Design, _ feature: Feature<B>, _ log: LogSink?, _ tracer: LegoTracer?,
    _ runawayLimit: Int, _ backlog: Backlog, _ makeTaker: MakeTaker
  ) {
    let adaptors = feature.makeAdaptors()
    let design = Self.opening(design, by: adaptors)
    self.init(
      design, feature.own, adaptors, log: log, tracer, runawayLimit, rules: feature.rules,
      backlog: backlog, makeTaker: makeTaker)
  }
}

extension Feature {
  /// What changes do in a store; `nil` where that is the blueprint's work alone.
  package var rules: Rules<B>? {
    let content = content
    return content.isPlain ? nil : content.rules
  }
}
