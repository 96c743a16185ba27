extension PreparedCase {
  /// Decides the request of the case.
  public func verdict() -> Verdict {
    verdict(for: access.request)
  }

  /// Decides another request on the same facts, without allocating memory.
  public func verdict(for request: Request) -> Verdict {
    var recorder = NoRecorder()
    return verdict(of: decide(request, &recorder))
  }

  /// Decides a request and records only its last step.
  ///
  /// That is sufficient for callers that do not show the other steps.
  func conclusion(for request: Request) -> Decision {
    var recorder = LastCheckRecorder()
    let progress = decide(request, &recorder)
    var writer = StepRecorder(prepared: self, request: request)
    recorder.replay(into: &writer)
    return writer.decision(of: progress, verdict(of: progress))
  }

  /// Decides a request and returns its last check.
  func lastCheck(for request: Request) -> LastCheckRecorder {
    var recorder = LastCheckRecorder()
    _ = decide(request, &recorder)
    return recorder
  }

  /// Decides a request and records every step.
  public func decision(for request: Request) -> Decision {
    var recorder = StepRecorder(prepared: self, request: request)
    let progress = decide(request, &recorder)
    return recorder.decision(of: progress, verdict(of: progress))
  }

  func verdict(of progress: Progress) -> Verdict {
    let outcome = progress.outcome
    var node = progress.node
    var name = progress.name
    if case .undecided = outcome {
      node = progress.doubtNode
      if !progress.isStuck || node != progress.node { name = nil }
    }
    let finding = progress.finding
    let isUndecided = if case .undecided = outcome { true } else { false }
    return Verdict(
      outcome: outcome, rule: isUndecided ? nil : finding.rule,
      node: node < 0 ? nil : Int(node),
      entry: isUndecided || finding.entry < 0 ? nil : Int(finding.entry),
      allMatchingGroupsLack: !isUndecided && finding.allMatchingGroupsLack,
      wanted: progress.wanted, name: name)
  }

  /// Walks the path, checks the object, and reports every check to the recorder.
  ///
  /// Every decision and verdict calls this method.
  func decide<Recorder: DecisionRecorder>(
    _ request: Request, _ recorder: inout Recorder
  ) -> Progress {
    let asked = RequestedAccess(request)
    var progress = Progress(
      credentials: asked.marks.contains(.realIDs) ? subject.real : subject.effective,
      followsFinalLink: !asked.marks.contains(.noFollow),
      requiresDirectory: asked.marks.contains(.directory))
    progress.creates = asked.marks.contains(.create)
    let path = request.path
    let span = path.utf8Span.span
    if span.count == 0 || span.count >= Self.pathMax && ByteText.byteCount(span) >= Self.pathMax {
      // The path is refused before any directory is searched.
      progress.finding =
        span.count == 0
        ? .denied(.walkNoEntry, .noSuchFile)
        : .denied(.walkNameTooLong, .nameTooLong)
      recorder.record(.final, node: -1, wanted: [], finding: progress.finding, doubt: nil)
      return progress
    }
    guard root >= 0, !nodes[Int(root)].marks.contains(.statusUnobserved) else {
      progress.raise(.root, -1, at: -1)
      progress.isStuck = true
      recorder.record(.final, node: -1, wanted: [], finding: Finding(), doubt: .root)
      return progress
    }
    let object = walk(span, source: -1, from: root, isTrailing: true, &progress, &recorder)
    guard object >= 0 else { return progress }
    progress.stepDoubt = nil
    let finding =
      asked.marks.contains(.open)
      ? checkOpen(object, asked, &progress) : checkAccess(object, asked, &progress)
    _ = finish(.final, object, asked.wanted, finding, &progress, &recorder)
    return progress
  }
}

extension AccessCase {
  /// Decides the case and records every step.
  ///
  /// The same case has the same decision on every machine.
  public func decide() -> Decision {
    PreparedCase(self).decision(for: request)
  }

  /// Decides the case without recording the steps, which is most of the cost of a decision.
  public func verdict() -> Verdict {
    PreparedCase(self).verdict(for: request)
  }

  /// Decides the case and records only its last step.
  func conclude() -> Decision {
    PreparedCase(self).conclusion(for: request)
  }
}
