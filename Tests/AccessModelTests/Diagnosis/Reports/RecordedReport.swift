import AccessModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A public report of a failure, recorded as a snapshot by a person who had not read the code that
/// explains it.
///
/// Each line of the files in `Tests/Fixtures/Reports` is a report.
struct RecordedReport: Decodable, CustomTestStringConvertible, Sendable {
  /// The name of the report in the collection.
  var report: String
  /// The public thread.
  var source: String
  /// The cause that the thread found; it starts with `OTHER:` if this package has no code for it.
  var expectedCause: String
  /// Other codes that describe the same facts.
  var nearestCauses: [String]?
  /// The fix that solved the problem in the thread.
  var fixThatWorked: String
  /// A Boolean value that indicates whether the facts determine the cause.
  var isDecidable: Bool
  /// The reason why they do not.
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

  /// The codes that are accepted for the facts: the expected one and the nearest ones.
  var acceptedCauses: Set<String> { Set([expectedCause] + (nearestCauses ?? [])) }

  /// The cause that must come first: the cause from the thread, or its substitute in ``otherwise``.
  var firstCause: String { Self.otherwise[report]?.cause ?? expectedCause }

  /// Reads the reports of a file; returns none if the file cannot be read, which a test of the
  /// count detects.
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
  /// The reports whose cause can be determined from facts.
  static let decidable = all.filter(\.isDecidable)
  /// The reports with facts that do not determine the cause, or whose cause has no code here.
  static let beyond = all.filter { !$0.isDecidable && $0.nearestCauses != nil }

  /// The reports whose first cause must differ from the thread's, and the reason.
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
}
