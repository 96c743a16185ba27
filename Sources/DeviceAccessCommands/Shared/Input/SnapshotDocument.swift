internal import AccessModel

/// What `--from` reads: a snapshot, or the JSON object of `devaccess snapshot --json` around one.
struct SnapshotDocument: Decodable {
  let facts: AccessFacts

  private enum CodingKeys: String, CodingKey {
    case schema, snapshot
  }

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: CodingKeys.self), object.contains(.snapshot),
      (try? object.decode(String.self, forKey: .schema)) == Schema.name
    else {
      facts = try AccessFacts(from: decoder)
      return
    }
    facts = try object.decode(AccessFacts.self, forKey: .snapshot)
  }
}
