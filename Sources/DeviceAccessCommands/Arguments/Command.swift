/// The commands, each declared once.
enum Command: String, CaseIterable, Hashable, Sendable, Encodable {
  case status, list, check, explain, snapshot, decide, completion, help

  /// What it does, as one clause.
  var summary: String {
    switch self {
    case .status: "show whether you may use the camera and the photo album"
    case .list: "list devices, and what you may do with each"
    case .check: "answer in one line and by exit status"
    case .explain: "show why access is allowed or refused, and how to change it"
    case .snapshot: "save everything that an answer depends on"
    case .decide: "answer cases, one JSON object per line (for scripts)"
    case .completion: "print the completions for a shell"
    case .help: "show the help for a command"
    }
  }

  var operand: Operand {
    switch self {
    case .status, .decide: .none
    case .list: .optionalKind
    case .check, .explain: .kindOrPath
    case .snapshot: .kindsOrPaths
    case .completion: .shell
    case .help: .optionalCommand
    }
  }

  /// Its own options, in the order of the help; ``commonOptions`` come on top.
  var options: [OptionName] {
    switch self {
    case .status: Self.subjectOptions + [.json]
    case .list: [.probe] + Self.subjectOptions + [.json]
    case .check: Self.accessOptions + Self.subjectOptions + [.wait, .probe, .from, .quiet, .json]
    case .explain:
      [.verbose] + Self.accessOptions + Self.subjectOptions
        + [.probe, .container, .from, .example, .json]
    case .snapshot: Self.accessOptions + Self.subjectOptions + [.probe, .redact, .output, .json]
    case .decide: [.from, .json]
    case .completion, .help: []
    }
  }

  /// The options that say whose access it is about.
  static let subjectOptions = OptionName.subjects + OptionName.variations

  /// The options that say which access is asked for.
  static let accessOptions: [OptionName] = [
    .read, .write, .append, .execute, .search, .list, .create,
  ]

  /// The options that every command takes.
  static let commonOptions: [OptionName] = [.color, .help, .version]

  /// What the help says beyond the options.
  var details: String {
    switch self {
    case .status:
      """
      The status is authorized, limited, notDetermined, denied, restricted, absent or unknown.
      """
    case .list:
      """
      Without KIND, lists every kind. Nodes of the same device are listed together. "likely" or \
      "guess" follows a role that the driver has not confirmed.
      """
    case .check:
      """
      Without an access option, asks for what the kind needs or what suits the file. With \
      --wait, looks again at every device event and once a second, and reports on standard \
      error what it is waiting for; when the time is up, the last answer counts.
      """
    case .explain:
      """
      Shows every directory and link on the way; an arrow points at the entry that decided. \
      --from reads one snapshot, or several, one per line. ENGINE is docker, podman, systemd \
      or kubernetes.
      """
    case .snapshot:
      """
      With several kinds or paths, writes a stream of snapshots for --from, one per line. A \
      snapshot contains names of users, groups and devices. Read it before you send it, or use \
      --redact.
      """
    case .decide:
      "A line that is not a case is reported on standard error; the exit status is then 64."
    case .completion:
      "SHELL is bash, zsh or fish. For bash: source <(devaccess completion bash)"
    case .help:
      "Without COMMAND, shows the general help."
    }
  }

  /// Examples: a command line, and what it is for.
  var examples: [(line: String, purpose: String)] {
    switch self {
    case .status: [("devaccess", "the same as devaccess status")]
    case .list: [("devaccess list serial", "serial ports")]
    case .check:
      [
        ("devaccess check camera && record", "record only if allowed"),
        ("devaccess check /dev/ttyUSB0 --read", "only read"),
        ("devaccess check camera --wait=30", "wait up to 30 seconds"),
        ("devaccess check camera --user alice", "for a new login of alice"),
        ("devaccess check album --create", "for adding pictures"),
        ("devaccess check Pictures", "for a file or directory here"),
      ]
    case .explain:
      [
        ("devaccess explain camera", "on this machine"),
        ("devaccess explain camera --unit motion", "for a systemd service"),
        ("devaccess explain camera --groups=+video", "what if you joined the group?"),
        ("devaccess explain camera --container=docker", "with options for docker run"),
        ("devaccess explain --from snapshot.json", "for another machine"),
      ]
    case .snapshot:
      [
        ("devaccess snapshot camera -o snapshot.json", "to send to somebody"),
        ("devaccess snapshot camera microphone -o all.jsonl", "a stream, one per line"),
        ("devaccess snapshot album --redact", "to publish"),
      ]
    case .decide: [("devaccess decide --from cases.jsonl", "one answer per line")]
    case .help: [("devaccess help explain", "the same as devaccess explain --help")]
    case .completion: []
    }
  }
}
