/// The commands, each declared once.
enum Command: String, CaseIterable, Hashable, Sendable, Encodable {
  case status, list, check, explain, snapshot, decide, completion

  /// What it does, as one clause.
  var summary: String {
    switch self {
    case .status: "show whether the camera and the photo album may be used"
    case .list: "list devices with their roles and what you may do with them"
    case .check: "say in one line, and by exit status, whether access is allowed"
    case .explain: "show why access is allowed or refused, and how to change it"
    case .snapshot: "write down everything that an answer depends on"
    case .decide: "answer cases, one JSON object a line (plumbing)"
    case .completion: "print a completion script for a shell (plumbing)"
    }
  }

  var operand: Operand {
    switch self {
    case .status, .decide: .none
    case .list: .optionalKind
    case .check, .explain, .snapshot: .kindOrPath
    case .completion: .shell
    }
  }

  /// Its own options, in the order of the help; ``commonOptions`` come on top.
  var options: [OptionName] {
    switch self {
    case .status: Self.subjectOptions + [.json]
    case .list: [.probe] + Self.subjectOptions + [.json]
    case .check: Self.accessOptions + Self.subjectOptions + [.wait, .probe, .from, .quiet, .json]
    case .explain:
      Self.accessOptions + Self.subjectOptions + [.probe, .container, .from, .example, .json]
    case .snapshot: Self.accessOptions + Self.subjectOptions + [.probe, .redact, .output, .json]
    case .decide: [.from, .json]
    case .completion: []
    }
  }

  /// The options that say whose access it is about.
  static let subjectOptions = OptionName.subjects + OptionName.variations

  /// The options that say which access is asked for.
  static let accessOptions: [OptionName] = [.read, .write, .search, .list, .create]

  /// The options that every command takes.
  static let commonOptions: [OptionName] = [.color, .help, .version]

  /// What the help says beyond the options.
  var details: [String] {
    switch self {
    case .status:
      [
        "The status is one of authorized, limited, notDetermined, denied, restricted, absent and",
        "unknown.",
      ]
    case .list:
      [
        "Without a kind the cameras are listed, with every node of their subsystem.",
        "A role that the driver did not confirm is followed by how sure it is.",
      ]
    case .check:
      [
        "Without an option, what the kind needs or the object's type suggests.",
        "With --create a directory is asked for a new file, and a file for O_CREAT.",
        "With --wait it looks again at every device event and each second, and says on standard",
        "error what it waits for; when the time is up, the answer is the last one.",
      ]
    case .explain:
      [
        "The chain shows every object on the way; an arrow points at the one that decided.",
        "--from takes one snapshot, or a stream of them, one a line, and answers in order.",
        "ENGINE is docker, podman, systemd or kubernetes.",
      ]
    case .snapshot:
      [
        "With several kinds and paths it writes a stream of snapshots, one a line, for --from.",
        "It holds names of users, groups and devices: look through it before you send it, or let",
        "--redact put stand-ins for what names a person or one piece of hardware.",
      ]
    case .decide:
      ["A line that is no case is reported, and the exit status is 64 in the end."]
    case .completion:
      ["Load it with: source <(devaccess completion bash)"]
    }
  }

  /// Examples: a command line, and what it is for.
  var examples: [(line: String, purpose: String)] {
    switch self {
    case .status: [("devaccess", "the same as devaccess status")]
    case .list: [("devaccess list serial", "serial ports")]
    case .check:
      [
        ("devaccess check camera && start-recording", "go on only when it is allowed"),
        ("devaccess check /dev/ttyUSB0 --read", "reading alone"),
        ("devaccess check camera --wait=30", "wait until it is plugged in and permitted"),
        ("devaccess check camera --user alice", "for a new login of alice"),
        ("devaccess check album --create", "adding pictures"),
      ]
    case .explain:
      [
        ("devaccess explain camera", "on this machine"),
        ("devaccess explain camera --unit motion", "for a service of systemd"),
        ("devaccess explain camera --groups=+video", "what if this program were in the group"),
        ("devaccess explain camera --container=docker", "with the options of docker run"),
        ("devaccess explain --from snapshot.json", "on the machine of the snapshot"),
      ]
    case .snapshot:
      [
        ("devaccess snapshot camera -o snapshot.json", "to send to somebody"),
        ("devaccess snapshot camera microphone -o all.jsonl", "a stream, one a line"),
        ("devaccess snapshot album --redact", "to publish it"),
      ]
    case .decide: [("devaccess decide --from cases.jsonl", "one answer a line")]
    case .completion: []
    }
  }
}
