import AccessModel
import Testing

@testable import DeviceAccessCommands

/// A phrase that must no longer occur in any output.
private struct OldWording: Sendable {
  /// The words in lower case, as they occur within one clause.
  let phrase: String
  /// The words to use instead.
  let replacement: String

  init(_ phrase: String, _ replacement: String) {
    self.phrase = phrase
    self.replacement = replacement
  }

  static let all = [
    OldWording("a device that acts", "a device where opening has side effects"),
    OldWording("a new login of", "as after a new login"),
    OldWording("and the like", "and similar data"),
    OldWording("anew", "again"),
    OldWording("as at a new login", "as after a new login"),
    OldWording("as it would start", "as if it were started now"),
    OldWording("be given once", "be given only once"),
    OldWording("bits count", "permissions apply"),
    OldWording("bits of others", "permissions for others"),
    OldWording("came back", "was reconnected"),
    OldWording("cases that a script", "access questions in JSON"),
    OldWording("changes of an answer", "changes in the access"),
    OldWording("code of a cause", "cause code"),
    OldWording("dialog of the desktop", "desktop dialog"),
    OldWording("give the user an entry", "add an entry for the user"),
    OldWording("in the database of users", "part of the user and group database"),
    OldWording("in the way", "busy"),
    OldWording("is told", "is notified"),
    OldWording("it lasts", "Lasts …"),
    OldWording("it takes away", "This removes …"),
    OldWording("it takes effect after", "Takes effect after …"),
    OldWording("it takes effect at", "Takes effect at …"),
    OldWording("it takes effect in", "Takes effect in …"),
    OldWording("leave it closed", "Do not grant access."),
    OldWording("meant for them", "only members of that group should have access"),
    OldWording("nothing has that name", "no such file or directory"),
    OldWording("on the full screen", "in a full-screen view"),
    OldWording("only root reads", "only root should read"),
    OldWording("ownership of the object", "ownership of the device or file"),
    OldWording("road", "method"),
    OldWording("roads", "methods"),
    OldWording("rule touches", "rule applies to"),
    OldWording("say to whom", "specify"),
    OldWording("say which", "specify"),
    OldWording("speaks against", "may still deny"),
    OldWording("take a grant back", "revoke a grant"),
    OldWording("takes back", "revokes"),
    OldWording("that very", "that"),
    OldWording("there is none", "not found"),
    OldWording("these alone would", "each of these would"),
    OldWording("this also grants", "This also gives …"),
    OldWording("this very", "this"),
    OldWording("timer of systemd", "systemd timer"),
    OldWording("to send to somebody", "for a bug report"),
    OldWording("took back", "revoked"),
    OldWording("what if", "assuming …"),
    OldWording("with the open device", "with the device already open"),
  ]
}

/// All phrases in texts, with up to as many words as the longest old wording.
private struct Phrases {
  private static let longest = OldWording.all.map { words(of: $0.phrase).count }.max() ?? 1
  private static let firstWords = Set(OldWording.all.compactMap { words(of: $0.phrase).first })

  private var lines: Set<Substring> = []
  private var phrases: Set<String> = []

  /// Adds the phrases of a text; no phrase extends beyond a line or clause.
  mutating func add(_ text: String) {
    for line in text.split(separator: "\n") where lines.insert(line).inserted {
      for clause in line.split(whereSeparator: { ".;:!?()—".contains($0) }) {
        let words = Self.words(of: clause)
        for start in words.indices where Self.firstWords.contains(words[start]) {
          for end in start..<min(start + Self.longest, words.count) {
            phrases.insert(words[start...end].joined(separator: " "))
          }
        }
      }
    }
  }

  /// The old wordings among the phrases, each with its replacement.
  var oldWordings: [String] {
    OldWording.all.filter { phrases.contains($0.phrase) }
      .map { "'\($0.phrase)', instead of '\($0.replacement)'" }
  }

  private static func words(of text: some StringProtocol) -> [String] {
    text.lowercased().split(separator: " ").map { word in
      let start = word.drop { !$0.isLetter && !$0.isNumber }
      return String(start.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
    }
  }
}

@Suite struct `The wording of outputs` {
  /// Uses wide lines, so that few phrases are broken.
  private static let environment = ["LANG": "C.UTF-8", "COLUMNS": "400"]

  @Test(arguments: [
    "first", "second", "third", "fourth", "fifth", "sixth", "misses", "variants",
  ])
  func `is plain in the explanation of each report`(name: String) async throws {
    let start = #""snapshot":{"#
    let lines = try Repository.read("Tests/Fixtures/Reports/\(name).jsonl").split(separator: "\n")
    var phrases = Phrases()
    var count = 0
    for line in lines {
      // The snapshot is the last member. A report that could not be expressed as facts has none.
      guard let found = line.firstRange(of: start) else { continue }
      let file = try TemporaryFile(String(line[line.index(before: found.upperBound)...].dropLast()))
      let result = await CommandResult.run(
        ["explain", "--verbose", "--from", file.path], environment: Self.environment)
      #expect(!result.output.isEmpty, "\(result.errors)")
      phrases.add(result.output)
      count += 1
    }
    #expect(count > 20)
    #expect(phrases.oldWordings == [])
  }

  @Test func `is plain in every help`() async {
    var phrases = Phrases()
    let pages =
      [["--help"]] + CommandName.allCases.map { [$0.rawValue, "--help"] }
      + CauseCode.allCases.map { ["help", $0.rawValue] }
    for arguments in pages {
      let result = await CommandResult.run(arguments, environment: Self.environment)
      #expect(result.status == .allowed)
      phrases.add(result.output)
    }
    #expect(phrases.oldWordings == [])
  }

  @Test(arguments: [
    "Took back: bob may read /dev/video0", "This very device is refused",
    "user bob (1000), as at a new login; group bob (1000)",
  ])
  func `is recognized in a text`(text: String) {
    var phrases = Phrases()
    phrases.add("A plain sentence.\n\(text)\n")
    #expect(phrases.oldWordings.count == 1)
  }
}
