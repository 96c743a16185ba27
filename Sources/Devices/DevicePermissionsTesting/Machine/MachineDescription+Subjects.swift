internal import AccessModel
internal import LinuxDevices

extension MachineDescription {
  /// Returns the same machine with the subject that a question names, and the subject's origin.
  ///
  /// - Throws: `noSubject` for a user, a group, a process or a unit that is not described.
  func running(
    _ question: Question
  ) throws(DeviceError) -> (MachineDescription, SubjectOrigin?) {
    var machine = self
    var origin: SubjectOrigin?
    switch question.subject {
    case .ownProcess: break
    case .user(let word):
      let name = userName(of: word)
      if let name {
        machine.run(as: name)
      } else if let id = UInt32(word), id != .max {
        machine.runAsUserWithoutAccount(id)
      } else {
        throw DeviceError(.noSubject, operation: "find user", path: word)
      }
      machine.environment = [:]
      machine.confinement = ConfinementFacts()
      machine.confinement.container = confinement.container
      machine.confinement.securityModules = confinement.securityModules
      machine.confinement.kernelRelease = confinement.kernelRelease
      machine.confinement.distribution = confinement.distribution
      machine.confinement.seccompMode = 0
      origin = SubjectOrigin(.user, name: name)
    case .process(let number):
      throw DeviceError(.noSubject, operation: "find process", path: String(number))
    case .unit(let name):
      throw DeviceError(.noSubject, operation: "find unit", path: name)
    }
    let variation = question.variation
    guard !variation.isEmpty else { return (machine, origin) }
    var numbers: [String: UInt32] = [:]
    for name in variation.groupNames {
      guard let number = groups[name] ?? UInt32(name) else {
        throw DeviceError(.noSubject, operation: "find group", path: name)
      }
      numbers[name] = number
    }
    machine.subject = variation.applied(to: machine.subject, numbers: numbers)
    origin = origin ?? SubjectOrigin(.ownProcess)
    origin?.variations = variation.clauses
    return (machine, origin)
  }

  /// Runs as a user without an account, whose only group is the overflow group, as the real
  /// observer does.
  private mutating func runAsUserWithoutAccount(_ id: UInt32) {
    subjectUser = String(id)
    subject = Subject(uid: id, gid: 65534)
    subject.groups = [65534]
  }

  /// Returns the user that a word names; a name takes precedence over a number.
  private func userName(of word: String) -> String? {
    if users[word] != nil { return word }
    return UInt32(word).flatMap { id in users.first { $0.value.id == id }?.key }
  }
}
