internal import AccessModel
internal import LinuxDevices

extension MachineDescription {
  /// Observes the described machine, as the real observers do.
  ///
  /// - Throws: `noSubject` for a subject that is not described.
  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    let (description, origin) = try running(question)
    var facts = description.facts(ofSubjectFor: question)
    facts.origin = origin
    if origin?.isHypothetical == true { facts.kernelChecks = [] }
    return facts
  }

  private func facts(ofSubjectFor question: Question) -> AccessFacts {
    var album: AlbumFacts?
    var subsystemDevices: [DeviceFacts] = []
    var candidates: [String] = []
    var kindName: String?
    switch question.target {
    case .path(let path):
      candidates = [path]
      let target = resolved(path)
      if let device = devices.first(where: { $0.node == target }) { subsystemDevices = [device] }
    case .kind(let kind):
      kindName = kind.name
      if kind == .album {
        let facts = albumFacts
        album = facts
        candidates = [facts.path ?? "/"]
      } else {
        subsystemDevices = devices.filter { $0.subsystem == kind.subsystem }
        candidates = kind.candidates(in: subsystemDevices).compactMap(\.node)
        if candidates.isEmpty { candidates = ["/dev/" + (kind.namePrefixes.first ?? "") + "0"] }
      }
    }
    let chosen = candidates[0]
    let type = nodes[resolved(chosen)]?.type
    var facts = AccessFacts(
      kind: kindName,
      access: AccessCase(
        protectedSymlinks: protectedSymlinks, mounts: mounts,
        nodes: nodes.values.sorted { $0.path < $1.path }, subject: subject,
        request: question.request(for: chosen, type: type)))
    facts.devices = subsystemDevices
    facts.album = album
    facts.account = account
    facts.session = session
    facts.confinement = confinement
    facts.kernelChecks = candidates.flatMap { path in
      [Permissions.read, .write, [.read, .write]].map { check(path, $0, in: facts.access) }
    }
    if let directory = facts.access.creationDirectory {
      facts.kernelChecks.append(check(directory, [.write, .search], in: facts.access))
    }
    return facts
  }

  /// What this machine's kernel answers: the model, and the refusals that it cannot see.
  private func check(
    _ path: String, _ mode: Permissions, in access: AccessCase
  ) -> KernelCheck {
    var access = access
    access.request = .access(path: path, mode: mode, effective: true, noFollow: false)
    var errno: Int32 = 0
    if case .denied(let number) = access.decide().outcome { errno = number }
    let target = resolved(path)
    if errno == 0,
      let hidden = hiddenRefusals.first(where: {
        $0.path == target && !$0.permissions.isDisjoint(with: mode)
      })
    {
      errno = hidden.errno
    }
    return KernelCheck(path: path, mode: mode, errno: errno)
  }

  /// The canonical path that a link leads to, for links whose last component alone is a link.
  private func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = nodes[path]?.target, target.hasPrefix("/") else { return path }
      path = target
    }
    return path
  }

  private var albumFacts: AlbumFacts {
    if let path = environment["XDG_PICTURES_DIR"], path.hasPrefix("/") {
      return AlbumFacts(path: path, source: .environment)
    }
    let home = environment["HOME"] ?? users[subjectUser]?.home
    return AlbumFacts(path: home.map { $0 + "/Pictures" }, source: .default)
  }
}
