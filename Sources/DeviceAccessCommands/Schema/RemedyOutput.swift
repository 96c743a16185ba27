internal import AccessModel

/// A remedy as JSON.
struct RemedyOutput: Encodable {
  let title: String
  let commands: [String]
  let actor: Remedy.Actor
  let excess: String?
  let takesEffect: String?

  private enum CodingKeys: String, CodingKey {
    case title, commands, actor, excess
    case takesEffect = "takes_effect"
  }

  init(_ remedy: Remedy) {
    title = remedy.title
    commands = remedy.commands
    actor = remedy.actor
    excess = remedy.excess
    takesEffect = remedy.takesEffect
  }
}
