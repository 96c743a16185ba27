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

  /// The causes that may come first.
  var acceptedCauses: Set<String> { Set([expectedCause] + (nearestCauses ?? [])) }

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
  static let decidable = all.filter { $0.isDecidable && unexplained[$0.report] == nil }
  /// Those that are beyond the facts, or whose cause is none of ours, and that still have facts.
  static let beyond = all.filter { !$0.isDecidable && $0.nearestCauses != nil }

  /// What the explanation does not get right yet, and why.
  static let unexplained: [String: String] = [
    "R052": "that a companion is refused comes before the group that opens it",
    "R048": "a media device beside a camera that may be used is not looked at",
    "R065": "the facts are those of a rule that sorts late",
    "S052": "a module that is not loaded counts only for hardware that it would drive",
    "S055": "that a node is a companion comes before how it is closed",
  ]

  /// Those where something has to be found out before anything can be done, and what.
  static let lookedUp: [String: String] = [
    "R020": "which access the policy of SELinux refused",
    "R068": "whether the camera is on the bus at all",
    "R106": "which application has the stored answer",
    "R114": "which program uses the camera",
    "R116": "which program uses the camera",
    "R117": "which program uses the device",
    "R118": "which program uses the camera",
    "S004": "which access the policy of AppArmor refused",
    "S067": "what the portal complains about",
  ]

  /// Those that nothing is to be done about yet, and why.
  static let withoutRemedy: [String: String] = [
    "S082": "a path without anything says nothing of the pictures directory"
  ]
}
