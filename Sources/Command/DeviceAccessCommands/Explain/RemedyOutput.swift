internal import AccessModel

/// A remedy as JSON.
struct RemedyOutput: Encodable {
  let remedy: Remedy

  private enum CodingKeys: String, CodingKey {
    case title, commands, options, actor, proven, assumes, caution, excess, loss, lasts
    case isInterim = "until_then"
    case end = "ended_by"
    case takesEffect = "takes_effect"
  }

  init(_ remedy: Remedy) {
    self.remedy = remedy
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(remedy.title, forKey: .title)
    try container.encode(remedy.commands, forKey: .commands)
    try container.encode(remedy.options, forKey: .options)
    try container.encode(remedy.actor, forKey: .actor)
    try container.encode(remedy.isProven, forKey: .proven)
    try container.encodeIfPresent(remedy.assumes, forKey: .assumes)
    try container.encodeIfPresent(remedy.caution, forKey: .caution)
    try container.encodeIfPresent(remedy.excess, forKey: .excess)
    try container.encodeIfPresent(remedy.loss, forKey: .loss)
    try container.encodeIfPresent(remedy.lasts, forKey: .lasts)
    try container.encodeIfPresent(remedy.end.code, forKey: .end)
    if remedy.isInterim { try container.encode(true, forKey: .isInterim) }
    try container.encodeIfPresent(remedy.takesEffect, forKey: .takesEffect)
  }
}
