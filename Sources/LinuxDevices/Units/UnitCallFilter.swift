/// What `SystemCallFilter=` leaves of opening files (systemd.exec(5)).
///
/// Opening is openat(2), as the C library does it: a filter of open(2) alone forbids nothing. What only
/// may hold that call takes it away, and only what does hold it gives it back.
struct UnitCallFilter {
  private var isAllowList: Bool?
  /// Whether it leaves what opens files.
  private(set) var mayOpen = true

  /// The groups that hold openat(2).
  private static let openingGroups: Set<Substring> = ["@file-system", "@system-service", "@known"]
  /// Those that do not.
  private static let otherGroups: Set<Substring> = [
    "@aio", "@basic-io", "@chown", "@clock", "@cpu-emulation", "@debug", "@default", "@io-event",
    "@ipc", "@keyring", "@memlock", "@module", "@mount", "@network-io", "@obsolete", "@pkey",
    "@privileged", "@process", "@raw-io", "@reboot", "@resources", "@sandbox", "@setuid", "@signal",
    "@swap", "@sync", "@timer",
  ]

  /// A filter without any setting.
  init() {}

  /// The filter that the manager tells of, whose groups are replaced by their calls.
  init(isAllowList: Bool, calls: [String]) {
    let opening = calls.filter { $0 == "openat" || $0.hasPrefix("openat:") }
    mayOpen = isAllowList ? opening.contains("openat") : opening.isEmpty
  }

  /// Takes one assignment: the first one says whether it lists what is allowed, and the others add
  /// to the list or take away from it.
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
      // An error behind a colon is what the call then fails with.
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
