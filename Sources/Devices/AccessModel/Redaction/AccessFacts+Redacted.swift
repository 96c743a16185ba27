extension AccessFacts {
  /// Returns the facts without data that identifies a person or an individual piece of hardware.
  ///
  /// Placeholders such as `user1` replace the following:
  ///
  /// - the names of people, their groups and their home directories, and everything in these
  ///   directories;
  /// - serial numbers, hardware addresses, and IDs such as those of filesystems and containers;
  /// - the names of volumes and servers;
  /// - the values of device properties that are not known to be harmless.
  ///
  /// The same text has the same placeholder everywhere, so paths still lead to their nodes. Facts
  /// that affect the decision are preserved: user and group IDs, modes, ACLs, mounts and their
  /// options, and kinds of devices.
  ///
  /// - Returns: The redacted facts; `nil` if they would give another decision, for example because
  ///   a path is refused for its length.
  public func redacted() -> AccessFacts? {
    let redactor = Redactor(self)
    var facts = self
    facts.kind = kind.map(redactor.text)
    facts.access = redactor.access(access)
    facts.devices = devices.map(redactor.device)
    facts.interpreters = interpreters.map(redactor.path)
    facts.account = redactor.account(account)
    facts.album?.path = album?.path.map(redactor.path)
    facts.album?.problem = album?.problem.map(redactor.sentence)
    facts.session = session.map(redactor.session)
    facts.origin?.name = origin?.name.map(redactor.text)
    facts.origin?.variations = origin?.variations.map(redactor.sentence) ?? []
    facts.confinement = redactor.confinement(confinement)
    facts.hardware = hardware.map(redactor.hardware)
    facts.portal?.storedAnswer = portal?.storedAnswer.map(redactor.text)
    facts.portal?.problem = portal?.problem.map(redactor.sentence)
    facts.use = use.map(redactor.use)
    facts.rules = rules.map(redactor.rules)
    for index in attempts.indices {
      facts.attempts[index].path = redactor.path(attempts[index].path)
    }
    for index in kernelChecks.indices {
      facts.kernelChecks[index].path = redactor.path(kernelChecks[index].path)
    }
    for index in unobserved.indices {
      facts.unobserved[index].layer = redactor.text(unobserved[index].layer)
      facts.unobserved[index].at = unobserved[index].at.map(redactor.path)
      facts.unobserved[index].reason = redactor.sentence(unobserved[index].reason)
    }
    guard isAnswered(as: facts, redactor) else { return nil }
    return facts
  }

  private func isAnswered(as facts: AccessFacts, _ redactor: Redactor) -> Bool {
    let before = access.conclude()
    let after = facts.access.conclude()
    return before.outcome.isSame(as: after.outcome) && before.rule == after.rule
      && before.at.map(redactor.path) == after.at
  }
}

extension Outcome {
  /// Returns whether two outcomes are equal, apart from the explanation of what is unknown.
  fileprivate func isSame(as other: Outcome) -> Bool {
    if case .undecided = self, case .undecided = other { return true }
    return self == other
  }
}
