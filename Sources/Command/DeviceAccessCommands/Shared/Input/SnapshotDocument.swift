internal import AccessModel

/// The input of `--from`: a snapshot, or the output of `devaccess snapshot --json`, which contains
/// one.
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
