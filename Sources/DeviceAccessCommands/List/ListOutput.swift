internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess list`.
struct ListOutput: Encodable {
  /// A device with the access to it.
  struct Entry: Encodable {
    let listing: DeviceListing
    /// The kind, where several are listed.
    let kind: String?

    private enum CodingKeys: String, CodingKey {
      case access, kind
      case allowsBoth = "read_write"
    }

    func encode(to encoder: any Encoder) throws {
      try DeviceOutput(listing.device).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(kind, forKey: .kind)
      try container.encodeIfPresent(listing.access?.words(for: nil), forKey: .access)
      try container.encode(listing.allowsBoth, forKey: .allowsBoth)
    }
  }

  let schema = Schema.name
  let command = CommandName.list
  /// The kind, or `all`.
  let kind: String
  /// Absent for the calling process as it is.
  let subject: SubjectOutput?
  let devices: [Entry]
  /// Absent when nothing was opened.
  let attempts: [AttemptOutput]?

  /// - Parameters:
  ///   - lists: The devices.
  ///   - isWhole: Whether these are all kinds.
  ///   - facts: Those of another subject.
  ///   - attempts: What opening the devices came to.
  init(
    _ lists: [DeviceList], isWhole: Bool, facts: AccessFacts? = nil, attempts: [Attempt] = []
  ) {
    self.attempts = AttemptOutput.all(attempts)
    subject = facts.map(SubjectOutput.init)
    kind = isWhole ? "all" : lists.first?.kind.name ?? "all"
    devices = lists.flatMap { list in
      list.listings.map { Entry(listing: $0, kind: isWhole ? list.kind.name : nil) }
    }
  }
}
