internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess list`.
struct ListOutput: Encodable {
  /// A device, and the subject's access to it.
  struct Entry: Encodable {
    let listing: DeviceListing
    /// The kind; `nil` if only one kind is listed.
    let kind: String?
    /// The users of the device; `nil` if they were not scanned.
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
  /// The name of the kind, or `all`.
  let kind: String
  /// The subject; `nil` for the calling process without variations.
  let subject: SubjectOutput?
  let devices: [Entry]
  /// The results of opening devices; `nil` if none was opened.
  let attempts: [AttemptOutput]?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case kind, subject, devices, attempts
  }

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - lists: The devices of each kind.
  ///   - isWhole: `true` if several kinds are listed.
  ///   - facts: The facts about the subject; `nil` for the calling process without variations.
  ///   - attempts: The results of opening devices.
  ///   - use: The users of the devices; `nil` if they were not scanned.
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
