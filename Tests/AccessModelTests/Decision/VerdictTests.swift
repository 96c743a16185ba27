import Testing

@testable import AccessModel

@Suite struct `A verdict without an explanation` {
  /// Random cases, some with unobserved facts.
  private static func cases(_ seed: UInt64, _ count: Int = 500) -> [AccessCase] {
    var source = RandomScene(seed: seed)
    return (0..<count).map { number in
      let value = source.next()
      return number.isMultiple(of: 2) ? value : source.forget(value)
    }
  }

  @Test(arguments: [11, 12] as [UInt64])
  func `a brief decision is the decision with its last step alone`(seed: UInt64) {
    for value in Self.cases(seed) {
      var decision = value.decide()
      decision.steps = decision.steps.suffix(1)
      #expect(value.decide(.brief) == decision)
    }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func `an object is where the last step of a walk came to`(seed: UInt64) {
    for value in Self.cases(seed) {
      let last = value.decide().steps.last
      let check = PreparedCase(value).lastCheck(for: value.request)
      let object = last?.action == .final ? last?.node : nil
      #expect(check?.object.map { value.nodes[Int($0)] } == object)
      var directory: String?
      if case .create? = last?.action, value.request.creates { directory = last?.path }
      #expect(value.creationDirectory == directory)
    }
  }

  @Test(arguments: [31, 32] as [UInt64])
  func `what was indexed for one subject serves another`(seed: UInt64) {
    let values = Self.cases(seed)
    for (value, other) in zip(values, values.dropFirst()) {
      var changed = value
      changed.subject = other.subject
      let shared = PreparedCase(value).asked(by: other.subject)
      #expect(shared.access == changed)
      #expect(shared.verdict() == PreparedCase(changed).verdict())
      #expect(shared.decision(for: value.request) == changed.decide())
    }
  }

  @Test(arguments: [51, 52] as [UInt64])
  func `what was indexed serves modes that are open to all`(seed: UInt64) {
    let values = Self.cases(seed)
    for (value, other) in zip(values, values.dropFirst()) {
      var changed = value.withPermissiveDAC()
      changed.subject = other.subject
      let shared = PreparedCase(value).verdictWithPermissiveDAC(for: other.subject)
      #expect(shared == changed.verdict())
    }
  }

  @Test(arguments: [41, 42] as [UInt64])
  func `an assessment comes to the same whether it is shown or not`(seed: UInt64) {
    for value in Self.cases(seed) {
      for answer in [nil, .success, .permissionDenied, .notPermitted] as [Errno?] {
        let request = value.request
        let checks = answer.map {
          [KernelCheck(path: request.path, mode: request.permissions, errno: $0)]
        }
        var facts = AccessFacts(access: value)
        facts.kernelChecks = checks ?? []
        let (shown, hidden) = (Self.assess(facts, .full), Self.assess(facts, .brief))
        #expect(hidden.conclusion == shown.conclusion && hidden.certainty == shown.certainty)
        #expect(
          hidden.disagreement == shown.disagreement
            && hidden.replacingObject == shown.replacingObject)
        #expect(PermissionStatus(of: hidden) == PermissionStatus(of: shown))
        #expect(hidden.grantedPart == shown.grantedPart)
      }
    }
  }

  private static func assess(_ facts: AccessFacts, _ detail: ExplanationDetail) -> Assessment {
    Assessment(
      facts, access: facts.access, device: nil, checks: facts.kernelChecks, detail: detail)
  }
}
