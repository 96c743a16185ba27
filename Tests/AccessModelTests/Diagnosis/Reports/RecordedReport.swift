import AccessModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A public report of a failure, recorded as a snapshot by somebody who had not read the
/// reasoning that is to explain it.
///
/// Each line of the files in `Tests/Fixtures/Reports` is one.
struct RecordedReport: Decodable, CustomTestStringConvertible, Sendable {
  /// The name that the collection gives it.
  var report: String
  /// The public thread.
  var source: String
  /// The cause that the thread found; one that is none of ours starts with `OTHER:`.
  var expectedCause: String
  /// Other causes of ours that say the same of these facts.
  var nearestCauses: [String]?
  /// What ended it there.
  var fixThatWorked: String
  /// Whether facts can tell the cause.
  var isDecidable: Bool
  /// Why they cannot.
  var whyNot: String?
  var snapshot: AccessFacts?

  private enum CodingKeys: String, CodingKey {
    case report
    case source
    case expectedCause = "expected_cause"
    case nearestCauses = "nearest_causes"
    case fixThatWorked = "fix_that_worked"
    case isDecidable = "decidable"
    case whyNot = "why_not"
    case snapshot
  }

  var testDescription: String { "\(report) \(source)" }

  /// The causes of ours that say the same of facts whose cause is none of ours.
  var acceptedCauses: Set<String> { Set([expectedCause] + (nearestCauses ?? [])) }

  /// The cause that has to come first: that of the thread, or the one that stands for it here.
  var firstCause: String { Self.otherwise[report]?.cause ?? expectedCause }

  /// The reports of a file; a file that cannot be read has none, which the counts show.
  static func read(_ name: String) -> [RecordedReport] {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let file = folder.appending(path: "Fixtures/Reports/\(name).jsonl")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? JSONDecoder().decode(RecordedReport.self, from: Data(line))
    }
  }

  static let first = read("first")
  static let second = read("second")
  static let all = first + second
  /// Those whose cause facts can tell.
  static let decidable = all.filter(\.isDecidable)
  /// Those that are beyond the facts, or whose cause is none of ours, and that still have facts.
  static let beyond = all.filter { !$0.isDecidable && $0.nearestCauses != nil }

  /// Where another cause than the thread's is right to come first, and why.
  static let otherwise: [String: (cause: String, reason: String)] = [
    "R010": (
      "CONTAINER_NO_ACCESS",
      "the same thing seen from the container: its node is for root alone; MODE_OWNER comes next"
    ),
    "R013": (
      "GROUPS_DROPPED",
      "no group was kept, which the thread's fix does; USERNS_UNMAPPED comes next"
    ),
    "R024": (
      "UNIT_PRIVATE_DEVICES",
      "the same device control group, named by the unit that made it; CGROUP_DEVICE comes next"
    ),
    "R027": (
      "CGROUP_DEVICE",
      "this is what refuses; that a replug was the reason is likely: CONTAINER_HOTPLUG comes next"
    ),
    "R064": (
      "ACL_ABSENT",
      "the thread's race left the active user without an entry: the user is active, as logind says"
    ),
    "R065": (
      "UACCESS_NOT_TAGGED",
      "a rule that sorts late leaves the very same facts; ACL_ABSENT, what was seen, comes next"
    ),
    "S076": (
      "PARENT_NOT_SEARCHABLE",
      "the same directory; ALBUM_TRAVERSE is its name where the pictures directory was asked for"
    ),
  ]

  /// Those where something has to be found out before anything can be done, and what.
  static let lookedUp: [String: String] = [
    "R106": "which application has the stored answer"
  ]
}
