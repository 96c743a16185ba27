internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess list`.
struct ListOutput: Encodable {
  /// A device with the access to it.
  struct Entry: Encodable {
    let listing: DeviceListing

    private enum CodingKeys: String, CodingKey {
      case access
      case allowsBoth = "read_write"
    }

    func encode(to encoder: any Encoder) throws {
      try DeviceOutput(listing.device).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(listing.access?.words(for: nil), forKey: .access)
      try container.encode(listing.allowsBoth, forKey: .allowsBoth)
    }
  }

  let schema = Schema.name
  let command = Command.list
  let kind: String
  /// Absent for the calling process as it is.
  let subject: SubjectOutput?
  let devices: [Entry]
  /// Absent when nothing was opened.
  let attempts: [AttemptOutput]?

  init(
    _ kind: DeviceKind, _ listings: [DeviceListing], facts: AccessFacts? = nil,
    attempts: [Attempt] = []
  ) {
    self.attempts = AttemptOutput.all(attempts)
    subject = facts.map(SubjectOutput.init)
    self.kind = kind.name
    devices = listings.map(Entry.init)
  }
}
