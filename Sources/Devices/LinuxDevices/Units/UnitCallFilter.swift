/// Determines whether `SystemCallFilter=` permits opening files (systemd.exec(5)).
///
/// The C library opens files with openat(2), so a filter for open(2) has no effect here. An unknown
/// group counts as containing openat(2) if it is denied, and as not containing it if it is allowed.
struct UnitCallFilter {
  private var isAllowList: Bool?
  /// A Boolean value that indicates whether the filter permits openat(2).
  private(set) var mayOpen = true

  /// The groups that contain openat(2).
  private static let openingGroups: Set<Substring> = ["@file-system", "@system-service", "@known"]
  /// The groups that do not contain openat(2).
  private static let otherGroups: Set<Substring> = [
    "@aio", "@basic-io", "@chown", "@clock", "@cpu-emulation", "@debug", "@default", "@io-event",
    "@ipc", "@keyring", "@memlock", "@module", "@mount", "@network-io", "@obsolete", "@pkey",
    "@privileged", "@process", "@raw-io", "@reboot", "@resources", "@sandbox", "@setuid", "@signal",
    "@swap", "@sync", "@timer",
  ]

  /// Creates a filter without any assignment, which permits everything.
  init() {}

  /// Creates the filter that the manager reports, with each group replaced by its calls.
  init(isAllowList: Bool, calls: [String]) {
    let opening = calls.filter { $0 == "openat" || $0.hasPrefix("openat:") }
    mayOpen = isAllowList ? opening.contains("openat") : opening.isEmpty
  }

  /// Applies one assignment.
  ///
  /// The first assignment determines whether the filter is an allow list or a deny list. Each later
  /// one adds calls to the list or removes calls from it.
  mutating func take(_ value: String) {
    guard !value.isEmpty else {
      self = UnitCallFilter()
      return
    }
    let takesAway = value.hasPrefix("~")
    if isAllowList == nil {
      isAllowList = !takesAway
      mayOpen = takesAway
    }
    for word in value.dropFirst(takesAway ? 1 : 0).split(whereSeparator: \.isWhitespace) {
      // After a colon, an entry contains the error that the call returns.
      let name = word.prefix { $0 != ":" }
      if takesAway {
        let isUnknownGroup = name.hasPrefix("@") && !Self.otherGroups.contains(name)
        if isUnknownGroup || name == "openat" { mayOpen = false }
      } else if word == "openat" || Self.openingGroups.contains(word) {
        mayOpen = true
      }
    }
  }
}
