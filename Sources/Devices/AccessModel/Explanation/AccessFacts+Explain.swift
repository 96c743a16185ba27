extension AccessFacts {
  /// Decides the question from these facts and explains the answer.
  ///
  /// The function is pure: the same facts have the same explanation on every machine. If there are
  /// several candidates, it reports the best one: one that is granted, or else the one that is
  /// closest to a grant. It derives the status by deciding hypothetical changes to the facts, never
  /// from the names of groups.
  public func explain() -> Explanation { explain(.full) }

  /// Decides the question and explains the answer in the given detail.
  package func explain(_ detail: ExplanationDetail) -> Explanation {
    let facts = decisive
    let explanation = facts.explainObject(detail)
    return facts.interpreters.isEmpty
      ? explanation
      : facts.explainingInterpreter(of: explanation, detail) ?? explanation
  }

  /// The answer that ``explain()`` gives, derived in the same way but without the explanation.
  package var answer: Answer {
    let facts = decisive
    // The interpreter of a script is another object, which needs an explanation of its own.
    guard facts.interpreters.isEmpty else { return facts.explain(.brief).answer }
    return facts.judgement(.brief)?.answer ?? .absent
  }

  /// The facts that the answer is about.
  ///
  /// These differ from the observed facts if a layer hides devices or does not apply. One correction
  /// can make another one necessary.
  private var decisive: AccessFacts {
    var facts = self
    while let corrected = facts.corrected { facts = corrected }
    return facts
  }

  /// The facts after the first correction that applies; `nil` if none applies.
  private var corrected: AccessFacts? {
    asOwnMachine ?? withoutForeignUnit ?? withHiddenDevices
  }

  /// The answer about the best candidate, and what it is derived from.
  private struct Judgement {
    /// All candidates, the chosen one first.
    var assessments: [Assessment]
    /// The required companion that refuses access; `nil` if there is none.
    var companion: Assessment?
    var result: CausesAndAdvice
    /// A Boolean value that indicates whether there is no such device.
    var isMissing: Bool

    var chosen: Assessment { assessments[0] }
    /// The assessment that determined the answer.
    var decided: Assessment { companion ?? chosen }
    var answer: Answer { isMissing ? .absent : companion == nil ? chosen.answer : .refused }
  }

  /// Decides the question; returns `nil` if there is nothing to decide.
  private func judgement(_ detail: ExplanationDetail) -> Judgement? {
    var assessments = assessments(detail)
    if assessments.count > 1, let best = best(of: assessments), best != 0 {
      assessments.insert(assessments.remove(at: best), at: 0)
    }
    guard let chosen = assessments.first else { return nil }
    let companions = refusedCompanions(of: chosen)
    let own = causesAndAdvice(
      about: chosen, others: Array(assessments.dropFirst()), detail)
    let result =
      own.isOfOtherNodes
      ? addingPipeline(to: own, of: chosen, detail)
      : addingCompanions(companions, to: own, of: chosen, detail)
    // A caller that asks for a kind wants to use it, and a program that does opens the companion
    // too.
    let companion = kind == nil ? nil : companions.first(where: \.isRequired)?.assessment
    return Judgement(
      assessments: assessments, companion: companion, result: result,
      isMissing: isMissing(chosen, result.causes))
  }

  private func explainObject(_ detail: ExplanationDetail) -> Explanation {
    guard let judgement = judgement(detail) else { return emptyExplanation() }
    let assessments = judgement.assessments
    let others = assessments.dropFirst()
    let (chosen, decided, result) = (judgement.chosen, judgement.decided, judgement.result)
    let (answer, companion) = (judgement.answer, judgement.companion)
    let isMissing = judgement.isMissing
    return Explanation(
      kind: kind, path: chosen.access.request.path, wanted: chosen.wanted,
      granted: isMissing || companion != nil ? [] : chosen.grantedPart, device: chosen.device,
      answer: answer,
      status: isMissing
        ? missingStatus(result.causes.first)
        : companion.map(status(without:)) ?? status(of: chosen, among: others),
      availability: isMissing ? .absent : chosen.availability,
      use: chosen.use, occupation: chosen.occupation,
      answerCertainty: decided.certainty,
      decision: companion.map(chosen.reported.refused(by:)) ?? chosen.reported,
      candidates: isMissing && result.isOfOtherNodes
        ? []
        : assessments.map {
          Explanation.Candidate(
            path: $0.access.request.path, device: $0.device, decision: $0.reported,
            answer: $0.answer, occupation: $0.occupation)
        },
      cause: answer == .allowed ? nil : result.causes.first,
      furtherCauses: answer == .allowed ? result.causes : Array(result.causes.dropFirst()),
      remedies: isNixOS
        ? result.advice.remedies.map { $0.byConfiguration() } : result.advice.remedies,
      lookups: result.advice.lookups,
      note: result.advice.note,
      evidence: detail == .brief
        ? []
        : result.isOfOtherNodes
          ? EvidenceWriter.evidence(ofOthers: otherNodes)
          : EvidenceWriter(decided).evidence(among: assessments),
      disagreement: decided.disagreement, unobserved: unobserved + decided.unseenLayers,
      doubts: decided.doubts)
  }

  /// A Boolean value that indicates whether a kernel answer contradicts the observations.
  ///
  /// Something may have changed between the two, so observing again can resolve the contradiction.
  package var isContradicted: Bool {
    guard !kernelChecks.isEmpty else { return false }
    let facts = decisive
    guard facts.interpreters.isEmpty else { return isContradicted(as: explain(.brief)) }
    return isContradiction(facts.judgement(.brief)?.decided.disagreement)
  }

  /// Returns whether a kernel answer contradicts an existing explanation of these facts.
  package func isContradicted(as explanation: Explanation) -> Bool {
    isContradiction(explanation.disagreement)
  }

  private func isContradiction(_ disagreement: String?) -> Bool {
    // Waiting again for a filesystem that does not respond is pointless.
    disagreement != nil && !kernelChecks.contains { $0.errno == .timedOut }
  }

  /// Returns the index of the assessment to report, or of the first one if several are equal.
  private func best(of assessments: [Assessment]) -> Int? {
    if let granted = assessments.firstIndex(where: \.isGranted) {
      let others = assessments.indices.filter { assessments[$0].canReplace(assessments[granted]) }
      let free = ([granted] + others).sorted {
        (assessments[$0].crowding, $0) < (assessments[$1].crowding, $1)
      }
      // Among the first few, prefer one with all its required companions.
      return free.prefix(8).first {
        !refusedCompanions(of: assessments[$0]).contains(where: \.isRequired)
      } ?? free.first
    }
    if let hidden = hiddenBySandbox(among: assessments) { return hidden }
    var best: (index: Int, rank: Int)?
    for (index, assessment) in assessments.enumerated() {
      let rank = assessment.reportRank
      if rank < best?.rank ?? Int.max { best = (index, rank) }
    }
    return best?.index
  }

  /// Returns the index of a device that a sandbox hides and that the caller probably means.
  ///
  /// This is a hidden device that is meant for users, or any hidden device if the visible ones are
  /// only for root.
  private func hiddenBySandbox(among assessments: [Assessment]) -> Int? {
    guard confinement.isSandbox else { return nil }
    let hidden = assessments.indices.filter {
      assessments[$0].conclusion == .absent && assessments[$0].device != nil
    }
    if let meant = hidden.first(where: { assessments[$0].device?.isMeantForUsers == true }) {
      return meant
    }
    let isForRoot = assessments.allSatisfy { assessment in
      assessment.conclusion == .absent || assessment.object.map { $0.mode & 0o077 == 0 } ?? false
    }
    return isForRoot ? hidden.first : nil
  }

  /// The facts with the nodes of the devices that a sandbox hides.
  ///
  /// The value is `nil` if the sandbox hides none, or if the question is not about a kind of
  /// device.
  private var withHiddenDevices: AccessFacts? {
    guard confinement.isSandbox, let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil
    else {
      return nil
    }
    let taken = Set(access.nodes.map(\.path))
    var facts = self
    facts.devices = devices.map { device in
      let outside = device.atOutsideNode
      // Another device may have that name in the sandbox.
      return outside.node.map(taken.contains) ?? true ? device : outside
    }
    return facts.devices == devices ? nil : facts
  }

  private func status(
    of chosen: Assessment, among others: ArraySlice<Assessment>
  ) -> PermissionStatus {
    let status = PermissionStatus(of: chosen)
    guard status == .authorized else { return status }
    let isWhole = others.allSatisfy { $0.isGranted || $0.conclusion == .absent }
    return isWhole ? .authorized : .limited
  }

  /// Returns the status of a kind whose node can be opened but whose companion is refused.
  private func status(without companion: Assessment) -> PermissionStatus {
    // Programs that only draw need only the render node.
    if kind == DeviceKind.gpu.name { return .limited }
    return companion.conclusion == .absent ? .denied : PermissionStatus(of: companion)
  }

  /// Returns `restricted` if the settings of a unit hide the node, and `absent` otherwise.
  private func missingStatus(_ cause: Cause?) -> PermissionStatus {
    guard let cause, origin?.kind == .unit, cause.isProven else { return .absent }
    return cause.code.statusIfMissing
  }

  /// Returns whether the requested object does not exist or is not such a device.
  private func isMissing(_ chosen: Assessment, _ causes: [Cause]) -> Bool {
    if chosen.conclusion == .absent { return true }
    guard let cause = causes.first else { return false }
    return Layers(chosen).layer(of: cause)?.isObjectMissing(because: cause) ?? false
  }

  /// The causes, starting with the main one, and the advice for them.
  private struct CausesAndAdvice {
    var causes: [Cause] = []
    var advice = AdviceWriter.Advice()
    /// A Boolean value that indicates whether the subsystem has nodes, but none of the kind.
    var isOfOtherNodes = false
  }

  /// Returns the causes and remedies of the chosen candidate, followed by those for other refused
  /// ones.
  private func causesAndAdvice(
    about chosen: Assessment, others: [Assessment], _ detail: ExplanationDetail
  ) -> CausesAndAdvice {
    var result = CausesAndAdvice()
    let otherNodes = chosen.replacingObject == nil ? otherNodeCauses(chosen) : []
    let hardware = otherNodes.isEmpty ? [] : AbsenceCauses(layers: Layers(chosen)).hardwareCauses()
    // A codec or a radio does not explain a missing camera, but unavailable hardware does.
    result.causes = hardware.filter(\.isProven) + otherNodes + hardware.filter { !$0.isProven }
    result.isOfOtherNodes = !otherNodes.isEmpty
    if result.causes.isEmpty { result.causes = RefusalCauses(chosen).causes() }
    if detail == .full {
      result.advice = AdviceWriter(chosen).advice(for: result.causes)
      result.advice.remedies = completed(result.advice.remedies, of: chosen)
    }
    if let tried = triedNode(insteadOf: chosen) {
      result.causes.insert(tried.cause, at: 0)
      if detail == .full {
        let nodes = Layers(tried.assessment).nodes
        result.advice.remedies.insert(
          contentsOf: nodes.otherNodeRemedies(tried.cause.code), at: 0)
      }
    }
    // A cause that other cameras share is reported once.
    for other in others.lazy.filter({ !$0.isGranted && $0.conclusion != .absent }).prefix(8) {
      let causes = RefusalCauses(other).causes()
      guard let first = causes.first,
        !result.causes.contains(where: { $0.code == first.code })
      else { continue }
      result.causes.append(first)
      if chosen.isGranted, detail == .full {
        let advice = AdviceWriter(other).advice(for: [first])
        result.advice.remedies += advice.remedies
        result.advice.lookups += advice.lookups
      }
    }
    return result
  }

  /// Returns the cause for a node that the program tried in vain, although another one is the
  /// device.
  private func triedNode(
    insteadOf chosen: Assessment
  ) -> (cause: Cause, assessment: Assessment)? {
    guard chosen.isGranted,
      let attempt = attempts.last(where: { $0.path != Attempt.controlPath && $0.errno != 0 }),
      let device = otherNodes.first(where: { $0.node == attempt.path }),
      let assessment = assess([device]).first,
      let cause = Layers(chosen).nodes.wrongNodeCause(for: device)
    else { return nil }
    return (cause, assessment)
  }

  /// Returns a cause that describes the other nodes of the subsystem, if the kind has no candidate.
  private func otherNodeCauses(_ chosen: Assessment) -> [Cause] {
    guard let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil,
      kind.candidates(in: devices).isEmpty
    else { return [] }
    if let board = Layers(chosen).hardware.boardCameraCause() { return [board] }
    // Many machines have codecs, so the raw nodes of a camera are more informative.
    let others =
      otherNodes.filter { $0.role != .memoryToMemory }
      + otherNodes.filter { $0.role == .memoryToMemory }
    let nodes = Layers(chosen).nodes
    let causes = others.compactMap(nodes.wrongNodeCause(for:))
    guard var first = nodes.mostInformative(causes).map(nodes.withoutSensor) else { return [] }
    if others.count > 1 {
      first.summary +=
        " None of the \(others.count) \(kind == .camera ? "video" : kind.subsystem ?? "") nodes is a \(kind.name)."
    }
    return [first]
  }

  private var otherNodes: [DeviceFacts] {
    kind.flatMap(DeviceKind.named)?.others(in: devices) ?? []
  }

  /// Adds the causes and remedies of the refused nodes of a camera pipeline, before the others.
  private func addingPipeline(
    to own: CausesAndAdvice, of chosen: Assessment, _ detail: ExplanationDetail
  ) -> CausesAndAdvice {
    var result = own
    let companions = refusedPipelineCompanions()
    let node = refusedPipelineNode()
    let all = companions + [node].compactMap(\.self)
    let shared = sharedGroupCause(all)
    if let used = Layers(chosen).use.pipelineCause() {
      result.causes.insert(used, at: 0)
      if detail == .full {
        let advice = AdviceWriter(chosen).advice(for: [used])
        result.advice.remedies.insert(contentsOf: advice.remedies, at: 0)
        result.advice.lookups.insert(contentsOf: advice.lookups, at: 0)
      }
    }
    result.causes.insert(contentsOf: companions.map(\.cause), at: 0)
    result.causes += node?.reasons ?? []
    if let shared { result.causes.insert(shared, at: 0) }
    if detail == .full {
      result.advice.remedies.insert(
        contentsOf: remedies(forAll: shared == nil ? companions : all), at: 0)
    }
    return result
  }

  /// Adds the causes and remedies of the refused companions of a usable device.
  ///
  /// Those that the device does not require come last.
  private func addingCompanions(
    _ companions: [Companion], to own: CausesAndAdvice, of chosen: Assessment,
    _ detail: ExplanationDetail
  ) -> CausesAndAdvice {
    var result = own
    guard chosen.isGranted else { return result }
    let required = companions.filter(\.isRequired)
    let others = companions.filter { !$0.isRequired }
    // A program that lacks a required node fails before anything else matters.
    let reasons = required.flatMap { [$0.cause] + $0.reasons }
    var seen: Set<CauseCode> = []
    result.causes = (reasons + result.causes).filter { seen.insert($0.code).inserted }
    result.causes += others.map(\.cause)
    if detail == .full, !required.isEmpty {
      result.advice.remedies.insert(contentsOf: remedies(forAll: required), at: 0)
      result.advice.lookups.insert(contentsOf: lookups(forAll: required), at: 0)
    }
    if detail == .full { result.advice.remedies += others.flatMap { remedies(forAll: [$0]) } }
    if let lock = refusedLock(of: chosen) {
      result.causes.append(lock.cause)
      if detail == .full { result.advice.remedies += lock.remedies }
    }
    return result
  }

  private func emptyExplanation() -> Explanation {
    let decision = access.decide()
    return Explanation(
      kind: kind, path: access.request.path, wanted: access.request.permissions, granted: [],
      device: nil, answer: .absent, status: .absent, availability: .absent,
      answerCertainty: .predicted,
      decision: decision, candidates: [],
      cause: Cause(.nodeAbsent, summary: "There is no device node.", at: access.request.path),
      furtherCauses: [], remedies: [], evidence: [], disagreement: nil, unobserved: unobserved)
  }
}

/// Explanations of scripts, which the kernel runs with the interpreter in their first line
/// (execve(2)).
extension AccessFacts {
  /// Returns an explanation of an executable script whose interpreter cannot be executed, or for
  /// which this is undetermined.
  ///
  /// The result is `nil` for any other file.
  func explainingInterpreter(
    of chosen: Explanation, _ detail: ExplanationDetail
  ) -> Explanation? {
    guard chosen.answer == .allowed, chosen.wanted.contains(.execute) else { return nil }
    var script = chosen.path
    for path in interpreters {
      var facts = self
      facts.interpreters = []
      facts.attempts = []
      facts.access.request = .access(path: path, mode: .execute, effective: true, noFollow: false)
      let interpreter = facts.explain(detail)
      guard interpreter.answer != .allowed else {
        script = path
        continue
      }
      return combined(chosen, interpreter, of: script)
    }
    return nil
  }

  private func combined(
    _ chosen: Explanation, _ interpreter: Explanation, of script: String
  ) -> Explanation {
    var whole = interpreter
    whole.path = chosen.path
    whole.wanted = chosen.wanted
    // execve(2) returns ENOENT in this case, although the script exists.
    if interpreter.answer == .absent {
      whole.answer = .refused
      whole.status = .denied
    }
    whole.availability = chosen.availability
    whole.decision.steps = chosen.decision.steps + interpreter.decision.steps.suffix(1)
    whole.candidates = chosen.candidates
    whole.cause?.summary = """
      \(script) is a script that the kernel runs with \(interpreter.path). \
      \(interpreter.cause?.summary ?? "")
      """
    return whole
  }
}
