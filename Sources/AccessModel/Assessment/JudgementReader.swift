/// Reads a judgement, to say what it comes from or what would change it.
protocol JudgementReader: Sendable {
  var judgement: Judgement { get }
}

extension JudgementReader {
  var facts: AccessFacts { judgement.facts }
  var subject: Subject { judgement.subject }
  var confinement: ConfinementFacts { facts.confinement }
  var device: DeviceFacts? { judgement.device }
  var wanted: Permissions { judgement.wanted }
  var path: String { judgement.access.request.path }
  var isAlbum: Bool { facts.kind == DeviceKind.album.name }
}
