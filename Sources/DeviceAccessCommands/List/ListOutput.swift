internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess list`.
struct ListOutput: Encodable {
  /// A device with the access to it.
  struct Entry: Encodable {
    let listing: DeviceListing
    /// The kind, where several are listed.
    let kind: String?
    /// Who has it open; `nil` where that was not looked at.
    let use: DeviceUse?
    let occupation: Occupation?

    private enum CodingKeys: String, CodingKey {
      case access, absent, kind, occupation, holders
      case allowsBoth = "read_write"
    }

    func encode(to encoder: any Encoder) throws {
      try DeviceOutput(listing.device).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(kind, forKey: .kind)
      try container.encodeIfPresent(listing.access?.words(for: nil), forKey: .access)
      if listing.isAbsent { try container.encode(true, forKey: .absent) }
      try container.encode(listing.allowsBoth, forKey: .allowsBoth)
      try container.encodeIfPresent(occupation, forKey: .occupation)
      try container.encodeIfPresent(use.map(HolderOutput.all), forKey: .holders)
    }
  }

  let schema = Schema.name
  let command = CommandName.list
  let exitStatus = ExitStatus.allowed.rawValue
  /// The kind, or `all`.
  let kind: String
  /// Absent for the calling process as it is.
  let subject: SubjectOutput?
  let devices: [Entry]
  /// Absent when nothing was opened.
  let attempts: [AttemptOutput]?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case kind, subject, devices, attempts
  }

  /// - Parameters:
  ///   - lists: The devices.
  ///   - isWhole: Whether these are all kinds.
  ///   - facts: Those of another subject.
  ///   - attempts: What opening the devices came to.
  ///   - use: Who has the devices open.
  init(
    _ lists: [DeviceList], isWhole: Bool, facts: AccessFacts? = nil, attempts: [Attempt] = [],
    use: UseFacts? = nil
  ) {
    self.attempts = AttemptOutput.all(attempts)
    subject = facts.map(SubjectOutput.init)
    kind = isWhole ? "all" : lists.first?.kind.name ?? "all"
    devices = lists.flatMap { list in
      list.listings.map { listing in
        let own = use?.use(of: listing.device)
        return Entry(
          listing: listing, kind: isWhole ? list.kind.name : nil, use: own,
          occupation: own.flatMap { use?.occupation(of: $0) })
      }
    }
  }
}
